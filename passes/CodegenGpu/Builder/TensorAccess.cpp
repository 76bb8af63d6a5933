//===- TensorAccess.cpp - what epilogues read and write -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Builder/TensorAccess.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::IndexedTensor;
using codegen::KernelBuilder;

Value TensorAccess::load(KernelBuilder &kernel, const IndexedTensor &tensor,
                         Value offset) const {
  Value from = kernel.at(kernel.buffer(tensor.buffer), offset, tensor.element);
  Type type = kernel.vectorType(tensor.element, lanes);
  if (lanes == 1 || stride != 1)
    return codegen::loadLanes(kernel, from, type, stride, lanes,
                              tensor.element);
  Value loaded = kernel.load(from, type, tensor.element);
  if (auto load = loaded.getDefiningOp<LLVM::LoadOp>())
    load.setAlignment(uint64_t(alignment));
  return loaded;
}

void TensorAccess::store(KernelBuilder &kernel, const IndexedTensor &tensor,
                         Value offset, Value value) const {
  Value to = kernel.at(kernel.buffer(tensor.buffer), offset, tensor.element);
  if (lanes == 1)
    return kernel.store(value, to, tensor.element);
  if (stride != 1)
    return codegen::storeLanes(kernel, value, to, stride, lanes,
                               tensor.element);
  kernel.store(value, to, tensor.element);
  OpBuilder &b = kernel.builder();
  auto store = cast<LLVM::StoreOp>(*std::prev(b.getInsertionPoint()));
  store.setAlignment(uint64_t(alignment));
}
