//===- Group.cpp - statements that run tile by tile -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Group.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::poly;

unsigned poly::hostDimsOf(const Statement &statement) {
  return llvm::count_if(
      statement.dims, [](const Dim &dim) { return dim.kind == DimKind::Host; });
}

std::vector<TileDim> poly::tilesOf(const Scop &scop, const Group &group) {
  std::vector<TileDim> tiles;
  for (size_t k = 0; k < group.sizes.size(); ++k) {
    TileDim tile = {1, group.sizes[k]};
    for (const Sink &sink : group.sinks)
      if (sink.dims[k] >= 0)
        tile.extent =
            std::max(tile.extent,
                     scop.statements[sink.statement].dims[sink.dims[k]].extent);
    tiles.push_back(tile);
  }
  const Statement &any = scop.statements[group.statements.front()];
  for (unsigned host = 0; host < hostDimsOf(any); ++host)
    tiles.push_back({any.dims[host].extent, 1});
  return tiles;
}

//===-- Checking ----------------------------------------------------------===//

static std::string problemOfStatements(const Scop &scop, const Group &group) {
  std::vector<bool> seen(scop.statements.size());
  for (unsigned index : group.statements) {
    if (index >= scop.statements.size())
      return "has statement " + std::to_string(index) + ", which is none";
    if (seen[index])
      return "has statement " + std::to_string(index) + " twice";
    seen[index] = true;
    const Statement &first = scop.statements[group.statements.front()];
    const Statement &statement = scop.statements[index];
    if (hostDimsOf(statement) != hostDimsOf(first))
      return "has statements of different host dimensions";
    for (unsigned host = 0; host < hostDimsOf(first); ++host)
      if (statement.dims[host].extent != first.dims[host].extent)
        return "has statements of different host dimensions";
  }
  return "";
}

static std::string problemOf(const Scop &scop, const Group &group,
                             const Sink &sink) {
  if (!llvm::is_contained(group.statements, sink.statement))
    return "has a sink that is no statement of it";
  const Statement &statement = scop.statements[sink.statement];
  if (sink.dims.size() != group.sizes.size())
    return "has a sink with " + std::to_string(sink.dims.size()) +
           " tile dimensions";
  std::vector<bool> seen(statement.dims.size());
  for (int dim : sink.dims) {
    if (dim < 0)
      continue;
    if (size_t(dim) >= statement.dims.size() ||
        statement.dims[dim].kind != DimKind::Parallel)
      return "tiles dimension " + std::to_string(dim) + " of '" +
             statement.name + "', which is no parallel one";
    if (seen[dim])
      return "tiles dimension " + std::to_string(dim) + " of '" +
             statement.name + "' twice";
    seen[dim] = true;
  }
  return "";
}

static std::string problemOf(const Scop &scop, const Group &group) {
  if (group.statements.empty() || group.sinks.empty())
    return "is empty";
  std::string problem = problemOfStatements(scop, group);
  for (int64_t size : group.sizes)
    if (problem.empty() && size < 1)
      problem = "has tiles of " + std::to_string(size);
  for (const Sink &sink : group.sinks)
    if (problem.empty())
      problem = problemOf(scop, group, sink);
  if (!problem.empty())
    return problem;
  std::vector<TileDim> tiles = tilesOf(scop, group);
  for (size_t k = 0; k < group.sizes.size(); ++k)
    for (const Sink &sink : group.sinks)
      if (sink.dims[k] >= 0 &&
          scop.statements[sink.statement].dims[sink.dims[k]].extent !=
              tiles[k].extent)
        return "has sinks of different extents along tile dimension " +
               std::to_string(k);
  return "";
}

llvm::Error poly::check(const Scop &scop, const Group &group) {
  std::string problem = problemOf(scop, group);
  if (problem.empty())
    return llvm::Error::success();
  return llvm::createStringError("the group " + problem);
}
