"""evaluate.py - what onnx's reference implementation gives for one node."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from onnx import helper
from onnx.reference import ReferenceEvaluator


def evaluate(operator, operands, opset=22, **attributes):
    """The first result; operands are arrays, or None."""
    names = [f"x{index}" if value is not None else ""
             for index, value in enumerate(operands)]
    feeds = {name: value for name, value in zip(names, operands) if name}
    node = helper.make_node(operator, names, ["y"], **attributes)
    graph = helper.make_graph([node], "one", [
        helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in feeds.items()],
        [helper.make_tensor_value_info("y", 1, None)])
    model = helper.make_model(graph, ir_version=10, opset_imports=[
        helper.make_opsetid("", opset)])
    return ReferenceEvaluator(model).run(None, feeds)[0]
