//===- Machine.cpp - statements on hashes ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Machine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::poly;

/// What is read outside of a tensor.
static constexpr uint64_t outside = 0x5bd1e995;

static uint64_t mix(uint64_t hash, uint64_t with) {
  hash = (hash ^ with) + 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

static uint64_t hashOf(const std::string &name) {
  uint64_t hash = name.size();
  for (unsigned char letter : name)
    hash = mix(hash, letter);
  return hash;
}

static int64_t sizeOf(const Tensor &tensor) {
  int64_t size = 1;
  for (int64_t extent : tensor.shape)
    size *= extent;
  return size;
}

Machine::Machine(const Scop &scop) : program(scop) {
  for (auto [number, tensor] : llvm::enumerate(scop.tensors)) {
    memory.emplace_back(sizeOf(tensor));
    if (tensor.liveIn)
      for (auto [place, element] : llvm::enumerate(memory.back()))
        element = {mix(mix(7, number), place), 0, Element::LiveIn};
  }
}

void Machine::fail(const Statement &statement, const std::string &what) {
  if (firstProblem.empty())
    firstProblem = "statement '" + statement.name + "' " + what;
}

/// By who writes it: tensors have no names.
std::string Machine::nameOf(unsigned tensor, int64_t place) const {
  std::string name = "element " + std::to_string(place) + " of ";
  for (const Statement &statement : program.statements)
    if (statement.write.tensor == tensor)
      return name + "what '" + statement.name + "' writes";
  return name + "tensor " + std::to_string(tensor);
}

//===-- Elements ----------------------------------------------------------===//

static int64_t indexAt(const Index &index, llvm::ArrayRef<int64_t> point) {
  int64_t sum = index.offset;
  for (auto [factor, at] : llvm::zip(index.coefficients, point))
    sum += factor * at;
  sum = llvm::divideFloorSigned(sum, index.divisor);
  if (index.modulus != 0)
    sum -= index.modulus * llvm::divideFloorSigned(sum, index.modulus);
  return sum;
}

uint64_t Machine::read(const Statement &statement, unsigned tensor,
                       int64_t place, Tile *tile) {
  if (tile) {
    auto store = tile->store.find(tensor);
    if (store != tile->store.end())
      if (auto own = store->second.find(place); own != store->second.end())
        return own->second;
  }
  const Element &element = memory[tensor][place];
  if (element.state == Element::Missing)
    fail(statement, "reads " + nameOf(tensor, place) + ", which is not there");
  if (tile && element.state == Element::Written &&
      element.launch == tile->launch)
    fail(statement,
         "reads " + nameOf(tensor, place) + ", which another tile writes");
  return element.value;
}

/// From dimension `dim` of an access on; before it, `place` is the element.
/// Any index of a dimension: all of them.
uint64_t Machine::readAll(const Statement &statement, const Access &access,
                          const Point &point, size_t dim, int64_t place,
                          Tile *tile) {
  if (dim == access.index.size())
    return read(statement, access.tensor, place, tile);
  int64_t extent = program.tensors[access.tensor].shape[dim];
  const Index &index = access.index[dim];
  if (index.any) {
    uint64_t sum = 0;
    for (int64_t at = 0; at < extent; ++at)
      sum += mix(
          readAll(statement, access, point, dim + 1, place * extent + at, tile),
          at);
    return sum;
  }
  int64_t at = indexAt(index, point);
  if (at < 0 || at >= extent) {
    if (!access.leaves)
      fail(statement, "leaves tensor " + std::to_string(access.tensor));
    return outside;
  }
  return readAll(statement, access, point, dim + 1, place * extent + at, tile);
}

void Machine::write(const Statement &statement, const Point &point,
                    uint64_t value, Tile *tile) {
  unsigned tensor = statement.write.tensor;
  int64_t place = 0;
  for (auto [index, extent] :
       llvm::zip_equal(statement.write.index, program.tensors[tensor].shape)) {
    int64_t at = indexAt(index, point);
    if (at < 0 || at >= extent)
      return fail(statement, "leaves tensor " + std::to_string(tensor));
    place = place * extent + at;
  }
  if (tile) {
    auto [own, isNew] = tile->store[tensor].try_emplace(place, value);
    if (!isNew && own->second != value)
      return fail(statement, "changes " + nameOf(tensor, place));
    if (!tile->outputs[tensor])
      return;
  }
  Element &element = memory[tensor][place];
  if (element.state == Element::Written && element.value != value)
    return fail(statement, "changes " + nameOf(tensor, place));
  if (element.state != Element::Written)
    element = {value, tile ? tile->launch : 0, Element::Written};
}

//===-- Instances ---------------------------------------------------------===//

uint64_t Machine::termOf(const Statement &statement, const Point &point,
                         Tile *tile) {
  auto operand = [&](const Access &access) {
    return readAll(statement, access, point, 0, 0, tile);
  };
  if (statement.name.empty() && statement.reads.size() == 1)
    return operand(statement.reads.front());
  uint64_t hash = hashOf(statement.name);
  for (const Access &access : statement.reads)
    hash = mix(hash, operand(access));
  return hash;
}

/// The sum over reduced dimensions from `dim` on.
uint64_t Machine::valueOf(const Statement &statement, Point &point,
                          llvm::ArrayRef<Range> ranges, size_t dim,
                          Tile *tile) {
  while (dim < ranges.size() && statement.dims[dim].kind != DimKind::Reduction)
    ++dim;
  if (dim == ranges.size())
    return termOf(statement, point, tile);
  uint64_t sum = 0;
  for (int64_t at = ranges[dim].low; at <= ranges[dim].high;
       at += ranges[dim].step) {
    point[dim] = at;
    sum += valueOf(statement, point, ranges, dim + 1, tile);
  }
  return sum;
}

void Machine::runFrom(const Statement &statement, Point &point,
                      llvm::ArrayRef<Range> ranges, size_t dim, Tile *tile) {
  while (dim < ranges.size() && statement.dims[dim].kind == DimKind::Reduction)
    ++dim;
  if (dim == ranges.size()) {
    uint64_t value = valueOf(statement, point, ranges, 0, tile);
    write(statement, point, value, tile);
    return;
  }
  for (int64_t at = ranges[dim].low;
       at <= ranges[dim].high && firstProblem.empty(); at += ranges[dim].step) {
    point[dim] = at;
    runFrom(statement, point, ranges, dim + 1, tile);
  }
}

void Machine::run(unsigned statement, llvm::ArrayRef<Range> ranges,
                  Tile *tile) {
  Point point(ranges.size());
  runFrom(program.statements[statement], point, ranges, 0, tile);
}

std::string Machine::differenceFrom(const Machine &other) const {
  for (auto [number, tensor] : llvm::enumerate(program.tensors)) {
    if (!tensor.liveOut)
      continue;
    for (size_t place = 0; place < memory[number].size(); ++place) {
      const Element &mine = memory[number][place];
      const Element &theirs = other.memory[number][place];
      if (mine.state != theirs.state)
        return nameOf(number, place) + " is not written";
      if (mine.value != theirs.value)
        return nameOf(number, place) + " is something else";
    }
  }
  return "";
}
