//===- Validate.cpp - whether groups are their program --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Count.h"
#include "lib/Poly/Execute.h"
#include "lib/Poly/Prove.h"
#include "lib/Poly/Shrink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::poly;

/// Of what is executed: more takes longer than a proof.
static constexpr int64_t mostInstances = 1 << 19;

/// Whether each group reads only what earlier ones, its own statements or
/// earlier steps write, and each statement is in one.
static llvm::Error checkOrder(const Scop &scop,
                              llvm::ArrayRef<Group> partition) {
  std::map<unsigned, std::vector<unsigned>> writers;
  for (auto [index, statement] : llvm::enumerate(scop.statements))
    writers[statement.write.tensor].push_back(index);
  std::vector<bool> done(scop.statements.size());
  for (const Group &group : partition) {
    if (llvm::Error error = check(scop, group))
      return error;
    std::vector<bool> there = done;
    for (unsigned index : group.statements)
      there[index] = true;
    for (unsigned index : group.statements)
      for (const Access &read : scop.statements[index].reads)
        for (unsigned writer : writers[read.tensor])
          if (!there[writer] &&
              !isCarried(scop.statements[writer], scop.statements[index], read))
            return llvm::createStringError(
                "statement '" + scop.statements[index].name +
                "' is in a group before that of '" +
                scop.statements[writer].name + "', which it reads");
    done = there;
  }
  auto missing = llvm::find(done, false);
  if (missing == done.end())
    return llvm::Error::success();
  return llvm::createStringError("statement '" +
                                 scop.statements[missing - done.begin()].name +
                                 "' is in no group");
}

static bool isSmall(const GroupProgram &program) {
  if (instancesOf(program.scop) > mostInstances)
    return false;
  Footprint footprint = footprintOf(program.scop, program.group);
  GroupCount count = countOf(program.scop, program.group, footprint);
  uint64_t elements = 0;
  for (const Tensor &tensor : program.scop.tensors) {
    uint64_t size = 1;
    for (int64_t extent : tensor.shape)
      size = llvm::SaturatingMultiply(size, uint64_t(extent));
    elements = llvm::SaturatingAdd(elements, size);
  }
  return count.total().all <= 4 * mostInstances &&
         elements <= uint64_t(mostInstances);
}

static llvm::Error validate(const GroupProgram &alone, ValidatedBy &by) {
  GroupProgram small = shrink(alone);
  if (isSmall(small) && !llvm::errorToBool(execute(small.scop)))
    return compare(small.scop, planOf(small.scop, small.group));
  by = ValidatedBy::Proof;
  Proof proof = prove(alone.scop, alone.group);
  if (proof.holds())
    return llvm::Error::success();
  return llvm::createStringError(proof.refusal);
}

llvm::Error poly::validate(const Scop &scop, llvm::ArrayRef<Group> partition,
                           ValidatedBy *by) {
  ValidatedBy least = ValidatedBy::Execution;
  if (llvm::Error error = check(scop))
    return error;
  if (llvm::Error error = checkOrder(scop, partition))
    return error;
  for (const Group &group : partition)
    if (llvm::Error error = ::validate(programOf(scop, group), least))
      return error;
  if (by)
    *by = least;
  return llvm::Error::success();
}
