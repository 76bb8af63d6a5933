//===- Shrink.cpp - a group alone, and smaller ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Shrink.h"

#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>

using namespace tenon;
using namespace tenon::poly;

//===-- Alone -------------------------------------------------------------===//

GroupProgram poly::programOf(const Scop &scop, const Group &group) {
  GroupProgram program = {{}, group};
  std::map<unsigned, unsigned> tensors;
  auto renamed = [&](Access &access) {
    auto [found, isNew] =
        tensors.try_emplace(access.tensor, program.scop.tensors.size());
    if (isNew)
      program.scop.tensors.push_back(scop.tensors[access.tensor]);
    access.tensor = found->second;
  };
  std::map<unsigned, unsigned> numbers;
  for (unsigned &index : program.group.statements) {
    Statement statement = scop.statements[index];
    renamed(statement.write);
    for (Access &read : statement.reads)
      renamed(read);
    numbers[index] = program.scop.statements.size();
    index = numbers[index];
    program.scop.statements.push_back(std::move(statement));
  }
  for (Sink &sink : program.group.sinks)
    sink.statement = numbers.at(sink.statement);
  for (auto [index, statement] : llvm::enumerate(scop.statements)) {
    if (numbers.count(index))
      continue;
    if (auto found = tensors.find(statement.write.tensor);
        found != tensors.end())
      program.scop.tensors[found->second].liveIn = true;
    for (const Access &read : statement.reads)
      if (auto found = tensors.find(read.tensor); found != tensors.end())
        program.scop.tensors[found->second].liveOut = true;
  }
  return program;
}

//===-- Extents that change together --------------------------------------===//

namespace {
/// An extent of a tensor or of a statement.
struct Extent {
  int64_t *value;
  bool isFixed = false;
  int tileDim = -1; ///< that of the tiles along it
  /// What it changes by where its component changes by 1.
  int64_t factor = 0;
  /// A multiple of the strides, divisors and moduli of indices along it.
  int64_t steps = 1;
  int64_t halo = 0; ///< how far the offsets of these reach
};

/// factorX * the change of extent x = factorY * that of extent y.
struct Relation {
  size_t x, y;
  int64_t factorX, factorY;
};

class Shrinker {
public:
  explicit Shrinker(const GroupProgram &original)
      : program(original), original(original) {}

  GroupProgram run() {
    collect();
    for (size_t i = 0; i < extents.size(); ++i)
      if (extents[i].factor == 0)
        shrinkComponent(componentOf(i));
    moveMirrored();
    return std::move(program);
  }

private:
  void collect();
  void fixParts();
  void relate(size_t statement, const Access &access);
  void relate(size_t statement, const Index &index, size_t tensorExtent);
  std::vector<size_t> componentOf(size_t first);
  void shrinkComponent(llvm::ArrayRef<size_t> members);
  bool shrinkTiles(llvm::ArrayRef<size_t> members, int64_t &size);
  bool shrinkBy(llvm::ArrayRef<size_t> members, int64_t amount);
  int64_t leastOf(const Extent &extent) const;
  int64_t tileOf(const Extent &extent) const;
  void moveMirrored();

  GroupProgram program;
  const GroupProgram &original;
  std::vector<Extent> extents;
  std::vector<std::vector<size_t>> ofTensor, ofStatement;
  std::vector<Relation> relations;
};
} // namespace

/// Large ones stand for all: no tile is as large.
static int64_t commonMultiple(int64_t x, int64_t y) {
  constexpr int64_t large = int64_t(1) << 20;
  return std::max(x, y) < large ? std::min(std::lcm(x, y), large) : large;
}

void Shrinker::collect() {
  Scop &scop = program.scop;
  auto add = [&](std::vector<size_t> &to, int64_t &value) {
    to.push_back(extents.size());
    extents.push_back({&value});
  };
  for (Tensor &tensor : scop.tensors) {
    ofTensor.emplace_back();
    for (int64_t &extent : tensor.shape)
      add(ofTensor.back(), extent);
  }
  for (Statement &statement : scop.statements) {
    ofStatement.emplace_back();
    for (Dim &dim : statement.dims)
      add(ofStatement.back(), dim.extent);
  }
  for (const Sink &sink : program.group.sinks)
    for (auto [k, dim] : llvm::enumerate(sink.dims))
      if (dim >= 0)
        extents[ofStatement[sink.statement][dim]].tileDim = int(k);
  fixParts();
  for (auto [number, statement] : llvm::enumerate(scop.statements)) {
    relate(number, statement.write);
    for (const Access &read : statement.reads)
      relate(number, read);
    // Loops have their steps in common.
    for (unsigned host = 0; host < hostDimsOf(statement); ++host)
      relations.push_back(
          {ofStatement[0][host], ofStatement[number][host], 1, 1});
  }
}

/// Parts of a tensor that lie behind each other stay where they are.
void Shrinker::fixParts() {
  std::map<std::pair<unsigned, size_t>, int64_t> offsets;
  for (const Statement &statement : program.scop.statements)
    for (auto [dim, index] : llvm::enumerate(statement.write.index)) {
      unsigned tensor = statement.write.tensor;
      auto [first, isNew] = offsets.try_emplace({tensor, dim}, index.offset);
      if (!isNew && first->second != index.offset)
        extents[ofTensor[tensor][dim]].isFixed = true;
    }
}

void Shrinker::relate(size_t statement, const Access &access) {
  for (auto [index, extent] :
       llvm::zip_equal(access.index, ofTensor[access.tensor]))
    if (!index.any)
      relate(statement, index, extent);
}

/// The dimension that reaches furthest changes with the tensor; the others are
/// windows or digits beside it, and stay.
void Shrinker::relate(size_t statement, const Index &index,
                      size_t tensorExtent) {
  llvm::ArrayRef<size_t> dims = ofStatement[statement];
  int64_t furthest = -1;
  size_t main = 0;
  for (auto [dim, factor] : llvm::enumerate(index.coefficients)) {
    int64_t reach = std::abs(factor) * (*extents[dims[dim]].value - 1);
    if (factor == 0 || reach <= furthest)
      continue;
    furthest = reach;
    main = dim;
  }
  for (auto [dim, factor] : llvm::enumerate(index.coefficients))
    if (factor != 0 && dim != main)
      extents[dims[dim]].isFixed = true;
  if (furthest < 0 || index.modulus != 0)
    extents[tensorExtent].isFixed = true;
  if (furthest < 0)
    return;
  int64_t factor = std::abs(index.coefficients[main]);
  Extent &along = extents[dims[main]];
  along.halo =
      std::max(along.halo, std::min<int64_t>(std::abs(index.offset), 8));
  for (int64_t step : {factor, index.divisor, index.modulus})
    if (step > 1)
      along.steps = commonMultiple(along.steps, step);
  if (index.modulus == 0)
    relations.push_back({tensorExtent, dims[main], index.divisor, factor});
}

/// Those that change with an extent, with their factors. If these contradict
/// each other, or one is fixed, all of them are.
std::vector<size_t> Shrinker::componentOf(size_t first) {
  std::vector<size_t> members = {first};
  std::map<size_t, std::pair<int64_t, int64_t>> ratios = {{first, {1, 1}}};
  bool isFixed = false;
  auto follow = [&](size_t from, size_t to, int64_t up, int64_t down) {
    auto [numerator, denominator] = ratios[from];
    numerator *= up;
    denominator *= down;
    int64_t common = std::gcd(numerator, denominator);
    std::pair<int64_t, int64_t> ratio = {numerator / common,
                                         denominator / common};
    auto [found, isNew] = ratios.try_emplace(to, ratio);
    if (isNew)
      members.push_back(to);
    isFixed |= found->second != ratio;
    isFixed |= std::max(ratio.first, ratio.second) > (1 << 20);
  };
  for (size_t i = 0; i < members.size() && !isFixed; ++i)
    for (const Relation &relation : relations) {
      if (relation.x == members[i])
        follow(relation.x, relation.y, relation.factorX, relation.factorY);
      if (relation.y == members[i])
        follow(relation.y, relation.x, relation.factorY, relation.factorX);
    }
  int64_t scale = 1;
  for (size_t member : members) {
    isFixed |= extents[member].isFixed || scale > (1 << 20);
    if (!isFixed)
      scale = std::lcm(scale, ratios[member].second);
  }
  for (size_t member : members) {
    extents[member].isFixed = isFixed;
    auto [numerator, denominator] = ratios[member];
    extents[member].factor = isFixed ? 1 : scale / denominator * numerator;
  }
  return members;
}

//===-- Smaller -----------------------------------------------------------===//

/// Of tiles that an extent has several of; else 0.
int64_t Shrinker::tileOf(const Extent &extent) const {
  if (extent.tileDim < 0)
    return 0;
  int64_t size = program.group.sizes[extent.tileDim];
  return size < *extent.value ? size : 0;
}

int64_t Shrinker::leastOf(const Extent &extent) const {
  int64_t least = 3 + extent.halo;
  if (int64_t tile = tileOf(extent))
    least = std::max(least, 2 * tile + *extent.value % tile);
  return std::min(least, *extent.value);
}

/// Whether all stay large enough, and tiles end where they did.
bool Shrinker::shrinkBy(llvm::ArrayRef<size_t> members, int64_t amount) {
  for (size_t member : members) {
    const Extent &extent = extents[member];
    int64_t change = extent.factor * amount, tile = tileOf(extent);
    if (*extent.value - change < leastOf(extent) ||
        (tile && change % tile != 0))
      return false;
  }
  for (size_t member : members)
    *extents[member].value -= extents[member].factor * amount;
  return true;
}

/// Two to four tiles of a size that strides divide as they did the old one, and
/// a remainder if there was one.
bool Shrinker::shrinkTiles(llvm::ArrayRef<size_t> members, int64_t &size) {
  auto tiled = llvm::find_if(
      members, [&](size_t member) { return tileOf(extents[member]) > 0; });
  const Extent &extent = extents[*tiled];
  int64_t steps = 1;
  for (size_t member : members)
    steps = commonMultiple(steps, extents[member].steps);
  int64_t old = size, rest = *extent.value % size % steps;
  if (*extent.value % old != 0 && rest == 0)
    rest = steps;
  for (int64_t smaller = old % steps; smaller < old; smaller += steps) {
    if (smaller < 4 || rest >= smaller)
      continue;
    for (int64_t tiles = 2; tiles <= 4; ++tiles) {
      int64_t change = *extent.value - tiles * smaller - rest;
      bool fits = change >= 0 && change % extent.factor == 0;
      size = INT64_MAX; // how many tiles there are changes
      if (fits && shrinkBy(members, change / extent.factor)) {
        size = smaller;
        return true;
      }
      size = old;
    }
  }
  return false;
}

void Shrinker::shrinkComponent(llvm::ArrayRef<size_t> members) {
  int64_t most = INT64_MAX, multiple = 1;
  std::map<int, int64_t> tileDims;
  for (size_t member : members) {
    const Extent &extent = extents[member];
    if (extent.isFixed)
      return;
    most = std::min(most, (*extent.value - leastOf(extent)) / extent.factor);
    if (int64_t tile = tileOf(extent)) {
      multiple = std::lcm(multiple, tile / std::gcd(tile, extent.factor));
      tileDims[extent.tileDim] = tile;
    }
  }
  bool areLarge = tileDims.size() == 1 && tileDims.begin()->second > 8;
  if (areLarge &&
      shrinkTiles(members, program.group.sizes[tileDims.begin()->first]))
    return;
  shrinkBy(members, most / multiple * multiple);
}

/// What is read from an end on is read from the new one on.
void Shrinker::moveMirrored() {
  for (auto [number, statement] : llvm::enumerate(program.scop.statements)) {
    const std::vector<Dim> &before = original.scop.statements[number].dims;
    auto move = [&, &dims = statement.dims](Access &access) {
      for (Index &index : access.index)
        for (auto [dim, factor] : llvm::enumerate(index.coefficients))
          if (factor < 0)
            index.offset += factor * (before[dim].extent - dims[dim].extent);
    };
    move(statement.write);
    for (Access &read : statement.reads)
      move(read);
  }
}

GroupProgram poly::shrink(const GroupProgram &program) {
  return Shrinker(program).run();
}
