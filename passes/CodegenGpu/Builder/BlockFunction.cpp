//===- BlockFunction.cpp - the function of a block of threads -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Builder/BlockFunction.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

static constexpr unsigned globalSpace = 1, sharedSpace = 3;
static constexpr int64_t mapBytes = 128, mapAlignment = 64;

/// A tensor map is passed by value.
static void describeMap(LLVM::LLVMFuncOp function, unsigned argument) {
  OpBuilder b(function.getContext());
  auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), mapBytes);
  function.setArgAttr(argument, "llvm.byval", TypeAttr::get(bytes));
  function.setArgAttr(argument, "llvm.align",
                      b.getI64IntegerAttr(mapAlignment));
  function.setArgAttr(argument, "nvvm.grid_constant", b.getUnitAttr());
}

BlockFunction::BlockFunction(ModuleOp module, Location loc, StringRef name,
                             unsigned numBuffers) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  MLIRContext *context = b.getContext();
  SmallVector<Type> types(numBuffers,
                          LLVM::LLVMPointerType::get(context, globalSpace));
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types);
  auto function = LLVM::LLVMFuncOp::create(b, loc, name, type);
  op = function;
  function->setAttr("nvvm.kernel", b.getUnitAttr());
  body = function.addEntryBlock(b);
  llvm::append_range(buffers, body->getArguments());
}

/// With other parameters.
static void setParameters(LLVM::LLVMFuncOp function, ArrayRef<Type> types) {
  Type result = function.getFunctionType().getReturnType();
  function.setFunctionType(LLVM::LLVMFunctionType::get(result, types));
}

void BlockFunction::addMaps(unsigned count) {
  auto function = cast<LLVM::LLVMFuncOp>(op.getOperation());
  auto pointer = LLVM::LLVMPointerType::get(op.getContext());
  for (unsigned i = 0; i < count; ++i)
    maps.push_back(body->insertArgument(i, pointer, op.getLoc()));
  setParameters(function, llvm::to_vector(body->getArgumentTypes()));
  for (unsigned i = 0; i < count; ++i)
    describeMap(function, i);
}

void BlockFunction::finish(kernel::DeviceAttr launch) {
  OpBuilder b = OpBuilder::atBlockEnd(body);
  LLVM::ReturnOp::create(b, op.getLoc(), ValueRange());
  if (!launch)
    return;
  auto threads = int32_t(launch.getThreads());
  auto cluster = int32_t(launch.getCluster());
  op->setAttr("nvvm.maxntid", b.getDenseI32ArrayAttr({threads}));
  if (together > 0)
    op->setAttr("nvvm.minctasm", b.getI32IntegerAttr(int32_t(together)));
  if (cluster > 1)
    op->setAttr("nvvm.cluster_dim", b.getDenseI32ArrayAttr({cluster, 1, 1}));
}

codegen::Value BlockFunction::addFirstTile() {
  auto function = cast<LLVM::LLVMFuncOp>(op.getOperation());
  Value first =
      body->addArgument(IntegerType::get(op.getContext(), 64), op.getLoc());
  setParameters(function, llvm::to_vector(body->getArgumentTypes()));
  return first;
}

codegen::Value BlockFunction::size(Attribute) {
  llvm_unreachable("kernels of blocks have fixed sizes");
}

LLVM::GlobalOp tenon::gpu::sharedArray(ModuleOp module) {
  StringRef name = "smem";
  if (auto known = module.lookupSymbol<LLVM::GlobalOp>(name))
    return known;
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), 0);
  constexpr unsigned alignment = 1024;
  return LLVM::GlobalOp::create(b, module.getLoc(), type, /*isConstant=*/false,
                                LLVM::Linkage::External, name, Attribute(),
                                alignment, sharedSpace, /*dsoLocal=*/true);
}
