# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What users would run instead: networks in PyTorch, eager and compiled, both in
a CUDA graph. Where PyTorch's libraries have the network it is theirs, else it is
made from the graph (twins/).

  peers.py < JOB

times one network: the job, JSON on a line, has `model`, `batch`, `precision` and
`path`, the .onnx file for networks that are made from it. PyTorch's compiler may
take minutes of a processor, and times want a GPU without neighbours: so a first
line of JSON says that all is compiled, with nothing run, and times are taken once
a line is read. They are the second line."""

import json
import statistics
import sys
import time

IMAGES = {"resnet50": 224, "mobilenet_v2": 224, "efficientnet_b0": 224,
          "inception_v3": 299, "convnext_tiny": 224, "vit_b_16": 224,
          "squeezenet1_1": 224, "mobilenet_v3_large": 224}
TOKENS = {"bert_base_s128": 128, "gpt2_s128": 128}
LIBRARY = [*IMAGES, *TOKENS, "lstm_t128"]
DEVICE = "cuda"


def image_network(name, batch, dtype):
    import torch
    import torchvision.models
    more = {"init_weights": False, "aux_logits": False} \
        if name == "inception_v3" else {}
    model = getattr(torchvision.models, name)(**more).eval().to(dtype)
    size = IMAGES[name]
    x = torch.randn(batch, 3, size, size, device=DEVICE, dtype=dtype)
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
    tokens = torch.randint(0, 30000, (batch, TOKENS[name]), device=DEVICE)
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

    x = torch.randn(128, batch, 256, device=DEVICE, dtype=dtype)
    return Lstm().eval().to(dtype), x


def graph_network(path, dtype):
    """The module of a graph, and random inputs."""
    import torch
    from twins import module

    model = module.build(path, {}).to(DEVICE, dtype)
    inputs = [value.to(DEVICE, dtype if value.is_floating_point() else None)
              for value in module.example(model)]
    if any(value.dim() == 4 for value in inputs):
        order = torch.channels_last
        model = model.to(memory_format=order)
        inputs = [value.contiguous(memory_format=order) if value.dim() == 4
                  else value for value in inputs]
    return model, inputs


def kind_of(name):
    return "library" if name in LIBRARY else "graph"


def network(name, batch, precision, path=None):
    """The module and its inputs, on the device."""
    import torch
    allows = precision == "tf32"
    torch.backends.cuda.matmul.allow_tf32 = allows
    torch.backends.cudnn.allow_tf32 = allows
    torch.backends.cudnn.benchmark = True
    dtype = {"f16": torch.float16, "bf16": torch.bfloat16}.get(
        precision, torch.float32)
    if kind_of(name) == "graph":
        return graph_network(path, dtype)
    with torch.device(DEVICE):
        make = image_network if name in IMAGES else token_network
        model, x = recurrent_network(batch, dtype) if name == "lstm_t128" \
            else make(name, batch, dtype)
        return model, [x]


def in_graph(model, inputs):
    """Milliseconds of a replay, the median of 60."""
    import torch
    if DEVICE == "cpu":
        return on_processor(model, inputs)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            model(*inputs)
    stream.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        model(*inputs)
    times = []
    for _ in range(60):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


def on_processor(model, inputs):
    """What --try of measure-models takes for a time."""
    start = time.perf_counter()
    model(*inputs)
    return (time.perf_counter() - start) * 1e3


class Compiled:
    """torch.compile's module, whose kernels run only once it is open."""

    class Closed(Exception):
        pass

    def __init__(self, model, inputs):
        import torch
        from torch._inductor.compile_fx import compile_fx
        self.open = False

        def backend(graph, examples):
            function = compile_fx(graph, examples)

            def run(*arguments):
                if not self.open:
                    raise self.Closed
                return function(*arguments)
            # Its list of arguments may be emptied by what it calls.
            run._boxed_call = getattr(function, "_boxed_call", False)
            return run
        self.model = torch.compile(model, backend=backend)
        try:
            self.model(*inputs)
        except self.Closed:
            self.open = True

    def __call__(self, *inputs):
        return self.model(*inputs)


def tell(**figures):
    print(json.dumps(figures), flush=True)


def compiled(model, inputs):
    """(torch.compile's module or None, what to tell)."""
    start = time.monotonic()
    try:
        made, found = Compiled(model, inputs), {}
    except Exception as error:  # whatever its compiler raises
        made, found = None, {
            "torch_error": f"{type(error).__name__}: {error}"[-400:]}
    return made, {"seconds": round(time.monotonic() - start, 1), **found}


def main():
    """In a process of its own: see above."""
    import torch
    global DEVICE
    job = json.loads(sys.stdin.readline())
    DEVICE = job["device"]
    with torch.inference_mode():
        model, inputs = network(job["model"], job["batch"], job["precision"],
                                job["path"])
        made, found = compiled(model, inputs)
        tell(**found)
        if not sys.stdin.readline():
            return
        tell(eager=in_graph(model, inputs),
             **({"compiled": in_graph(made, inputs)} if made else {}))


if __name__ == "__main__":
    try:
        main()
    except Exception as error:  # the job's, whatever it is: its reader goes on
        tell(torch_error=f"{type(error).__name__}: {error}"[-400:])
        sys.exit(1)
