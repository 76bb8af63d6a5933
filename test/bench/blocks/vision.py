# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Detection, segmentation, diffusion, restoration, video."""

from blocks.net import Net


def yolo():
    """YOLOv8-n, 640x640: CSP stages, spatial pyramid, two-way neck, heads."""
    net = Net("yolo")

    def conv(x, fan_in, fan_out, kernel, stride=1):
        return net.silu(net.conv(x, fan_in, fan_out, kernel,
                                 strides=[stride] * 2))

    def stage(x, fan_in, fan_out, depth, shortcut):
        half = fan_out // 2
        parts = net.split(conv(x, fan_in, fan_out, 1), 1, half, half)
        for _ in range(depth):
            y = conv(conv(parts[-1], half, half, 3), half, half, 3)
            parts.append(net.op("Add", parts[-1], y) if shortcut else y)
        joined = net.op("Concat", *parts, axis=1)
        return conv(joined, half * (depth + 2), fan_out, 1)

    def pool(x):
        return net.op("MaxPool", x, kernel_shape=[5, 5], pads=[2] * 4)

    def join(x, y):
        return net.op("Concat", x, y, axis=1)

    x = conv(conv(net.input(1, 3, 640, 640), 3, 16, 3, 2), 16, 32, 3, 2)
    x = conv(stage(x, 32, 32, 1, True), 32, 64, 3, 2)
    p3 = stage(x, 64, 64, 2, True)
    p4 = stage(conv(p3, 64, 128, 3, 2), 128, 128, 2, True)
    x = stage(conv(p4, 128, 256, 3, 2), 256, 256, 1, True)
    x = conv(x, 256, 128, 1)
    pools = [x]
    for _ in range(3):
        pools.append(pool(pools[-1]))
    p5 = conv(net.op("Concat", *pools, axis=1), 512, 256, 1)
    n4 = stage(join(net.upsample(p5, 2), p4), 384, 128, 1, False)
    n3 = stage(join(net.upsample(n4, 2), p3), 192, 64, 1, False)
    n4 = stage(join(conv(n3, 64, 64, 3, 2), n4), 192, 128, 1, False)
    n5 = stage(join(conv(n4, 128, 128, 3, 2), p5), 384, 256, 1, False)
    flat = []
    for x, width, points in ((n3, 64, 6400), (n4, 128, 1600), (n5, 256, 400)):
        box = conv(conv(x, width, 64, 3), 64, 64, 3)
        label = conv(conv(x, width, 80, 3), 80, 80, 3)
        y = join(net.conv(box, 64, 64, 1), net.conv(label, 80, 80, 1))
        flat.append(net.reshape(y, 1, 144, points))
    box, label = net.split(net.op("Concat", *flat, axis=2), 1, 64, 80)
    y = net.op("Transpose", net.reshape(box, 1, 4, 16, 8400),
               perm=[0, 2, 1, 3])
    y = net.op("Conv", net.op("Softmax", y, axis=1),
               net.const([[[[i]] for i in range(16)]]))
    return net.model(join(net.reshape(y, 1, 4, 8400),
                          net.op("Sigmoid", label)))


def group_norm(net, x, channels, extent):
    """As PyTorch exports it: an instance normalisation of 32 groups."""
    y = net.op("InstanceNormalization", net.reshape(x, 1, 32, -1),
               net.const([1] * 32), net.const([0] * 32), epsilon=1e-5)
    y = net.reshape(y, 1, channels, extent, extent)
    y = net.op("Mul", y, net.weight(channels, 1, 1, fan=1))
    return net.op("Add", y, net.weight(channels, 1, 1, fan=4))


def diffusion():
    """One level of Stable Diffusion's U-Net at 32x32: a residual block and a
    transformer block with attention to itself and to 77 tokens of text."""
    net, width, extent = Net("diffusion"), 640, 32
    tokens = extent * extent
    x = net.input(1, width, extent, extent)
    text, time = net.input(1, 77, 768), net.input(1, 1280)
    y = net.silu(group_norm(net, x, width, extent))
    y = net.conv(y, width, width, 3)
    shift = net.linear(net.silu(time), 1280, width)
    y = net.op("Add", y, net.reshape(shift, 1, width, 1, 1))
    y = net.silu(group_norm(net, y, width, extent))
    x = net.op("Add", x, net.conv(y, width, width, 3))
    y = net.conv(group_norm(net, x, width, extent), width, width, 1)
    y = net.reshape(net.op("Transpose", y, perm=[0, 2, 3, 1]), 1, tokens,
                    width)
    for context, keys in ((None, tokens), (text, 77)):
        z = net.layer_norm(y, width)
        z = net.attention(z, context or z, 1, tokens, keys, width, 8)
        y = net.op("Add", y, z)
    z = net.linear(net.layer_norm(y, width), width, 8 * width)
    z, gate = net.split(z, 2, 4 * width, 4 * width)
    z = net.linear(net.op("Mul", z, net.gelu(gate)), 4 * width, width)
    y = net.reshape(net.op("Add", y, z), 1, extent, extent, width)
    y = net.conv(net.op("Transpose", y, perm=[0, 3, 1, 2]), width, width, 1)
    return net.model(net.op("Add", x, y))


def unet():
    """U-Net with four levels of 32 to 256 channels at 256x256."""
    net = Net("unet")

    def double(x, fan_in, fan_out):
        for fan in (fan_in, fan_out):
            x = net.op("Relu", net.conv(x, fan, fan_out, 3))
        return x

    x, kept = double(net.input(1, 1, 256, 256), 1, 32), []
    for width in (32, 64, 128):
        kept.append(x)
        x = net.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
        x = double(x, width, 2 * width)
    for width in (128, 64, 32):
        x = net.op("ConvTranspose", x,
                   net.weight(2 * width, width, 2, 2, fan=2 * width),
                   net.weight(width, fan=4), strides=[2, 2])
        x = double(net.op("Concat", kept.pop(), x, axis=1), 2 * width, width)
    return net.model(net.op("Sigmoid", net.conv(x, 32, 2, 1)))


def deeplab():
    """The head of DeepLabv3 on 256 channels of 33x33, and its labels."""
    net = Net("deeplab")
    x = net.input(1, 256, 33, 33)
    parts = [net.op("Relu", net.conv(x, 256, 256, 1))]
    for rate in (6, 12, 18):
        parts.append(net.op("Relu", net.conv(x, 256, 256, 3,
                                             dilations=[rate] * 2)))
    y = net.op("Relu", net.conv(net.op("GlobalAveragePool", x), 256, 256, 1))
    sizes = net.const([1, 256, 33, 33], "int64")
    parts.append(net.op("Expand", y, sizes))
    y = net.op("Relu", net.conv(net.op("Concat", *parts, axis=1), 1280, 256,
                                1))
    y = net.conv(net.op("Relu", net.conv(y, 256, 256, 3)), 256, 21, 1)
    y = net.op("Resize", y, "", "", net.const([1, 21, 260, 260], "int64"),
               mode="linear", coordinate_transformation_mode="half_pixel")
    return net.model(y, net.op("ArgMax", y, axis=1, keepdims=0))


def super_resolution():
    """EDSR with 8 blocks of 64 channels: 128x128 to 256x256."""
    net = Net("super_resolution")
    first = x = net.conv(net.input(1, 3, 128, 128), 3, 64, 3)
    for _ in range(8):
        y = net.op("Relu", net.conv(x, 64, 64, 3))
        y = net.op("Mul", net.conv(y, 64, 64, 3), net.const(0.1))
        x = net.op("Add", x, y)
    x = net.op("Add", first, net.conv(x, 64, 64, 3))
    x = net.op("DepthToSpace", net.conv(x, 64, 256, 3), blocksize=2,
               mode="CRD")
    return net.model(net.conv(x, 64, 3, 3))


def style():
    """Fast style transfer at 256x256: reflected borders, instance norms."""
    net = Net("style")

    def conv(x, fan_in, fan_out, kernel, stride=1):
        edge = kernel // 2
        pads = net.const([0, 0, edge, edge] * 2, "int64")
        x = net.op("Pad", x, pads, mode="reflect")
        weight = net.weight(fan_out, fan_in, kernel, kernel,
                            fan=fan_in * kernel * kernel)
        x = net.op("Conv", x, weight, strides=[stride] * 2)
        return net.op("InstanceNormalization", x, net.weight(fan_out, fan=1),
                      net.weight(fan_out, fan=4))

    x = net.op("Relu", conv(net.input(1, 3, 256, 256), 3, 32, 9))
    x = net.op("Relu", conv(x, 32, 64, 3, 2))
    x = net.op("Relu", conv(x, 64, 128, 3, 2))
    for _ in range(2):
        y = net.op("Relu", conv(x, 128, 128, 3))
        x = net.op("Add", x, conv(y, 128, 128, 3))
    x = net.op("Relu", conv(net.upsample(x, 2), 128, 64, 3))
    x = net.op("Relu", conv(net.upsample(x, 2), 64, 32, 3))
    return net.model(conv(x, 32, 3, 9))


def resnext():
    """Two blocks of ResNeXt-50 (32x4d) at 28x28."""
    net = Net("resnext")
    x = net.input(1, 512, 28, 28)
    for _ in range(2):
        y = net.op("Relu", net.conv(x, 512, 256, 1))
        y = net.op("Relu", net.conv(y, 256, 256, 3, group=32))
        x = net.op("Relu", net.op("Add", x, net.conv(y, 256, 512, 1)))
    return net.model(x)


def mobilenet_v1():
    """MobileNet v1: depthwise windows over powers of two of channels."""
    net = Net("mobilenet_v1")

    def conv(x, fan_in, fan_out, kernel, stride=1, group=1):
        return net.op("Relu", net.conv(x, fan_in, fan_out, kernel,
                                       strides=[stride] * 2, group=group))

    x, width = conv(net.input(1, 3, 224, 224), 3, 32, 3, 2), 32
    for wider, stride in ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1),
                          (512, 2), *[(512, 1)] * 5, (1024, 2), (1024, 1)):
        x = conv(x, width, width, 3, stride, width)
        x, width = conv(x, width, wider, 1), wider
    x = net.op("Flatten", net.op("GlobalAveragePool", x))
    return net.model(net.linear(x, width, 1000))


def swin():
    """Two blocks of Swin-T at 28x28, windows of 7x7, the second shifted."""
    net, width, extent, window = Net("swin"), 192, 28, 7
    count, cells, tokens = 16, window * window, extent * extent

    def roll(x, distance):
        for axis in (1, 2):
            parts = [net.slice(x, axis, distance % extent, extent),
                     net.slice(x, axis, 0, distance % extent)]
            x = net.op("Concat", *parts, axis=axis)
        return x

    def attention(x):
        side = extent // window
        x = net.reshape(x, 1, side, window, side, window, width)
        x = net.op("Transpose", x, perm=[0, 1, 3, 2, 4, 5])
        x = net.linear(net.reshape(x, count, cells, width), width, 3 * width)
        x = net.op("Transpose", net.reshape(x, count, cells, 3, 6, 32),
                   perm=[2, 0, 3, 1, 4])
        q, k, v = (net.op("Gather", x, net.const(i, "int64"), axis=0)
                   for i in range(3))
        k = net.op("Transpose", k, perm=[0, 1, 3, 2])
        x = net.attend(q, k, v, 32, net.weight(1, 6, cells, cells, fan=1))
        x = net.reshape(net.op("Transpose", x, perm=[0, 2, 1, 3]), count,
                        cells, width)
        x = net.reshape(net.linear(x, width, width), 1, side, side, window,
                        window, width)
        x = net.op("Transpose", x, perm=[0, 1, 3, 2, 4, 5])
        return net.reshape(x, 1, extent, extent, width)

    x = net.input(1, tokens, width)
    for distance in (0, 3):
        y = net.reshape(net.layer_norm(x, width), 1, extent, extent, width)
        y = attention(roll(y, distance) if distance else y)
        y = roll(y, -distance) if distance else y
        x = net.op("Add", x, net.reshape(y, 1, tokens, width))
        y = net.gelu(net.linear(net.layer_norm(x, width), width, 4 * width))
        x = net.op("Add", x, net.linear(y, 4 * width, width))
    return net.model(x)


def video():
    """Two 3-D residual blocks (R3D-18) on 8 frames of 28x28."""
    net = Net("video")
    x = net.input(1, 64, 8, 28, 28)
    for _ in range(2):
        y = net.op("Relu", net.conv(x, 64, 64, 3, rank=3))
        x = net.op("Relu", net.op("Add", x, net.conv(y, 64, 64, 3, rank=3)))
    return net.model(x)


BLOCKS = {f.__name__: f for f in (
    yolo, diffusion, unet, deeplab, super_resolution, style, resnext,
    mobilenet_v1, swin, video)}
