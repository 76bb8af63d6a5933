# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recognition, separation and synthesis of speech."""

from blocks.net import Net


def whisper():
    """The encoder of Whisper-tiny with two of its layers: 1,500 tokens."""
    net, width, tokens = Net("whisper"), 384, 1500
    x = net.gelu(net.conv(net.input(1, 80, 3000), 80, width, 3, rank=1))
    x = net.gelu(net.conv(x, width, width, 3, rank=1, strides=[2]))
    x = net.op("Add", net.op("Transpose", x, perm=[0, 2, 1]),
               net.weight(tokens, width, fan=4))
    for _ in range(2):
        y = net.layer_norm(x, width)
        x = net.op("Add", x, net.attention(y, y, 1, tokens, tokens, width, 6))
        y = net.gelu(net.linear(net.layer_norm(x, width), width, 4 * width))
        x = net.op("Add", x, net.linear(y, 4 * width, width))
    return net.model(net.layer_norm(x, width))


def separate():
    """Conv-TasNet: an encoder, six dilated depthwise blocks, a decoder."""
    net, width, hidden, length = Net("separate"), 128, 512, 1999

    def normalised(x):
        mean = net.op("ReduceMean", x, axes=[1, 2])
        x = net.op("Sub", x, mean)
        square = net.op("ReduceMean", net.op("Mul", x, x), axes=[1, 2])
        x = net.op("Div", x, net.op("Sqrt", net.op("Add", square,
                                                   net.const(1e-8))))
        x = net.op("Mul", x, net.weight(hidden, 1, fan=1))
        return net.op("Add", x, net.weight(hidden, 1, fan=4))

    wave = net.input(1, 1, 16000)
    first = net.op("Relu", net.op("Conv", wave, net.weight(512, 1, 16, fan=16),
                                  strides=[8]))
    x = net.conv(first, 512, width, 1, rank=1)
    for i in range(6):
        y = net.conv(x, width, hidden, 1, rank=1)
        y = normalised(net.op("PRelu", y, net.const([[0.25]])))
        y = net.conv(y, hidden, hidden, 3, rank=1, group=hidden,
                     dilations=[2**i])
        y = normalised(net.op("PRelu", y, net.const([[0.25]])))
        x = net.op("Add", x, net.conv(y, hidden, width, 1, rank=1))
    masks = net.op("Sigmoid", net.conv(x, width, 1024, 1, rank=1))
    masks = net.reshape(masks, 2, 512, length)
    x = net.op("Mul", masks, first)
    return net.model(net.op("ConvTranspose", x,
                            net.weight(512, 1, 16, fan=512), strides=[8]))


def vocoder():
    """HiFi-GAN: two upsampling stages with dilated residual blocks."""
    net = Net("vocoder")

    def leaky(x):
        return net.op("LeakyRelu", x, alpha=0.1)

    x, width = net.conv(net.input(1, 80, 50), 80, 256, 7, rank=1), 256
    for factor in (8, 8):
        weight = net.weight(width, width // 2, 2 * factor, fan=2 * width)
        x = net.op("ConvTranspose", leaky(x), weight, strides=[factor],
                   pads=[factor // 2] * 2)
        width //= 2
        sums = []
        for kernel in (3, 7, 11):
            y = x
            for rate in (1, 3, 5):
                z = net.conv(leaky(y), width, width, kernel, rank=1,
                             dilations=[rate])
                z = net.conv(leaky(z), width, width, kernel, rank=1)
                y = net.op("Add", y, z)
            sums.append(y)
        x = net.op("Add", net.op("Add", sums[0], sums[1]), sums[2])
        x = net.op("Div", x, net.const(3.0))
    return net.model(net.op("Tanh", net.conv(leaky(x), width, 1, 7, rank=1)))


def recognise():
    """DeepSpeech 2 in small: two convolutions, two bidirectional GRUs."""
    net, steps, hidden = Net("recognise"), 100, 256
    x = net.input(1, 1, 80, 2 * steps)
    x = net.op("Relu", net.conv(x, 1, 32, 11, strides=[2, 2]))
    x = net.op("Relu", net.conv(x, 32, 32, 11, strides=[2, 1]))
    x = net.op("Transpose", net.reshape(x, 1, 640, steps), perm=[2, 0, 1])
    fan = 640
    for _ in range(2):
        y, _ = net.op("GRU", x, net.weight(2, 3 * hidden, fan, fan=fan),
                      net.weight(2, 3 * hidden, hidden, fan=hidden),
                      net.weight(2, 6 * hidden, fan=4), hidden_size=hidden,
                      direction="bidirectional", linear_before_reset=1,
                      outputs=2)
        y = net.op("Transpose", y, perm=[0, 2, 1, 3])
        x, fan = net.reshape(y, steps, 1, 2 * hidden), 2 * hidden
    return net.model(net.op("LogSoftmax", net.linear(x, fan, 29), axis=-1))


BLOCKS = {f.__name__: f for f in (whisper, separate, vocoder, recognise)}
