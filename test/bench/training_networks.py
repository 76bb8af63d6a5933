# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks that test/bench/training trains, in torch: small ones of the usual
families, for which a step takes some tens of milliseconds."""

import torch
from torch import nn


#===-- Convolutions --------------------------------------------------------===#

def convolved(inputs, filters, size=3, stride=1, groups=1, act=nn.ReLU):
    layers = [nn.Conv2d(inputs, filters, size, stride, size // 2,
                        groups=groups, bias=False), nn.BatchNorm2d(filters)]
    return nn.Sequential(*layers, *([act()] if act else []))


class Residual(nn.Module):
    def __init__(self, inputs, filters, stride):
        super().__init__()
        self.body = nn.Sequential(convolved(inputs, filters, stride=stride),
                                  convolved(filters, filters, act=None))
        self.side = nn.Identity() if stride == 1 and inputs == filters \
            else convolved(inputs, filters, 1, stride, act=None)

    def forward(self, x):
        return torch.relu(self.body(x) + self.side(x))


def resnet():
    """ResNet-18 at half its width."""
    layers, inputs = [convolved(3, 32, 7, 2), nn.MaxPool2d(3, 2, 1)], 32
    for stage, filters in enumerate((32, 64, 128, 256)):
        for block in range(2):
            stride = 2 if stage and not block else 1
            layers.append(Residual(inputs, filters, stride))
            inputs = filters
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(inputs, 100))


class Inverted(nn.Module):
    def __init__(self, inputs, filters, stride, wider):
        super().__init__()
        inner = inputs * wider
        layers = [] if wider == 1 else [convolved(inputs, inner, 1,
                                                  act=nn.ReLU6)]
        self.body = nn.Sequential(
            *layers, convolved(inner, inner, 3, stride, inner, nn.ReLU6),
            convolved(inner, filters, 1, act=None))
        self.is_residual = stride == 1 and inputs == filters

    def forward(self, x):
        return x + self.body(x) if self.is_residual else self.body(x)


def mobilenet():
    """MobileNetV2 at half its width."""
    layers, inputs = [convolved(3, 16, 3, 2, act=nn.ReLU6)], 16
    for wider, filters, count, stride in (
            (1, 8, 1, 1), (6, 16, 2, 2), (6, 16, 3, 2), (6, 32, 4, 2),
            (6, 48, 3, 1), (6, 80, 3, 2), (6, 160, 1, 1)):
        for block in range(count):
            layers.append(Inverted(inputs, filters, 1 if block else stride,
                                   wider))
            inputs = filters
    return nn.Sequential(*layers, convolved(inputs, 640, 1, act=nn.ReLU6),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(640, 100))


#===-- Transformers --------------------------------------------------------===#

class Attention(nn.Module):
    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width,
                                                                    width)

    def forward(self, x):
        batch, length, width = x.shape
        split = self.qkv(x).reshape(batch, length, 3, self.heads,
                                    width // self.heads)
        q, k, v = split.permute(2, 0, 3, 1, 4).unbind(0)
        scores = q @ k.transpose(-1, -2) * (width // self.heads) ** -.5
        if self.causal:
            allowed = torch.ones(length, length, dtype=torch.bool).tril()
            scores = scores.masked_fill(~allowed, -1e30)
        mixed = torch.softmax(scores, -1) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))


class Layer(nn.Module):
    """Normalised before each part, or behind it, as BERT."""

    def __init__(self, width, heads, causal=False, behind=False, act=None):
        super().__init__()
        self.attention = Attention(width, heads, causal)
        self.wide = nn.Sequential(nn.Linear(width, 4 * width),
                                  act or nn.GELU(),
                                  nn.Linear(4 * width, width))
        self.norms = nn.ModuleList([nn.LayerNorm(width) for _ in range(2)])
        self.behind = behind

    def forward(self, x):
        for norm, part in zip(self.norms, (self.attention, self.wide)):
            x = norm(x + part(x)) if self.behind else x + part(norm(x))
        return x


class Vit(nn.Module):
    def __init__(self, width=192, depth=4, patches=64):
        super().__init__()
        self.patch = nn.Conv2d(3, width, 8, 8)
        self.token = nn.Parameter(torch.randn(1, 1, width) * .02)
        self.place = nn.Parameter(torch.randn(1, patches + 1, width) * .02)
        self.layers = nn.Sequential(*[Layer(width, 3) for _ in range(depth)],
                                    nn.LayerNorm(width))
        self.head = nn.Linear(width, 100)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1)
        return self.head(self.layers(x + self.place)[:, 0])


class Bert(nn.Module):
    def __init__(self, width=256, depth=3, words=4000, length=128):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(length, width)
        self.norm = nn.LayerNorm(width, 1e-12)
        self.layers = nn.Sequential(*[Layer(width, 4, behind=True)
                                      for _ in range(depth)])
        self.pool, self.head = nn.Linear(width, width), nn.Linear(width, 2)

    def forward(self, x):
        places = torch.arange(x.shape[1])[None]
        x = self.layers(self.norm(self.words(x) + self.places(places)))
        return self.head(torch.tanh(self.pool(x[:, 0])))


class Gpt(nn.Module):
    """A language model whose head is its table of words."""

    def __init__(self, width=192, depth=3, words=3000, length=64):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(length, width)
        self.layers = nn.Sequential(
            *[Layer(width, 3, causal=True, act=nn.GELU(approximate="tanh"))
              for _ in range(depth)], nn.LayerNorm(width))
        nn.init.normal_(self.words.weight, std=.05)

    def forward(self, x):
        x = self.words(x) + self.places(torch.arange(x.shape[1]))
        x = self.layers(x) @ self.words.weight.t()
        return x.transpose(1, 2)


class Lstm(nn.Module):
    def __init__(self, inputs=64, width=128, classes=50):
        super().__init__()
        self.layers = nn.LSTM(inputs, width, 2, batch_first=True)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.layers(x)[0]).transpose(1, 2)


#===-- What is trained -----------------------------------------------------===#

def images(batch, size):
    return lambda: (torch.randn(batch, 3, size, size),
                    torch.randint(0, 100, (batch,)))


def words(batch, length, count, labels):
    return lambda: (torch.randint(0, count, (batch, length)),
                    torch.randint(0, labels, (batch, length))
                    if labels == count else torch.randint(0, labels, (batch,)))


def frames(batch, length, size, classes):
    return lambda: (torch.randn(batch, length, size),
                    torch.randint(0, classes, (batch, length)))


#            network    a batch                     optimiser  rate
NETWORKS = {"resnet": (resnet, images(8, 64), "sgd", 1e-3),
            "mobilenet": (mobilenet, images(8, 64), "sgd", 1e-3),
            "vit": (Vit, images(8, 64), "adamw", 1e-4),
            "bert": (Bert, words(4, 128, 4000, 2), "adamw", 1e-4),
            "gpt2": (Gpt, words(4, 64, 3000, 3000), "adamw", 1e-4),
            "lstm": (Lstm, frames(8, 32, 64, 50), "sgd", 1e-2)}


def optimiser_of(name, network, rate):
    if name == "sgd":
        return torch.optim.SGD(network.parameters(), rate, momentum=.9)
    # Vectors do not decay, as Tenon has it.
    flat = [p for p in network.parameters() if p.dim() < 2]
    others = [p for p in network.parameters() if p.dim() >= 2]
    return torch.optim.AdamW([{"params": others, "weight_decay": .01},
                              {"params": flat, "weight_decay": 0}], rate)


def export(network, x, path):
    """In training mode, nothing folded."""
    torch.onnx.export(network, (x,), str(path), dynamo=False,
                      training=torch.onnx.TrainingMode.TRAINING,
                      do_constant_folding=False, opset_version=17,
                      input_names=["x"], output_names=["y"])
