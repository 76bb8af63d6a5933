# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The image programs in Halide, without a schedule: that is for its
autoschedulers. Each gives (inputs, output)."""

try:
    import halide as hl
except ImportError:
    hl = None

BINOMIAL = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
SOBEL = [[-1 / 8, 0, 1 / 8], [-2 / 8, 0, 2 / 8], [-1 / 8, 0, 1 / 8]]
GRAY = [0.299, 0.587, 0.114]


def image(channels, size):
    """The input, and a function of it that is zero beyond its borders."""
    buffer = hl.ImageParam(hl.Float(32), 3, "input_0")
    buffer.set_estimates([(0, size), (0, size), (0, channels)])
    for axis, extent in enumerate((size, size, channels)):
        buffer.dim(axis).set_bounds(0, extent)
    return buffer, hl.BoundaryConditions.constant_exterior(
        buffer, hl.f32(0), [(0, size), (0, size), (0, channels)])


def define(name, body):
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    func = hl.Func(name)
    func[x, y, c] = body(x, y, c)
    return func


def total(terms):
    terms = list(terms)
    result = terms[0]
    for term in terms[1:]:
        result = result + term
    return result


def stencil(name, source, taps, stride=1):
    """The same taps for each channel."""
    middle = [len(taps) // 2, len(taps[0]) // 2]
    return define(name, lambda x, y, c: total(
        hl.f32(tap) * source[stride * x + j - middle[1],
                             stride * y + i - middle[0], c]
        for i, row in enumerate(taps) for j, tap in enumerate(row) if tap))


def output_of(func, channels, size):
    func.set_estimates([(0, size), (0, size), (0, channels)])
    return func


def unsharp(channels, size):
    buffer, source = image(channels, size)
    row = stencil("row", source, [BINOMIAL])
    blur = stencil("blur", row, [[tap] for tap in BINOMIAL])
    out = define("out", lambda x, y, c: source[x, y, c] + hl.f32(1.5) * (
        source[x, y, c] - blur[x, y, c]))
    return [buffer], output_of(out, channels, size)


def harris(channels, size):
    buffer, source = image(channels, size)
    if channels == 3:
        planes = source
        source = define("gray", lambda x, y, c: total(
            hl.f32(GRAY[k]) * planes[x, y, k] for k in range(3)))
    across = stencil("across", source, SOBEL)
    down = stencil("down", source, [list(column) for column in zip(*SOBEL)])

    def window(name, a, b):
        product = define(f"{name}_product",
                         lambda x, y, c: a[x, y, c] * b[x, y, c])
        return stencil(name, product, [[1.0] * 3] * 3)

    xx, yy = window("xx", across, across), window("yy", down, down)
    xy = window("xy", across, down)

    def corner(x, y, c):
        p, q, r = xx[x, y, c], yy[x, y, c], xy[x, y, c]
        return p * q - r * r - hl.f32(0.04) * ((p + q) * (p + q))

    return [buffer], output_of(define("out", corner), 1, size)


def doubled(name, source):
    """Twice as large, linear between the centres of pixels."""
    def row(x, y, c):
        near = source[x / 2, y, c]
        other = source[x / 2 + (x % 2) * 2 - 1, y, c]
        return hl.f32(0.75) * near + hl.f32(0.25) * other

    wide = define(f"{name}_wide", row)
    return define(name, lambda x, y, c: hl.f32(0.75) * wide[x, y / 2, c] +
                  hl.f32(0.25) * wide[x, y / 2 + (y % 2) * 2 - 1, c])


def pyramid(channels, size):
    buffer, source = image(channels, size)
    levels = [source]
    taps = [[a * b for b in BINOMIAL] for a in BINOMIAL]
    for i in range(3):
        levels.append(stencil(f"level_{i}", levels[-1], taps, 2))
    result = levels.pop()
    for i, level in reversed(list(enumerate(levels))):
        twice = doubled(f"twice_{i}", result)
        result = define(f"blend_{i}", lambda x, y, c, a=level, b=twice:
                        hl.f32(0.6) * a[x, y, c] + hl.f32(0.4) * b[x, y, c])
    return [buffer], output_of(result, channels, size)


def local_contrast(channels, size):
    buffer, source = image(channels, size)

    def average(name, func):
        row = define(f"{name}_row", lambda x, y, c: total(
            func[x + j - 3, y, c] for j in range(7)))
        return define(name, lambda x, y, c: hl.f32(1 / 49) * total(
            row[x, y + i - 3, c] for i in range(7)))

    mean = average("mean", source)
    square = average("square", define(
        "squared", lambda x, y, c: source[x, y, c] * source[x, y, c]))

    def normal(x, y, c):
        m = mean[x, y, c]
        variance = hl.max(square[x, y, c] - m * m, hl.f32(0))
        return (source[x, y, c] - m) / (hl.sqrt(variance) + hl.f32(0.01))

    return [buffer], output_of(define("out", normal), channels, size)
