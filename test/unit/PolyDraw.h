//===- PolyDraw.h - random programs to fuse ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file draws programs of a few statements, and tiles for them: strides,
// offsets, windows, digits, indices that data decide, tensors in parts.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_POLYDRAW_H
#define TENON_TEST_UNIT_POLYDRAW_H

#include "PolyPrograms.h"
#include <random>

namespace poly_draw {
using namespace poly_programs;

/// Programs of a few statements that read what earlier ones wrote in all ways.
class Draw {
public:
  explicit Draw(unsigned seed) : random(seed) {}

  Program program() {
    Program p;
    std::vector<unsigned> tensors;
    for (unsigned count = 1 + below(3); count > 0; --count)
      tensors.push_back(addTensor(p, tensors));
    return p.finish();
  }

  Group group(const Program &p) {
    Group group = p.whole({});
    const Statement &sink = p.statements.back();
    for (size_t dim = 0; dim < sink.dims.size(); ++dim)
      if (sink.dims[dim].kind == DimKind::Parallel && below(4) != 0) {
        group.sinks[0].dims.push_back(int(dim));
        group.sizes.push_back(1 + below(sink.dims[dim].extent));
      }
    return group;
  }

private:
  int64_t below(int64_t end) { return int64_t(random() % uint64_t(end)); }
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }

  Index index(size_t dims) {
    Index index = d(below(dims), between(1, 3)) + at(between(-4, 4));
    if (below(3) == 0)
      index = index + d(below(dims), between(-1, 2));
    if (below(4) == 0)
      index = index / between(2, 4);
    if (below(6) == 0)
      index = index % between(2, 8);
    index.any = below(16) == 0;
    return index;
  }

  Access read(const Program &p, unsigned tensor, size_t dims) {
    Access access = {tensor, {}, true, true};
    const std::vector<int64_t> &shape = p.tensors[tensor].shape;
    for (size_t i = 0; i < shape.size(); ++i)
      access.index.push_back(index(dims));
    if (shape.size() == 2 && below(3) == 0) {
      Index number = d(below(dims)) + at(below(3) == 0 ? between(-4, 4) : 0);
      access.index = {number / shape[1], number % shape[1]};
    }
    return access;
  }

  /// Of one statement, or of two that write parts of it.
  unsigned addTensor(Program &p, const std::vector<unsigned> &before) {
    std::vector<int64_t> shape;
    for (int64_t rank = between(1, 2); rank > 0; --rank)
      shape.push_back(between(4, 20));
    unsigned tensor = p.tensor(shape);
    bool isCut = below(3) == 0;
    int64_t first = isCut ? between(1, shape[0] - 1) : shape[0];
    addStatement(p, before, tensor, first, 0);
    if (isCut)
      addStatement(p, before, tensor, shape[0] - first, first);
    return tensor;
  }

  void addStatement(Program &p, const std::vector<unsigned> &before,
                    unsigned tensor, int64_t extent, int64_t offset) {
    Statement statement;
    statement.name = "f";
    statement.write.tensor = tensor;
    for (int64_t size : p.tensors[tensor].shape) {
      statement.write.index.push_back(d(statement.dims.size()));
      statement.dims.push_back({size});
    }
    statement.dims[0].extent = extent;
    statement.write.index[0].offset = offset;
    if (offset == 0 && extent > 4 && below(6) == 0) {
      statement.dims[0].extent = (extent + 1) / 2;
      statement.write.index[0].coefficients[0] = 2;
    }
    if (below(2) == 0)
      statement.dims.push_back(sum(between(1, 4)));
    for (int64_t reads = before.empty() ? 0 : between(1, 2); reads > 0; --reads)
      statement.reads.push_back(
          read(p, before[below(before.size())], statement.dims.size()));
    p.add(statement);
  }

  std::mt19937 random;
};

} // namespace poly_draw

#endif // TENON_TEST_UNIT_POLYDRAW_H
