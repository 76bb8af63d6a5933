//===- GroupPrices.h - the oracle of grouping -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_FUSE_GROUPPRICES_H
#define TENON_PASSES_FUSE_GROUPPRICES_H

#include "passes/Fuse/Atoms.h"
#include "passes/Fuse/Price.h"

#include <map>
#include <set>

namespace tenon::fuse {

/// Builds the kernel that a solver asks about, and prices it.
class GroupPrices : public fusion::Oracle {
public:
  GroupPrices(const Atoms &atoms, const codegen::Device &device)
      : atoms(atoms), device(device), pricer(device) {}

  std::optional<fusion::Cost> cost(const fusion::Group &group) override;
  /// What all members take to compute at least, and what comes in and leaves.
  std::optional<fusion::Cost> bound(const fusion::Group &group) override;
  bool mayShare(unsigned from, unsigned to) override;

  /// Of one that has a cost.
  const Price &of(const fusion::Group &group) const { return known.at(group); }
  /// Has no price from now on.
  void ban(const fusion::Group &group) {
    banned.insert(group);
    known.erase(group);
  }
  bool fits(int64_t scratch) const { return pricer.fits(scratch); }
  /// Why two groups are no kernel of their own, in words.
  std::string whyApart(unsigned from, unsigned to);

private:
  Time leastTime(kernel::GroupOp group);

  const Atoms &atoms;
  const codegen::Device &device;
  Pricer pricer;
  std::map<fusion::Group, Price> known;
  std::set<fusion::Group> banned;
  llvm::DenseMap<mlir::Operation *, Time> least;
};

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_GROUPPRICES_H
