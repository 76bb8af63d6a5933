//===- Verify.cpp - what the code generator for PTX can take --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's code generator for PTX ends the process where it meets a function of
// mathematics, a type or an instruction that devices do not have, and drops the
// order of atomic updates. So only what is known to work passes here.
//===----------------------------------------------------------------------===//
#include "lib/Target/Cuda/Machine.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace tenon;
using Describe = llvm::function_ref<std::string(llvm::StringRef)>;

/// Intrinsics of all targets that work for all types that kernels have, with a
/// space before and after each.
static constexpr llvm::StringLiteral portable =
    " "
    "fabs sqrt floor ceil trunc rint nearbyint round roundeven minnum "
    "maxnum minimum maximum minimumnum maximumnum copysign fma fmuladd "
    "ldexp powi is.fpclass fptosi.sat fptoui.sat ctpop ctlz cttz bswap "
    "bitreverse abs umin umax smin smax uadd.sat usub.sat sadd.sat "
    "ssub.sat fshl fshr scmp ucmp vector.reverse vector.insert "
    "vector.extract masked.load masked.store masked.gather "
    "masked.scatter masked.expandload masked.compressstore "
    "vector.interleave2 vector.deinterleave2 get.active.lane.mask "
    "stepvector memcpy memmove memset assume lifetime.start "
    "lifetime.end experimental.noalias.scope.decl ";

static bool isPortable(llvm::StringRef name) {
  return portable.contains((" " + name + " ").str()) ||
         name.starts_with("vector.reduce.");
}

/// What begins like this is there from Hopper on.
static bool needsHopper(llvm::StringRef name) {
  static constexpr llvm::StringLiteral parts[] = {
      "cp.async.bulk", "cluster",     "griddepcontrol", "mapa", "setmaxnreg",
      "wgmma",         "fence.proxy", "fence.mbarrier", "elect"};
  return llvm::any_of(
      parts, [&](llvm::StringRef part) { return name.contains(part); });
}

/// Whether the device has an intrinsic.
static bool isSupported(const llvm::IntrinsicInst &call,
                        const tile::GpuTarget &target) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (name.consume_front("llvm.nvvm."))
    return target.architecture >= 90 || !needsHopper(name);
  if (call.getIntrinsicID() == llvm::Intrinsic::exp2)
    return !call.getType()->getScalarType()->isDoubleTy();
  llvm::StringRef base = llvm::Intrinsic::getBaseName(call.getIntrinsicID());
  base.consume_front("llvm.");
  return isPortable(base);
}

/// What a call asks for that is not there; empty: it can be made.
static std::string problemOf(const llvm::CallBase &call,
                             const tile::GpuTarget &target) {
  if (call.isInlineAsm())
    return "";
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee)
    return "calls what a pointer says";
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
      intrinsic && isSupported(*intrinsic, target))
    return "";
  return ("calls " + callee->getName() + ", which " + target.name +
          " does not have")
      .str();
}

static bool isSupported(const llvm::Type *type) {
  if (const auto *vector = llvm::dyn_cast<llvm::VectorType>(type))
    return llvm::isa<llvm::FixedVectorType>(vector) &&
           isSupported(vector->getElementType());
  if (const auto *integer = llvm::dyn_cast<llvm::IntegerType>(type))
    return integer->getBitWidth() <= 128;
  return !type->isX86_FP80Ty() && !type->isFP128Ty() && !type->isPPC_FP128Ty();
}

/// Integers that conversions and atomic accesses know.
static bool isNarrow(const llvm::Type *type) {
  return type->getScalarSizeInBits() <= 64;
}

/// Conversions between floats and integers of 128 bits are functions of a
/// library.
static bool isConvertible(const llvm::Instruction &instruction) {
  if (!llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst, llvm::SIToFPInst,
                 llvm::UIToFPInst>(instruction))
    return true;
  return isNarrow(instruction.getType()) &&
         isNarrow(instruction.getOperand(0)->getType());
}

/// Whether the device has threads of the scope that an access is atomic for.
static bool isKnownScope(const llvm::Instruction &instruction) {
  std::optional<llvm::SyncScope::ID> scope =
      llvm::getAtomicSyncScopeID(&instruction);
  if (!scope || *scope == llvm::SyncScope::System ||
      *scope == llvm::SyncScope::SingleThread)
    return true;
  llvm::SmallVector<llvm::StringRef> names;
  instruction.getContext().getSyncScopeNames(names);
  static constexpr llvm::StringLiteral known[] = {"block", "cluster", "device"};
  return llvm::is_contained(known, names[*scope]);
}

/// What an atomic access asks for that is not there; empty: nothing.
static std::string problemOfAtomic(const llvm::Instruction &instruction) {
  if (!isKnownScope(instruction))
    return "has an atomic access of a scope that devices do not have";
  const llvm::Type *type = llvm::isa<llvm::StoreInst>(instruction)
                               ? instruction.getOperand(0)->getType()
                               : instruction.getType();
  if (!isNarrow(type))
    return "has an atomic access of more than 64 bits";
  const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction) ||
      (update && update->getOrdering() != llvm::AtomicOrdering::Monotonic))
    return "has an atomic update whose order would be lost";
  return "";
}

/// Data that an instruction reads and nothing defines; null: there are none. An
/// array in shared memory is what the launch brings.
static const llvm::GlobalVariable *
findUndefined(const llvm::Instruction &instruction) {
  constexpr unsigned sharedSpace = 3;
  for (const llvm::Value *operand : instruction.operands()) {
    const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(
        operand->stripInBoundsConstantOffsets());
    if (global && global->isDeclaration() &&
        global->getAddressSpace() != sharedSpace)
      return global;
  }
  return nullptr;
}

/// What an instruction asks for that is not there; empty: nothing.
static std::string problemOf(const llvm::Instruction &instruction,
                             const tile::GpuTarget &target) {
  auto isBad = [](const llvm::Use &use) {
    return !isSupported(use->getType());
  };
  if (!isSupported(instruction.getType()) || !isConvertible(instruction) ||
      llvm::any_of(instruction.operands(), isBad))
    return "has a type that devices do not have";
  if (const llvm::GlobalVariable *global = findUndefined(instruction))
    return ("reads " + global->getName() + ", which is nowhere").str();
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return problemOf(*call, target);
  return instruction.isAtomic() ? problemOfAtomic(instruction) : "";
}

llvm::Error cuda::checkSupported(const llvm::Module &module,
                                 const tile::GpuTarget &target,
                                 Describe describe) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      std::string problem = problemOf(instruction, target);
      if (!problem.empty())
        return llvm::createStringError(
            "%s %s", describe(function.getName()).c_str(), problem.c_str());
    }
  return llvm::Error::success();
}
