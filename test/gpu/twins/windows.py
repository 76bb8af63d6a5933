# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of OPERATORS: windows, and what moves elements."""

from .operators import Unsupported, operator


def same_ends(node, rank):
    """The padding of each axis, where both of its ends have it, or None."""
    pads = node.attributes.get("pads", [0] * 2 * rank)
    return pads[:rank] if pads[:rank] == pads[rank:] else None


def padded(x, node, rank, value):
    """x with its own padding, last axis first as F.pad wants it."""
    pads = node.attributes["pads"]
    each = [end for axis in reversed(range(rank))
            for end in (pads[axis], pads[rank + axis])]
    return f"F.pad({x}, {each}, value={value})"


def numbers(values):
    """One number where all are equal."""
    values = list(values)
    return values[0] if len(set(values)) == 1 else tuple(values)


def check_padding(node):
    if node.attributes.get("auto_pad", b"NOTSET") not in (b"NOTSET", b"VALID"):
        raise Unsupported(node, "auto_pad")


@operator("Conv", "ConvTranspose")
def convolution(e, node):
    check_padding(node)
    x, weight, *bias = map(e.tensor, node.inputs)
    rank = len(e.shape(node.inputs[1])) - 2
    padding = same_ends(node, rank)
    name = f"conv{rank}d" if node.op == "Conv" else f"conv_transpose{rank}d"
    if node.op != "Conv" and (padding is None or any(
            node.attributes.get(key) for key in
            ("output_padding", "output_shape"))):
        raise Unsupported(node, "its result has a size of its own")
    if padding is None:
        x, padding = padded(x, node, rank, 0.0), [0] * rank
    words = [f"{key}={value}" for key, value, default in (
        ("stride", numbers(node.attributes.get("strides", [1])), 1),
        ("padding", numbers(padding), 0),
        ("dilation", numbers(node.attributes.get("dilations", [1])), 1),
        ("groups", node.attributes.get("group", 1), 1)) if value != default]
    return f"F.{name}({', '.join([x, weight, *bias, *words])})"


def ceil_sizes(e, node, rank):
    """What a pool without padding that rounds up gives."""
    sizes = e.shape(node.inputs[0])[2:]
    kernel = node.attributes["kernel_shape"]
    strides = node.attributes.get("strides", [1] * rank)
    return tuple(-((k - n) // s) + 1 for n, k, s in
                 zip(sizes, kernel, strides))


def pool_words(e, node):
    """(x, arguments) without those for one kind of pool. Padding at the far
    ends alone is what rounding up does: neither counts what lies there."""
    check_padding(node)
    rank = len(node.attributes["kernel_shape"])
    x, padding = e.operand(node.inputs[0]), same_ends(node, rank)
    up = bool(node.attributes.get("ceil_mode"))
    if padding is None:
        before = node.attributes["pads"][:rank]
        up, padding = True, before
        if any(before) or node.attributes.get("count_include_pad") or \
                ceil_sizes(e, node, rank) != e.shape(node.outputs[0])[2:]:
            raise Unsupported(node, "padding that differs at the two ends")
    stride = node.attributes.get("strides", [1] * rank)
    words = [str(numbers(node.attributes["kernel_shape"])),
             f"stride={numbers(stride)}"]
    if any(padding):
        words.append(f"padding={numbers(padding)}")
    return x, rank, words + ["ceil_mode=True"] * up


@operator("MaxPool")
def max_pool(e, node):
    x, rank, words = pool_words(e, node)
    dilation = numbers(node.attributes.get("dilations", [1]))
    if dilation != 1:
        words.append(f"dilation={dilation}")
    return f"F.max_pool{rank}d({x}, {', '.join(words)})"


def covers_all(e, node):
    """Whether one window of a pool has the whole map in it."""
    sizes = e.shape(node.inputs[0])[2:]
    return set(e.shape(node.outputs[0])[2:]) == {1} and all(
        k - before >= n for k, before, n in
        zip(node.attributes["kernel_shape"],
            node.attributes.get("pads", [0] * len(sizes)), sizes))


@operator("AveragePool")
def average_pool(e, node):
    if covers_all(e, node) and not node.attributes.get("count_include_pad"):
        return f"F.adaptive_avg_pool2d({e.operand(node.inputs[0])}, 1)"
    x, rank, words = pool_words(e, node)
    if not node.attributes.get("count_include_pad"):
        words.append("count_include_pad=False")
    return f"F.avg_pool{rank}d({x}, {', '.join(words)})"


@operator("GlobalMaxPool")
def global_max_pool(e, node):
    axes = tuple(range(2, len(e.shape(node.inputs[0]))))
    return f"{e.operand(node.inputs[0])}.amax({axes}, keepdim=True)"


@operator("LRN")
def local_response(e, node):
    get = node.attributes.get
    return f"F.local_response_norm({e.operand(node.inputs[0])}, " \
           f"{node.attributes['size']}, {get('alpha', 1e-4)!r}, " \
           f"{get('beta', 0.75)!r}, {get('bias', 1.0)!r})"


@operator("Resize")
def resize(e, node):
    shape, result = (e.shape(name) for name in
                     (node.inputs[0], node.outputs[0]))
    factors = [b // a for a, b in zip(shape, result)]
    modes = [node.attributes.get(key, default) for key, default in (
        ("mode", b"nearest"), ("nearest_mode", b"round_prefer_floor"),
        ("coordinate_transformation_mode", b"half_pixel"))]
    if modes != [b"nearest", b"floor", b"asymmetric"] or factors[:2] != [1, 1] \
            or any(b % a for a, b in zip(shape, result)):
        raise Unsupported(node, "a mode beside whole repetitions")
    return f"F.interpolate({e.operand(node.inputs[0])}, " \
           f"scale_factor={numbers(factors[2:])})"


@operator("Pad")
def pad(e, node):
    rank = len(e.shape(node.inputs[0]))
    if node.attributes.get("mode", b"constant") != b"constant" or \
            len(node.inputs) > 3 and node.inputs[3]:
        raise Unsupported(node, "a mode, or axes")
    ends = e.array(node, 1).tolist()
    each = [end for axis in reversed(range(rank))
            for end in (ends[axis], ends[rank + axis])]
    value = e.operand(node.inputs[2]) if len(node.inputs) > 2 else 0.0
    while each[-2:] == [0, 0]:
        del each[-2:]
    return f"F.pad({e.operand(node.inputs[0])}, {each}, value={value})"


@operator("Transpose")
def transpose(e, node):
    order = node.attributes.get("perm") or \
        list(reversed(range(len(e.shape(node.inputs[0])))))
    return f"{e.operand(node.inputs[0])}.permute({order})"


@operator("Expand")
def expand(e, node):
    return f"{e.operand(node.inputs[0])}.expand({e.shape(node.outputs[0])})"


@operator("Concat")
def concatenation(e, node):
    names = ", ".join(map(e.operand, node.inputs))
    return f"torch.cat([{names}], {node.attributes['axis']})"


@operator("Split")
def split(e, node):
    axis = node.attributes.get("axis", 0)
    sizes = [e.shape(name)[axis] for name in node.outputs]
    return f"{e.operand(node.inputs[0])}.split({sizes}, {axis})"


@operator("Slice")
def slice_of(e, node):
    begins, ends, *more = (e.array(node, i).tolist()
                           for i in range(1, len(node.inputs)))
    shape = e.shape(node.inputs[0])
    axes = more[0] if more else range(len(begins))
    steps = more[1] if len(more) > 1 else [1] * len(begins)
    if min(steps) < 1:
        raise Unsupported(node, "a step back")
    index = [":"] * len(shape)
    for axis, begin, end, step in zip(axes, begins, ends, steps):
        first, last, step = slice(begin, end, step).indices(shape[axis])
        index[axis] = f"{first}:{last}" + (f":{step}" if step > 1 else "")
    return f"{e.operand(node.inputs[0])}[{', '.join(index)}]"


@operator("Gather")
def gather(e, node):
    axis = node.attributes.get("axis", 0)
    data, places = node.inputs
    number = e.number(places)
    if number is not None and not e.constants[places].shape:
        return f"{e.operand(data)}.select({axis}, {int(number)})"
    if axis == 0 and len(e.shape(data)) == 2:
        return f"F.embedding({e.operand(places)}, {e.operand(data)})"
    raise Unsupported(node, "neither a table of rows nor one place")


def reduction(method):
    def make(e, node):
        axes = node.attributes.get("axes")
        if axes is None and len(node.inputs) > 1 and node.inputs[1]:
            axes = e.array(node, 1).tolist()
        keep = bool(node.attributes.get("keepdims", 1))
        axes = axes or list(range(len(e.shape(node.inputs[0]))))
        return f"{e.operand(node.inputs[0])}.{method}({axes}, keepdim={keep})"
    return make


for name, method in (("ReduceSum", "sum"), ("ReduceMean", "mean"),
                     ("ReduceMax", "amax")):
    operator(name)(reduction(method))
