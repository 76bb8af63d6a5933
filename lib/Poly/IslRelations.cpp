//===- IslRelations.cpp - programs as isl's relations ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/IslRelations.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::poly;

//===-- Statements --------------------------------------------------------===//

static void addBounds(IslBuilder &builder, const IslSum &x, int64_t low,
                      int64_t end) {
  builder.atLeast(x, IslSum(low));
  builder.atLeast(IslSum(end - 1), x);
}

/// The element that an index names of the input.
static void addIndex(IslBuilder &builder, const Index &index,
                     const IslSum &element) {
  IslSum sum(index.offset);
  for (auto [dim, factor] : llvm::enumerate(index.coefficients))
    sum = sum + builder.input(dim) * factor;
  if (index.divisor > 1)
    sum = builder.quotient(sum, index.divisor);
  if (index.modulus > 0)
    sum = sum - builder.quotient(sum, index.modulus) * index.modulus;
  builder.equal(element, sum);
}

IslMap poly::relationOf(IslContext &isl, const Scop &scop,
                        const Statement &statement, const Access &access) {
  IslBuilder builder(isl, 0, statement.dims.size(), access.index.size());
  for (auto [number, dim] : llvm::enumerate(statement.dims))
    addBounds(builder, builder.input(number), 0, dim.extent);
  const Tensor &tensor = scop.tensors[access.tensor];
  for (auto [number, index] : llvm::enumerate(access.index)) {
    IslSum element = builder.output(number);
    addBounds(builder, element, 0, tensor.shape[number]);
    if (!index.any)
      addIndex(builder, index, element);
  }
  return builder.build();
}

IslMap poly::instancesOf(IslContext &isl, const Statement &statement,
                         size_t sizes) {
  IslBuilder builder(isl, sizes, 0, statement.dims.size());
  for (auto [number, dim] : llvm::enumerate(statement.dims))
    addBounds(builder, builder.output(number), 0, dim.extent);
  for (size_t k = 0; k < sizes; ++k)
    builder.atLeast(builder.parameter(k), IslSum(1));
  return builder.build();
}

IslMap poly::windowOf(IslContext &isl, const Scop &scop, const Group &group,
                      const Sink &sink) {
  const Statement &statement = scop.statements[sink.statement];
  unsigned sizes = group.sizes.size(), host = hostDimsOf(statement);
  IslBuilder builder(isl, sizes, sizes + host, statement.dims.size());
  for (auto [number, dim] : llvm::enumerate(statement.dims))
    addBounds(builder, builder.output(number), 0, dim.extent);
  for (auto [k, dim] : llvm::enumerate(sink.dims)) {
    IslSum size = builder.parameter(k), origin = builder.input(k);
    builder.atLeast(size, IslSum(1));
    if (dim < 0)
      continue;
    builder.atLeast(builder.output(dim), origin);
    builder.atLeast(origin + size - IslSum(1), builder.output(dim));
  }
  for (unsigned dim = 0; dim < host; ++dim)
    builder.equal(builder.output(dim), builder.input(sizes + dim));
  return builder.build();
}

//===-- Groups ------------------------------------------------------------===//

std::vector<std::optional<IslMap>>
poly::domainsOf(IslContext &isl, const Scop &scop, const Group &group) {
  std::vector<std::optional<IslMap>> domains(group.statements.size());
  std::map<unsigned, std::optional<IslMap>> needs;
  auto add = [](std::optional<IslMap> &to, const IslMap &map) {
    to = to ? *to | map : map;
  };
  for (size_t i = domains.size(); i-- > 0;) {
    isl.beginStep();
    const Statement &statement = scop.statements[group.statements[i]];
    for (const Sink &sink : group.sinks)
      if (sink.statement == group.statements[i])
        add(domains[i], windowOf(isl, scop, group, sink));
    auto need = needs.find(statement.write.tensor);
    if (need != needs.end())
      add(domains[i],
          need->second->then(
              relationOf(isl, scop, statement, statement.write).inverse()));
    if (!domains[i])
      continue;
    for (const Access &read : statement.reads)
      if (!isCarried(scop, group, statement, read))
        add(needs[read.tensor],
            domains[i]->then(relationOf(isl, scop, statement, read)));
  }
  return domains;
}

//===-- Boxes -------------------------------------------------------------===//

static void addSide(IslBuilder &builder, const BoxDim &side,
                    llvm::ArrayRef<TileDim> tiles, const IslSum &x) {
  int64_t size = side.tileDim < 0 ? 1 : tiles[side.tileDim].size;
  IslSum low(side.offset);
  if (side.tileDim >= 0)
    low = low + builder.input(side.tileDim) * (side.scale * size);
  IslSum high = low + IslSum(side.scale * (size - 1) + side.span - 1);
  if (side.divisor > 1) {
    low = builder.quotient(low, side.divisor);
    high = builder.quotient(high, side.divisor);
  }
  if (side.modulus > 0) {
    IslSum period = builder.quotient(low, side.modulus) * side.modulus;
    low = low - period;
    high = high - period;
  }
  builder.atLeast(x, low);
  builder.atLeast(high, x);
  addBounds(builder, x, side.least, side.bound);
  if (side.step > 1)
    builder.equal(x - low, builder.quotient(x - low, side.step) * side.step);
}

IslMap poly::relationOf(IslContext &isl, const Box &box,
                        llvm::ArrayRef<TileDim> tiles) {
  IslBuilder builder(isl, 0, tiles.size(), box.dims.size());
  for (auto [k, tile] : llvm::enumerate(tiles))
    addBounds(builder, builder.input(k), 0, tile.count());
  for (auto [number, side] : llvm::enumerate(box.dims))
    addSide(builder, side, tiles, builder.output(number));
  return builder.build();
}

//===-- Steps of host dimensions ------------------------------------------===//

/// Pairs that are in the same step of the first dimensions, and of the next one
/// at least `distance` steps apart.
static IslMap later(IslContext &isl, unsigned from, unsigned to, unsigned same,
                    int64_t distance, bool isReversed = false) {
  IslBuilder builder(isl, 0, from, to);
  for (unsigned dim = 0; dim < same; ++dim)
    builder.equal(builder.input(dim), builder.output(dim));
  IslSum first = builder.input(same), second = builder.output(same);
  if (isReversed)
    std::swap(first, second);
  builder.atLeast(first, second + IslSum(distance));
  return builder.build();
}

IslMap poly::notBefore(IslContext &isl, unsigned from, unsigned to,
                       unsigned host) {
  IslMap pairs = later(isl, from, to, host - 1, 0);
  for (unsigned dim = 0; dim + 1 < host; ++dim)
    pairs = pairs | later(isl, from, to, dim, 1);
  return pairs;
}

IslMap poly::apart(IslContext &isl, unsigned from, unsigned to, unsigned host) {
  IslMap pairs = later(isl, from, to, 0, 1) | later(isl, from, to, 0, 1, true);
  for (unsigned dim = 1; dim < host; ++dim)
    pairs = pairs | later(isl, from, to, dim, 1) |
            later(isl, from, to, dim, 1, true);
  return pairs;
}
