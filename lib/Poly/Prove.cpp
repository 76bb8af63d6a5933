//===- Prove.cpp - that a group computes what it should -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Prove.h"

#include "lib/Poly/IslRelations.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::poly;

namespace {
class Prover {
public:
  Prover(const Scop &scop, const Group &group, const ProofOptions &options)
      : scop(scop), group(group), isl(options.operationsPerStatement),
        domains(group.statements.size()) {
    for (size_t i = 0; i < domains.size(); ++i)
      writers[statement(i).write.tensor].push_back(i);
  }

  Proof forAllSizes() {
    sizes = group.sizes.size();
    domains = domainsOf(isl, scop, group);
    checkAll();
    proof.separable.resize(domains.size());
    for (size_t i = 0; i < domains.size() && proof.holds(); ++i)
      if (domains[i]) {
        isl.beginStep();
        IslMap product = domains[i]->productOfSides();
        proof.separable[i] = isTrue(product.isSubsetOf(*domains[i]));
      }
    return std::move(proof);
  }

  Proof forBoxes(const Footprint &footprint) {
    for (auto [i, box] : llvm::enumerate(footprint.domains))
      if (box) {
        isl.beginStep();
        domains[i] = relationOf(isl, *box, footprint.tiles)
                         .within(instancesOf(isl, statement(i), 0));
      }
    checkAll();
    return std::move(proof);
  }

private:
  const Statement &statement(size_t position) const {
    return scop.statements[group.statements[position]];
  }
  std::string nameOf(size_t position) const {
    return "statement " + std::to_string(group.statements[position]) + " '" +
           statement(position).name + "'";
  }
  IslMap read(size_t position, const Access &access) {
    return relationOf(isl, scop, statement(position), access);
  }
  IslMap write(size_t position) {
    return read(position, statement(position).write);
  }

  void refuse(const std::string &reason) {
    if (proof.holds())
      proof.refusal = reason;
  }
  /// What could not be decided does not hold.
  bool isTrue(std::optional<bool> answer) {
    if (std::string error = isl.takeError(); !error.empty())
      refuse(error);
    return answer.value_or(false);
  }

  void checkAll();
  void checkAcyclic();
  void checkCover(size_t position, const Access &access);
  void checkSteps(size_t position, const Access &access);
  void checkOutput(size_t position);
  bool isCarriedHere(size_t position, const Access &access) const {
    return isCarried(scop, group, statement(position), access);
  }
  bool isReadElsewhere(unsigned tensor) const;

  const Scop &scop;
  const Group &group;
  Proof proof;
  IslContext isl;
  size_t sizes = 0; ///< parameters
  /// From tiles to the instances that run.
  std::vector<std::optional<IslMap>> domains;
  std::map<unsigned, std::vector<size_t>> writers; ///< of tensors: positions
};
} // namespace

//===-- Obligations -------------------------------------------------------===//

void Prover::checkAll() {
  isTrue(true);
  checkAcyclic();
  for (size_t i = 0; i < domains.size() && proof.holds(); ++i) {
    isl.beginStep();
    for (const Access &access : statement(i).reads) {
      checkSteps(i, access);
      if (domains[i] && proof.holds() && !isCarriedHere(i, access))
        checkCover(i, access);
    }
    checkOutput(i);
  }
}

void Prover::checkAcyclic() {
  std::vector<bool> inside(scop.statements.size());
  for (unsigned index : group.statements)
    inside[index] = true;
  // Tensors that need the group, but are not its own.
  std::map<unsigned, unsigned> own, after;
  for (auto [index, statement] : llvm::enumerate(scop.statements)) {
    for (const Access &access : statement.reads) {
      auto made = after.find(access.tensor);
      if (made != after.end() && inside[index])
        return refuse("cyclic: statement " + std::to_string(made->second) +
                      " '" + scop.statements[made->second].name +
                      "' must run between statements of the group");
      if (!inside[index] && (made != after.end() || own.count(access.tensor)))
        after[statement.write.tensor] = unsigned(index);
    }
    if (inside[index])
      own[statement.write.tensor] = unsigned(index);
  }
}

void Prover::checkCover(size_t position, const Access &access) {
  IslMap needed = domains[position]->then(read(position, access));
  std::optional<IslMap> all, written;
  auto add = [](std::optional<IslMap> &to, const IslMap &map) {
    to = to ? *to | map : map;
  };
  for (size_t writer : writers[access.tensor]) {
    IslMap elements = write(writer);
    add(all, elements.outputs());
    if (writer < position && domains[writer])
      add(written, domains[writer]->then(elements));
  }
  if (!all)
    return;
  // The rest of the tensor is there before the group runs.
  needed = needed.within(*all);
  if (written ? isTrue(needed.isSubsetOf(*written)) : isTrue(needed.isEmpty()))
    return;
  refuse("not covered: " + nameOf(position) + " reads elements of tensor " +
         std::to_string(access.tensor) +
         " that the tile has not written before");
}

void Prover::checkSteps(size_t position, const Access &access) {
  unsigned host = hostDimsOf(statement(position));
  if (host == 0)
    return;
  bool carried = isCarriedHere(position, access);
  for (size_t writer : writers[access.tensor]) {
    unsigned dims = statement(writer).dims.size();
    unsigned others = statement(position).dims.size();
    IslMap pairs = write(writer).then(read(position, access).inverse());
    IslMap wrong = carried ? notBefore(isl, dims, others, host)
                           : apart(isl, dims, others, host);
    if (!isTrue((pairs & wrong).isEmpty()))
      refuse("steps: " + nameOf(position) + " reads elements of tensor " +
             std::to_string(access.tensor) + " of the same step and of others");
  }
}

/// By statements outside of the group, by the program's user, or by later steps
/// of the group.
bool Prover::isReadElsewhere(unsigned tensor) const {
  if (scop.tensors[tensor].liveOut)
    return true;
  for (auto [index, reader] : llvm::enumerate(scop.statements))
    for (const Access &access : reader.reads)
      if (access.tensor == tensor) {
        auto inside = llvm::find(group.statements, unsigned(index));
        if (inside == group.statements.end() ||
            isCarriedHere(inside - group.statements.begin(), access))
          return true;
      }
  return false;
}

void Prover::checkOutput(size_t position) {
  if (!proof.holds() || !isReadElsewhere(statement(position).write.tensor))
    return;
  IslMap all = instancesOf(isl, statement(position), sizes);
  if (domains[position] && isTrue(all.isSubsetOf(domains[position]->outputs())))
    return;
  refuse("output not covered: tiles do not run all of " + nameOf(position));
}

Proof poly::prove(const Scop &scop, const Group &group,
                  const ProofOptions &options) {
  return Prover(scop, group, options).forAllSizes();
}

Proof poly::prove(const Scop &scop, const Group &group,
                  const Footprint &footprint, const ProofOptions &options) {
  return Prover(scop, group, options).forBoxes(footprint);
}
