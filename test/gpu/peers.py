# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What users would run instead: networks in PyTorch, eager and compiled, both in
a CUDA graph."""

import statistics

IMAGES = {"resnet50": 224, "mobilenet_v2": 224, "efficientnet_b0": 224,
          "inception_v3": 299, "convnext_tiny": 224, "vit_b_16": 224,
          "squeezenet1_1": 224}
TOKENS = {"bert_base_s128": 128, "gpt2_s128": 128}
NAMES = [*IMAGES, *TOKENS, "lstm_t128"]


def image_network(name, batch, dtype):
    import torch
    import torchvision.models
    more = {"init_weights": False, "aux_logits": False} \
        if name == "inception_v3" else {}
    model = getattr(torchvision.models, name)(**more).eval().to(dtype)
    size = IMAGES[name]
    x = torch.randn(batch, 3, size, size, device="cuda", dtype=dtype)
    if name == "vit_b_16":
        return model, x
    order = torch.channels_last
    return model.to(memory_format=order), x.contiguous(memory_format=order)


def token_network(name, batch, dtype):
    import torch
    import transformers

    class First(torch.nn.Module):
        def __init__(self, model, **options):
            super().__init__()
            self.model, self.options = model, options

        def forward(self, tokens):
            return self.model(tokens, **self.options)[0]

    if name.startswith("bert"):
        model = First(transformers.BertModel(
            transformers.BertConfig(attn_implementation="sdpa")))
    else:
        model = First(transformers.GPT2LMHeadModel(
            transformers.GPT2Config(attn_implementation="sdpa")),
            use_cache=False)
    tokens = torch.randint(0, 30000, (batch, TOKENS[name]), device="cuda")
    return model.eval().to(dtype), tokens


def recurrent_network(batch, dtype):
    import torch

    class Lstm(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = torch.nn.LSTM(256, 512, 2)
            self.last = torch.nn.Linear(512, 128)

        def forward(self, x):
            return self.last(self.layers(x)[0])

    x = torch.randn(128, batch, 256, device="cuda", dtype=dtype)
    return Lstm().eval().to(dtype), x


def network(name, batch, precision):
    """The module and its input, on the card."""
    import torch
    allows = precision == "tf32"
    torch.backends.cuda.matmul.allow_tf32 = allows
    torch.backends.cudnn.allow_tf32 = allows
    torch.backends.cudnn.benchmark = True
    dtype = {"f16": torch.float16, "bf16": torch.bfloat16}.get(
        precision, torch.float32)
    with torch.device("cuda"):
        if name in IMAGES:
            return image_network(name, batch, dtype)
        if name in TOKENS:
            return token_network(name, batch, dtype)
        return recurrent_network(batch, dtype)


def in_graph(model, x):
    """Milliseconds of a replay, the median of 60."""
    import torch
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            model(x)
    stream.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        model(x)
    times = []
    for _ in range(60):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


def times(name, batch, precision):
    import torch
    with torch.inference_mode():
        model, x = network(name, batch, precision)
        return {"graph": in_graph(model, x),
                "compiled": in_graph(torch.compile(model), x)}
