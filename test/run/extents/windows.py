"""windows.py - convolutions and pools"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

CHANNELS = (1, 2, 3, 4, 8, 15, 16, 17, 24, 33, 48, 50)


def geometry(model, size, dims):
    """Attributes of a window that fits into maps of the given size."""
    kernel = [model.pick(1, 2, 3, 3, 5) for _ in range(dims)]
    dilations = [1 if (k - 1) * 2 + 1 > size else model.pick(1, 1, 2)
                 for k in kernel]
    return {"kernel_shape": kernel, "dilations": dilations,
            "strides": [model.pick(1, 1, 2, 3) for _ in range(dims)],
            "pads": [min(model.pick(0, 1, 2), k - 1)
                     for k in kernel * 2]}


def convolve(model, channels, filters, group, dims=2, operator="Conv"):
    size = model.pick(5, 6, 7, 8, 9, 13, 14, 15, 17)
    window = geometry(model, size, dims)
    per_group = ((filters, channels // group) if operator == "Conv"
                 else (channels, filters // group))
    model.add(operator, (model.pick(1, 2), channels, *[size] * dims),
              (*per_group, *window["kernel_shape"]), (filters,), group=group,
              **window)


def convolutions(model):
    for channels, filters in itertools.product(CHANNELS[::2], CHANNELS):
        if model.pick(True, False):
            convolve(model, channels, filters, 1)
    for group, each, filters in itertools.product((2, 3), (4, 5), (8, 9, 17)):
        convolve(model, group * each, group * filters, group)
    for dims in (1, 3, 1, 3):
        convolve(model, model.pick(3, 16), model.pick(5, 17), 1, dims)


def joined(model):
    """Groups whose columns share vectors."""
    for group, each, filters, kernel in (
            (4, 34, 34, 1), (4, 8, 68, 1), (4, 6, 28, 1), (8, 4, 4, 3),
            (6, 8, 8, 3), (2, 8, 8, 5), (9, 24, 24, 3), (4, 5, 12, 3),
            (16, 4, 4, 1), (3, 4, 20, 1), (12, 12, 4, 2), (32, 2, 2, 3)):
        for size in (7, 8, 15):
            model.add("Conv", (model.pick(1, 2), group * each, size, size + 1),
                      (group * filters, each, kernel, kernel),
                      (group * filters,), group=group,
                      pads=[model.pick(0, kernel - 1) for _ in range(4)],
                      strides=[model.pick(1, 1, 2), model.pick(1, 1, 2)])


def filtered(model):
    """Stride 1: minimal filtering, whole tiles and rests."""
    for channels, filters in ((16, 16), (17, 33), (48, 24), (3, 40), (64, 50)):
        for size in (7, 8, 13, 18, 25):
            model.add("Conv", (1, channels, size, size + 1),
                      (filters, channels, 3, 3), (filters,),
                      pads=[model.pick(0, 1) for _ in range(4)])
    # Other windows, in one to three dimensions, of which one or two are
    # filtered; phases of dilations, some of which are shorter than others.
    for kernel in ((2,), (3,), (5,), (7,), (8,), (11,), (1, 7), (7, 1), (3, 1),
                   (2, 3), (5, 5), (4, 4), (7, 7), (3, 3, 3), (3, 1, 5),
                   (2, 5, 5), (2, 4, 4)):
        for channels, filters in ((16, 24), (17, 33), (40, 16)):
            size = [model.pick(*{1: (40, 81, 99), 2: (19, 22, 29),
                                 3: (13, 14)}[len(kernel)]) for _ in kernel]
            dilations = [model.pick(1, 2, 3) for _ in kernel]
            model.add("Conv", (model.pick(1, 2), channels, *size),
                      (filters, channels, *kernel), (filters,),
                      dilations=dilations, pads=[
                          model.pick(0, 1, k * d // 2)
                          for k, d in 2 * list(zip(kernel, dilations))])
    # Groups: panels of filters for each.
    for group, channels, filters in ((2, 24, 24), (3, 17, 20), (4, 16, 40)):
        for kernel in ((3, 3), (5, 5), (3,)):
            size = (18, 21) if len(kernel) > 1 else (120,)
            model.add("Conv", (1, channels * group, *size),
                      (filters * group, channels, *kernel),
                      (filters * group,), group=group,
                      pads=[1] * 2 * len(kernel))
    # So few filters that they fill no vector.
    for channels, filters in ((24, 1), (34, 1), (40, 2), (35, 3)):
        model.add("Conv", (1, channels, 20, 21), (filters, channels, 3, 3),
                  (filters,), pads=[1] * 4)


def depthwise(model):
    for channels in (2, 7, 16, 17, 33, 40):
        for multiplier in (1, 1, 2, 3):
            convolve(model, channels, channels * multiplier, channels)


def mixed(model):
    """Groups of two or four channels, which share vectors: whole ones and rests,
    in one to three dimensions, rows that are cut."""
    for each, groups in itertools.product((2, 4), (2, 3, 4, 5, 9, 25)):
        for kernel in ((3, 3), (5, 3), (2, 4), (3,), (12,), (2, 3, 3)):
            size = [model.pick(*((40, 81) if len(kernel) == 1 else (14, 17, 29)))
                    for _ in kernel]
            dilations = [model.pick(1, 1, 2) if k < 5 else 1 for k in kernel]
            model.add("Conv", (model.pick(1, 2), each * groups, *size),
                      (each * groups, each, *kernel), (each * groups,),
                      group=groups, dilations=dilations,
                      strides=[model.pick(1, 1, 2) for _ in kernel],
                      pads=[model.pick(0, k // 2) for k in 2 * kernel])
    for channels, width, stride in ((168, 61, 1), (256, 50, 2), (36, 150, 1)):
        model.add("Conv", (1, channels, 30, width), (channels, 4, 3, 3),
                  (channels,), group=channels // 4, strides=[stride] * 2,
                  pads=[1] * 4)


def walks(model):
    """Depthwise maps whose rows do not stay in the first-level cache: they are
    cut along channels and pixels."""
    for channels, width, kernel, stride in (
            (168, 30, 3, 1), (200, 43, 3, 2), (100, 61, 5, 2), (129, 58, 3, 1),
            (97, 113, 3, 2), (64, 64, 5, 1), (336, 23, 7, 2), (50, 165, 3, 1)):
        model.add("Conv", (1, channels, 9, width), (channels, 1, kernel, 3),
                  (channels,), group=channels, strides=[model.pick(1, 2), stride],
                  dilations=[model.pick(1, 1, 2) if kernel == 3 else 1, 1],
                  pads=[kernel // 2, 1, kernel // 2, 1])
    # Strides, with and without rows that do not exist.
    for channels, size, kernel, stride in (
            (128, (57, 50), 3, 2), (67, (60, 85), 5, 2), (48, (90, 71), 4, 2),
            (64, (56, 75), 5, 3), (35, (3, 50, 62), 5, 2)):
        pads = [model.pick(0, 1, kernel // 2) for _ in range(4)]
        flat = [1] * (len(size) - 2)
        model.add("Conv", (1, channels, *size),
                  (channels, 1, *flat, kernel, kernel), (channels,),
                  group=channels, strides=[*flat, stride, stride],
                  pads=[*[0] * len(flat), *pads[:2],
                        *[0] * len(flat), *pads[2:]])
    # One dimension: rows are cut.
    for channels, kernel, stride in ((40, 3, 1), (17, 31, 1), (130, 5, 2)):
        model.add("Conv", (model.pick(1, 2), channels, 301),
                  (channels * 2, 1, kernel), (channels * 2,), group=channels,
                  strides=[stride], pads=[kernel // 2] * 2)
        model.add("Conv", (1, channels, 200), (channels, 1, kernel),
                  (channels,), group=channels, strides=[stride],
                  dilations=[2])


def transposed(model):
    for channels, filters in ((1, 1), (3, 1), (5, 16), (17, 4), (16, 33)):
        for group in (1, 1, 2):
            convolve(model, channels * group, filters * group, group,
                     operator="ConvTranspose")


def apart(model):
    """Transposed convolutions whose windows do not meet: products."""
    for kernel in ((4,), (16,), (2, 2), (2, 3), (1, 4), (4, 2), (2, 2, 2)):
        for channels, filters in ((5, 4), (17, 9), (8, 24), (16, 33), (3, 50),
                                  (4, 1), (24, 1), (48, 1), (16, 2), (40, 3)):
            size = [model.pick(3, 5, 6, 7, 13, 28) for _ in kernel]
            result = (1, filters, *(s * k for s, k in zip(size, kernel)))
            weights = (channels, filters, *kernel)
            model.add("ConvTranspose", (1, channels, *size),
                      model.pick(weights, weights, list(weights)), (filters,),
                      strides=kernel, then=model.pick(
                          (), [("Add", result, {})],
                          [("Mul", (1, 1, *result[2:]), {})],
                          [("Concat", result, {"axis": 1})]))


def spread(model):
    """Transposed convolutions in one to three dimensions whose outputs are
    padded, too."""
    for dims, group in itertools.product((1, 2, 3), (1, 3)):
        for channels, filters in ((1, 4), (5, 3), (16, 8), (4, 17)):
            size = [model.pick(3, 5, 8, 9) for _ in range(dims)]
            window = geometry(model, min(size), dims)
            more = [model.pick(0, max(stride, dilation) - 1)
                    for stride, dilation in zip(window["strides"],
                                                window["dilations"])]
            model.add("ConvTranspose", (model.pick(1, 2), channels * group,
                                        *size),
                      (channels * group, filters, *window["kernel_shape"]),
                      (filters * group,), group=group, output_padding=more,
                      **window)


def pools(model):
    for operator, channels in itertools.product(
            ("MaxPool", "AveragePool"), (1, 3, 8, 16, 17, 33, 64, 256)):
        for _ in range(3):
            size = model.pick(6, 7, 9, 13, 14, 17)
            model.add(operator, (model.pick(1, 2), channels, size, size + 1),
                      ceil_mode=model.pick(0, 1), **geometry(model, size, 2))


def lines_and_volumes(model):
    """Pools in one and three dimensions."""
    for operator, channels, dims in itertools.product(
            ("MaxPool", "AveragePool"), (1, 4, 8, 17, 33), (1, 1, 3)):
        size = [model.pick(5, 6, 7, 9, 13) for _ in range(dims)]
        options = {} if operator == "MaxPool" else {
            "count_include_pad": model.pick(0, 1)}
        model.add(operator, (model.pick(1, 2), channels, *size),
                  ceil_mode=model.pick(0, 1), **options,
                  **geometry(model, min(size), dims))


def borders(model):
    """Depthwise convolutions and pools whose windows may be larger than their
    maps, with and without constant filters and what follows."""
    for kernel, size in (((1, 1), (5, 6)), ((7, 7), (4, 3)), ((5, 2), (3, 9)),
                         ((3, 3), (1, 1)), ((2, 6), (8, 3)), ((13,), (9,)),
                         ((3, 5, 2), (2, 4, 3)), ((7, 7), (14, 15))):
        for channels in (3, 5, 8, 24):
            shape = (model.pick(1, 2), channels, *size)
            strides = [model.pick(1, 1, 2, 3) for _ in kernel]
            dilations = [model.pick(1, 1, 2) for _ in kernel]
            result = [(s + 2 * (k - 1) - (k - 1) * d - 1) // stride + 1
                      for s, k, d, stride in zip(size, kernel, dilations,
                                                 strides)]
            weights = (channels, 1, *kernel)
            model.add("Conv", shape, model.pick(weights, weights, list(weights)),
                      group=channels, strides=strides, dilations=dilations,
                      pads=[k - 1 for k in kernel * 2], then=model.pick(
                          (), [("Add", (*shape[:2], *result), {})],
                          [("Mul", (channels, *[1] * len(kernel)), {})]))
            options = {"strides": strides, "kernel_shape": kernel,
                       "pads": [k // 2 for k in kernel * 2],
                       "ceil_mode": model.pick(0, 1)}
            model.add("MaxPool", shape, **options)
            model.add("AveragePool", shape,
                      count_include_pad=model.pick(0, 1), **options)


def responses(model):
    """Windows over channels that hang over both ends, alone and before others."""
    for channels, size, beta in itertools.product(
            (1, 3, 4, 31, 33, 96), (1, 2, 5), (0.75, 0.6)):
        then = [("Add", (channels, 1, 1), {})] if size == 5 else []
        model.add("LRN", (model.pick(1, 2), channels, model.pick(1, 7), 5),
                  size=size, alpha=model.pick(1e-4, 1.5), beta=beta,
                  bias=model.pick(1.0, 2.0), then=then)
