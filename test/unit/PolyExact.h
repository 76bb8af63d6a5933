//===- PolyExact.h - what tiles need, point by point ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file finds the instances that tiles of given sizes need, as relations of
// tile numbers to points: what boxes are held against.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_POLYEXACT_H
#define TENON_TEST_UNIT_POLYEXACT_H

#include "lib/Poly/IslRelations.h"

namespace poly_exact {
using namespace tenon::poly;

/// From the number of a tile to what it has of a sink.
inline IslMap windowAt(IslContext &isl, const Scop &scop, const Group &group,
                       const Sink &sink) {
  const Statement &statement = scop.statements[sink.statement];
  IslBuilder builder(isl, 0, group.sizes.size(), statement.dims.size());
  for (size_t i = 0; i < statement.dims.size(); ++i) {
    builder.atLeast(builder.output(i), IslSum(0));
    builder.atLeast(IslSum(statement.dims[i].extent - 1), builder.output(i));
  }
  std::vector<TileDim> tiles = tilesOf(scop, group);
  for (size_t k = 0; k < sink.dims.size(); ++k) {
    IslSum tile = builder.input(k), size(group.sizes[k]);
    builder.atLeast(tile, IslSum(0));
    builder.atLeast(IslSum(tiles[k].count() - 1), tile);
    if (sink.dims[k] < 0)
      continue;
    IslSum x = builder.output(sink.dims[k]);
    builder.atLeast(x, tile * group.sizes[k]);
    builder.atLeast(tile * group.sizes[k] + size - IslSum(1), x);
  }
  return builder.build();
}

/// Relations of the statements of a group without host dimensions, and of the
/// tensors that these read.
struct Exact {
  Exact(IslContext &isl, const Scop &scop, const Group &group)
      : domains(group.statements.size()) {
    for (size_t i = domains.size(); i-- > 0;) {
      const Statement &statement = scop.statements[group.statements[i]];
      std::optional<IslMap> &domain = domains[i];
      for (const Sink &sink : group.sinks)
        if (sink.statement == group.statements[i])
          add(domain, windowAt(isl, scop, group, sink));
      IslMap write = relationOf(isl, scop, statement, statement.write);
      if (auto &need = reads[statement.write.tensor])
        add(domain, need->then(write.inverse()));
      if (domain)
        for (const Access &read : statement.reads)
          add(reads[read.tensor],
              domain->then(relationOf(isl, scop, statement, read)));
    }
  }

  static void add(std::optional<IslMap> &to, const IslMap &map) {
    to = to ? *to | map : map;
  }

  std::vector<std::optional<IslMap>> domains;
  std::map<unsigned, std::optional<IslMap>> reads;
};

} // namespace poly_exact

#endif // TENON_TEST_UNIT_POLYEXACT_H
