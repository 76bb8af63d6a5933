//===- Tensor.cpp - tensors by indices of any extents ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Points/Points.h"

#include "dialects/Kernel/Buffers.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

PointTensor PointTensor::of(KernelBuilder &b, unsigned buffer,
                            memory::BufferType type) {
  Type element = type.getElementType();
  Value start = b.at(b.buffer(buffer), kernel::offsetOf(type), element);
  return {start, graph::sizesOf(type.getTensor()), kernel::stridesOf(type),
          element};
}

Value PointTensor::address(KernelBuilder &b, ValueRange index) const {
  Value offset = b.index(0);
  for (auto [at, stride] : llvm::zip_equal(index, strides))
    offset = b.add(offset, b.mul(at, stride));
  return b.at(start, offset, element);
}

Value PointTensor::load(KernelBuilder &b, ValueRange index) const {
  return b.load(address(b, index), b.registerType(element), element);
}

Type PointAnchor::sumType() const {
  Type element = operands.front().element;
  return isa<FloatType>(element) ? Type(b.builder().getF64Type()) : element;
}

Value PointAnchor::load(unsigned operand, ValueRange index) const {
  const PointTensor &tensor = operands[operand];
  return emitCast(b, tensor.load(b, index), tensor.element, sumType());
}

Values codegen::overBox(
    KernelBuilder &b, ArrayRef<Size> extents, Values initial,
    function_ref<Values(ValueRange index, ValueRange carried)> body) {
  Values index;
  auto nest = [&](auto &self, Values carried) -> Values {
    if (index.size() == extents.size())
      return body(index, carried);
    Value end = b.index(extents[index.size()]);
    return b.loop(b.index(0), end, 1, carried, [&](Value i, ValueRange inner) {
      index.push_back(i);
      Values next = self(self, Values(inner));
      index.pop_back();
      return next;
    });
  };
  return nest(nest, std::move(initial));
}
