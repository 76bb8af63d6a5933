# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoders, encoders with masks, recommendation."""

from blocks.net import Net


def rms_norm(net, x, width):
    square = net.op("Mul", x, x)
    mean = net.op("ReduceMean", square, axes=[-1])
    root = net.op("Sqrt", net.op("Add", mean, net.const(1e-6)))
    return net.op("Mul", net.op("Div", x, root), net.weight(width, fan=1))


def rotate(net, x, size, cosine, sine):
    """Rotary positions: x cos + (-x2, x1) sin."""
    low = net.slice(x, 3, 0, size // 2)
    high = net.slice(x, 3, size // 2, size)
    turned = net.op("Concat", net.op("Neg", high), low, axis=3)
    return net.op("Add", net.op("Mul", x, cosine),
                  net.op("Mul", turned, sine))


def llama(name, tokens, past):
    """Two layers of 1,024: 16 query heads on 4 keys of 64, gated MLP."""
    net, width, size, keys = Net(name), 1024, 64, tokens + past
    x = net.input(1, tokens, width)
    cosine, sine = (net.weight(1, 1, tokens, size, fan=2) for _ in range(2))
    mask = net.const([[[[0.0 if k <= q + past else -1e9 for k in range(keys)]
                        for q in range(tokens)]]])
    results = []
    for _ in range(2):
        y = rms_norm(net, x, width)
        q = net.heads(net.linear(y, width, width, False), 1, tokens, 16, size)
        k = net.heads(net.linear(y, width, 256, False), 1, tokens, 4, size)
        v = net.heads(net.linear(y, width, 256, False), 1, tokens, 4, size)
        q, k = (rotate(net, t, size, cosine, sine) for t in (q, k))
        if past:
            k = net.op("Concat", net.input(1, 4, past, size), k, axis=2)
            v = net.op("Concat", net.input(1, 4, past, size), v, axis=2)
        results += [k, v]
        wide = net.const([1, 4, 4, keys, size], "int64")
        k, v = (net.reshape(net.op("Expand", net.reshape(
            t, 1, 4, 1, keys, size), wide), 1, 16, keys, size)
                for t in (k, v))
        k = net.op("Transpose", k, perm=[0, 1, 3, 2])
        y = net.op("Transpose", net.attend(q, k, v, size, mask),
                   perm=[0, 2, 1, 3])
        y = net.linear(net.reshape(y, 1, tokens, width), width, width, False)
        x = net.op("Add", x, y)
        y = rms_norm(net, x, width)
        gate = net.silu(net.linear(y, width, 2816, False))
        y = net.op("Mul", gate, net.linear(y, width, 2816, False))
        x = net.op("Add", x, net.linear(y, 2816, width, False))
    return net.model(x, *results)


def llama_prompt():
    return llama("llama_prompt", 128, 0)


def llama_decode():
    return llama("llama_decode", 1, 255)


def roberta():
    """Two layers of RoBERTa on 4 sequences of 64, positions and masks
    computed from the padding."""
    net, batch, tokens, width = Net("roberta"), 4, 64, 768
    ids = net.input(batch, tokens, dtype="int64")
    real = net.op("Not", net.op("Equal", ids, net.const(1, "int64")))
    count = net.op("Cast", real, to=7)
    place = net.op("Mul", net.op("CumSum", count, net.const(1, "int64")),
                   count)
    x = net.op("Gather", net.weight(30000, width, fan=4), ids)
    x = net.op("Add", x, net.op("Gather", net.weight(130, width, fan=4),
                                place))
    x = net.layer_norm(x, width)
    mask = net.op("Where", net.reshape(real, batch, 1, 1, tokens),
                  net.const(0.0), net.const(-3e38))
    for _ in range(2):
        q, k, v = (net.heads(net.linear(x, width, width), batch, tokens, 12,
                             64, transposed) for transposed in (0, 1, 0))
        y = net.op("Transpose", net.attend(q, k, v, 64, mask),
                   perm=[0, 2, 1, 3])
        y = net.linear(net.reshape(y, batch, tokens, width), width, width)
        x = net.layer_norm(net.op("Add", x, y), width)
        y = net.gelu(net.linear(x, width, 4 * width))
        y = net.linear(y, 4 * width, width)
        x = net.layer_norm(net.op("Add", x, y), width)
    return net.model(net.op("Tanh", net.linear(net.slice(x, 1, 0, 1), width,
                                               width)))


def recommend():
    """DLRM for 128 users: 8 tables, pairwise products, two MLPs."""
    net, batch, width = Net("recommend"), 128, 64

    def layers(x, *fans):
        for fan_in, fan_out in zip(fans, fans[1:]):
            x = net.op("Relu", net.linear(x, fan_in, fan_out))
        return x

    parts = [layers(net.input(batch, 13), 13, 512, 256, width)]
    for _ in range(8):
        rows = net.input(batch, dtype="int64")
        parts.append(net.op("Gather", net.weight(20000, width, fan=1), rows))
    x = net.op("Concat", *(net.reshape(p, batch, 1, width) for p in parts),
               axis=1)
    pairs = net.op("MatMul", x, net.op("Transpose", x, perm=[0, 2, 1]))
    chosen = net.const([9 * i + j for i in range(9) for j in range(i)],
                       "int64")
    pairs = net.op("Gather", net.reshape(pairs, batch, 81), chosen, axis=1)
    x = layers(net.op("Concat", parts[0], pairs, axis=1), 100, 512, 256)
    return net.model(net.op("Sigmoid", net.linear(x, 256, 1)))


BLOCKS = {f.__name__: f for f in (llama_prompt, llama_decode, roberta,
                                  recommend)}
