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

static void describe(LLVM::LLVMFuncOp function, BlockShape shape) {
  OpBuilder b(function.getContext());
  function->setAttr("nvvm.kernel", b.getUnitAttr());
  auto threads = int32_t(shape.threads), cluster = int32_t(shape.cluster);
  function->setAttr("nvvm.maxntid", b.getDenseI32ArrayAttr({threads}));
  if (shape.together > 0)
    function->setAttr("nvvm.minctasm",
                      b.getI32IntegerAttr(int32_t(shape.together)));
  if (cluster > 1)
    function->setAttr("nvvm.cluster_dim",
                      b.getDenseI32ArrayAttr({cluster, 1, 1}));
}

BlockFunction::BlockFunction(ModuleOp module, Location loc, StringRef name,
                             unsigned numMaps, unsigned numBuffers,
                             BlockShape shape) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  MLIRContext *context = b.getContext();
  SmallVector<Type> types(numMaps, LLVM::LLVMPointerType::get(context));
  types.append(numBuffers, LLVM::LLVMPointerType::get(context, globalSpace));
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types);
  auto function = LLVM::LLVMFuncOp::create(b, loc, name, type);
  op = function;
  describe(function, shape);
  for (unsigned i = 0; i < numMaps; ++i)
    describeMap(function, i);
  body = function.addEntryBlock(b);
  llvm::append_range(maps, body->getArguments().take_front(numMaps));
  llvm::append_range(buffers, body->getArguments().drop_front(numMaps));
}

void BlockFunction::finish() {
  OpBuilder b = OpBuilder::atBlockEnd(body);
  LLVM::ReturnOp::create(b, op.getLoc(), ValueRange());
}

codegen::Value BlockFunction::addFirstTile() {
  auto function = cast<LLVM::LLVMFuncOp>(op.getOperation());
  LLVM::LLVMFunctionType old = function.getFunctionType();
  SmallVector<Type> types(old.getParams());
  types.push_back(IntegerType::get(op.getContext(), 64));
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(old.getReturnType(), types));
  return body->addArgument(types.back(), op.getLoc());
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
