//===- PolyPrograms.h - programs to fuse ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds small programs as statements and accesses: convolutions in a
// chain, a bottleneck, normalisations, a transformer's layer, views, a
// recurrence. Their last statement is the sink; all fit one group.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_POLYPROGRAMS_H
#define TENON_TEST_UNIT_POLYPROGRAMS_H

#include "lib/Poly/Group.h"
#include <map>

namespace poly_programs {
using namespace tenon::poly;

/// Dimension `number` of the domain, `factor` times.
inline Index d(unsigned number, int64_t factor = 1) {
  Index index;
  index.coefficients.assign(number + 1, 0);
  index.coefficients[number] = factor;
  return index;
}
inline Index at(int64_t number) {
  Index index;
  index.offset = number;
  return index;
}
inline Index operator+(Index x, const Index &y) {
  x.coefficients.resize(std::max(x.coefficients.size(), y.coefficients.size()));
  for (size_t i = 0; i < y.coefficients.size(); ++i)
    x.coefficients[i] += y.coefficients[i];
  x.offset += y.offset;
  return x;
}
inline Index operator+(Index x, int64_t offset) {
  x.offset += offset;
  return x;
}
inline Index operator-(Index x, int64_t offset) { return x + -offset; }
inline Index operator/(Index x, int64_t divisor) {
  x.divisor *= divisor;
  return x;
}
inline Index operator%(Index x, int64_t modulus) {
  x.modulus = modulus;
  return x;
}
inline Dim sum(int64_t extent) { return {extent, DimKind::Reduction}; }
inline Dim host(int64_t extent) { return {extent, DimKind::Host}; }

struct Program : Scop {
  using Shape = std::vector<int64_t>;
  std::map<std::string, unsigned> named; ///< statements

  unsigned tensor(Shape shape, bool liveIn = false) {
    tensors.push_back({shape, 4, liveIn, false});
    return unsigned(tensors.size() - 1);
  }
  unsigned input(Shape shape) { return tensor(shape, true); }

  /// A statement that writes a tensor of its own, of its parallel dimensions.
  /// Returns the tensor.
  unsigned op(const std::string &name, std::vector<Dim> dims,
              std::vector<Access> reads) {
    Statement statement;
    Shape shape;
    for (auto [number, dim] : llvm::enumerate(dims))
      if (dim.kind != DimKind::Reduction) {
        statement.write.index.push_back(d(number));
        shape.push_back(dim.extent);
      }
    statement.write.tensor = tensor(shape);
    statement.name = name;
    statement.dims = std::move(dims);
    statement.reads = std::move(reads);
    return add(statement);
  }
  unsigned add(Statement statement) {
    named[statement.name] = unsigned(statements.size());
    statements.push_back(statement);
    return statement.write.tensor;
  }
  /// Element by element of tensors of one shape.
  unsigned pointwise(const std::string &name, std::vector<unsigned> operands) {
    std::vector<Dim> dims;
    std::vector<Access> reads;
    for (int64_t extent : tensors[operands.front()].shape)
      dims.push_back({extent});
    for (unsigned operand : operands)
      reads.push_back(all(operand));
    return op(name, dims, reads);
  }
  /// A tensor at the first dimensions.
  Access all(unsigned of) const {
    Access access = {of};
    for (size_t dim = 0; dim < tensors[of].shape.size(); ++dim)
      access.index.push_back(d(dim));
    return access;
  }
  /// y[k, i, j] = sum over c, r, s of x[c, i * stride + r - pad, ...] * w.
  unsigned conv(const std::string &name, unsigned x, int64_t outputs,
                int64_t window, int64_t stride = 1) {
    Shape in = tensors[x].shape;
    int64_t pad = window / 2;
    int64_t height = (in[1] + 2 * pad - window) / stride + 1;
    int64_t width = (in[2] + 2 * pad - window) / stride + 1;
    unsigned w = input({outputs, in[0], window, window});
    Access read = {
        x, {d(3), d(1, stride) + d(4) - pad, d(2, stride) + d(5) - pad}};
    read.leaves = pad > 0;
    return op(
        name,
        {{outputs}, {height}, {width}, sum(in[0]), sum(window), sum(window)},
        {read, {w, {d(0), d(3), d(4), d(5)}}});
  }
  unsigned last() const { return unsigned(statements.size() - 1); }
  /// What the last statement writes is the result.
  Program &finish() {
    tensors[statements.back().write.tensor].liveOut = true;
    return *this;
  }
  /// All statements, tiles along the first dimensions of the last one.
  Group whole(std::vector<int64_t> sizes) const {
    Group group;
    for (unsigned i = 0; i < statements.size(); ++i)
      group.statements.push_back(i);
    Sink sink = {last(), {}};
    for (size_t dim = 0; dim < sizes.size(); ++dim)
      sink.dims.push_back(int(dim));
    group.sinks = {sink};
    group.sizes = std::move(sizes);
    return group;
  }
};

//===-- Convolutions ------------------------------------------------------===//

/// conv3x3, bias, relu, conv3x3, max_pool2x2.
inline Program convChain(int64_t channels = 2, int64_t size = 8) {
  Program p;
  unsigned x = p.input({channels, size, size});
  unsigned bias = p.input({channels});
  unsigned y = p.conv("conv1", x, channels, 3);
  std::vector<Dim> dims = {{channels}, {size}, {size}};
  y = p.op("bias", dims, {p.all(y), {bias, {d(0)}}});
  y = p.conv("conv2", p.pointwise("relu", {y}), channels, 3);
  p.op("pool", {{channels}, {size / 2}, {size / 2}, sum(2), sum(2)},
       {{y, {d(0), d(1, 2) + d(3), d(2, 2) + d(4)}}});
  return p.finish();
}

inline Program bottleneck(int64_t outer = 3, int64_t inner = 2,
                          int64_t size = 6) {
  Program p;
  unsigned x = p.pointwise("x", {p.input({outer, size, size})});
  unsigned y = p.pointwise("relu1", {p.conv("conv1", x, inner, 1)});
  y = p.pointwise("relu2", {p.conv("conv2", y, inner, 3)});
  p.pointwise("add", {p.conv("conv3", y, outer, 1), x});
  return p.finish();
}

/// expand, relu, depthwise 3x3, relu, project, add.
inline Program depthwiseSeparable(int64_t outer = 2, int64_t inner = 3,
                                  int64_t size = 6) {
  Program p;
  unsigned x = p.input({outer, size, size});
  unsigned y = p.pointwise("relu1", {p.conv("expand", x, inner, 1)});
  unsigned w = p.input({inner, 3, 3});
  Access window = {y, {d(0), d(1) + d(3) - 1, d(2) + d(4) - 1}, true, true};
  y = p.op("depthwise", {{inner}, {size}, {size}, sum(3), sum(3)},
           {window, {w, {d(0), d(3), d(4)}}});
  y = p.conv("project", p.pointwise("relu2", {y}), outer, 1);
  p.pointwise("add", {y, x});
  return p.finish();
}

inline Program squeezeExcite(int64_t channels = 3, int64_t inner = 2,
                             int64_t size = 4) {
  Program p;
  unsigned x = p.pointwise("x", {p.input({channels, size, size})});
  unsigned y = p.op("pool", {{channels}, sum(size), sum(size)},
                    {{x, {d(0), d(1), d(2)}}});
  unsigned w1 = p.input({inner, channels}), w2 = p.input({channels, inner});
  y = p.op("fc1", {{inner}, sum(channels)}, {{y, {d(1)}}, p.all(w1)});
  y = p.pointwise("relu", {y});
  y = p.op("fc2", {{channels}, sum(inner)}, {{y, {d(1)}}, p.all(w2)});
  y = p.pointwise("sigmoid", {y});
  p.op("scale", {{channels}, {size}, {size}}, {p.all(x), {y, {d(0)}}});
  return p.finish();
}

/// A 1x1 convolution with stride 2, and beside it a 3x3 one.
inline Program strided(bool hasSibling) {
  Program p;
  unsigned x = p.pointwise("x", {p.input({64, 56, 56})});
  unsigned y = p.conv("reader", x, 64, 1, 2);
  if (hasSibling)
    p.pointwise("add", {y, p.conv("sibling", x, 64, 3, 2)});
  return p.finish();
}

//===-- Rows --------------------------------------------------------------===//

/// Over the last dimension of a tensor.
inline unsigned softmax(Program &p, unsigned x) {
  std::vector<Dim> dims, rows;
  Access row = {0};
  for (int64_t extent : p.tensors[x].shape)
    dims.push_back({extent});
  rows = dims;
  rows.back().kind = DimKind::Reduction;
  for (size_t dim = 0; dim + 1 < dims.size(); ++dim)
    row.index.push_back(d(dim));
  auto of = [&](unsigned tensor) {
    Access access = row;
    access.tensor = tensor;
    return access;
  };
  unsigned most = p.op("max", rows, {p.all(x)});
  unsigned exp = p.op("exp", dims, {p.all(x), of(most)});
  unsigned total = p.op("sum", rows, {p.all(exp)});
  return p.op("div", dims, {p.all(exp), of(total)});
}

inline unsigned layernorm(Program &p, unsigned x) {
  int64_t rows = p.tensors[x].shape[0], columns = p.tensors[x].shape[1];
  std::vector<Dim> dims = {{rows}, {columns}};
  std::vector<Dim> reduced = {{rows}, sum(columns)};
  unsigned mean = p.op("mean", reduced, {p.all(x)});
  unsigned centred = p.op("centre", dims, {p.all(x), {mean, {d(0)}}});
  unsigned variance = p.op("variance", reduced, {p.all(centred)});
  return p.op("norm", dims, {p.all(centred), {variance, {d(0)}}});
}

inline Program softmaxRows() {
  Program p;
  softmax(p, p.input({4, 6}));
  return p.finish();
}

inline Program layernormRows() {
  Program p;
  layernorm(p, p.input({4, 6}));
  return p.finish();
}

/// A transformer's layer of `heads` heads: 31 statements.
inline Program bertLayer(int64_t rows = 4, int64_t width = 4, int64_t heads = 2,
                         int64_t inner = 6) {
  Program p;
  int64_t depth = width / heads;
  auto linear = [&](const std::string &name, unsigned x, int64_t outputs,
                    bool merges = false) {
    int64_t inputs = merges ? width : p.tensors[x].shape[1];
    unsigned w = p.input({inputs, outputs}), b = p.input({outputs});
    Access read = {x, {d(0), d(2)}};
    if (merges)
      read.index = {d(2) / depth, d(0), d(2) % depth};
    unsigned y =
        p.op(name, {{rows}, {outputs}, sum(inputs)}, {read, {w, {d(2), d(1)}}});
    return p.op(name + ".bias", {{rows}, {outputs}}, {p.all(y), {b, {d(1)}}});
  };
  unsigned x = p.input({rows, width}), mask = p.input({rows, rows});
  unsigned q = linear("q", x, width), k = linear("k", x, width);
  unsigned v = linear("v", x, width);
  Index column = d(0, depth) + d(3);
  unsigned y = p.op("scores", {{heads}, {rows}, {rows}, sum(depth)},
                    {{q, {d(1), column}}, {k, {d(2), column}}});
  y = p.pointwise("scale", {y});
  y = p.op("mask", {{heads}, {rows}, {rows}}, {p.all(y), {mask, {d(1), d(2)}}});
  y = softmax(p, y);
  y = p.op("context", {{heads}, {rows}, {depth}, sum(rows)},
           {{y, {d(0), d(1), d(3)}}, {v, {d(3), d(0, depth) + d(2)}}});
  y = p.pointwise("residual1", {linear("out", y, width, true), x});
  unsigned normed = layernorm(p, y);
  y = p.pointwise("gelu", {linear("ffn1", normed, inner)});
  y = p.pointwise("residual2", {linear("ffn2", y, width), normed});
  layernorm(p, y);
  return p.finish();
}

//===-- Views -------------------------------------------------------------===//

/// add, split of columns, transposition, merge, slice of half, padding: only
/// the first computes.
inline Program views(int64_t rows = 8, int64_t parts = 3, int64_t depth = 8) {
  Program p;
  int64_t columns = parts * depth, merged = rows * depth;
  unsigned x = p.input({rows, columns}), bias = p.input({columns});
  unsigned y = p.op("add", {{rows}, {columns}}, {p.all(x), {bias, {d(1)}}});
  y = p.op("split", {{rows}, {parts}, {depth}},
           {{y, {d(0), d(1, depth) + d(2)}}});
  y = p.op("transpose", {{parts}, {rows}, {depth}}, {{y, {d(1), d(0), d(2)}}});
  y = p.op("merge", {{parts}, {merged}},
           {{y, {d(0), d(1) / depth, d(1) % depth}}});
  y = p.op("slice", {{parts}, {merged / 2}}, {{y, {d(0), d(1)}}});
  Access inside = {y, {d(0), d(1) - merged / 4}, true, true};
  p.op("pad", {{parts}, {merged}}, {inside});
  return p.finish();
}

/// Two tensors side by side, then a relu.
inline Program concat(int64_t rows = 4, int64_t columns = 3) {
  Program p;
  unsigned first = p.pointwise("first", {p.input({rows, columns})});
  unsigned second = p.pointwise("second", {p.input({rows, columns})});
  unsigned joined = p.tensor({rows, 2 * columns});
  std::vector<Dim> dims = {{rows}, {columns}};
  p.add({"left", dims, {joined, {d(0), d(1)}}, {p.all(first)}});
  p.add({"right", dims, {joined, {d(0), d(1) + columns}}, {p.all(second)}});
  p.pointwise("relu", {joined});
  return p.finish();
}

//===-- Chains ------------------------------------------------------------===//

/// Each of `count` diamonds splits what the one before has made.
inline Program diamonds(unsigned count) {
  Program p;
  unsigned x = p.input({16, 16});
  for (unsigned i = 0; i < count; ++i) {
    unsigned left = p.pointwise("left", {x}), right = p.pointwise("right", {x});
    x = p.pointwise("join", {left, right});
  }
  return p.finish();
}

inline Program stencils(unsigned count, int64_t size = 256) {
  Program p;
  unsigned x = p.input({size, size});
  for (unsigned i = 0; i < count; ++i)
    x = p.op("stencil", {{size}, {size}, sum(3), sum(3)},
             {{x, {d(0) + d(2) - 1, d(1) + d(3) - 1}, true, true}});
  return p.finish();
}

//===-- Loops -------------------------------------------------------------===//

/// Gates from h, their activations, c and h of the next step.
inline Program lstm(int64_t steps = 4, int64_t width = 4) {
  Program p;
  unsigned x = p.input({steps, 4, width}), w = p.input({4, width, width});
  unsigned h = p.input({steps + 1, width}), c = p.input({steps + 1, width});
  unsigned gates = p.op("gates", {host(steps), {4}, {width}, sum(width)},
                        {{w, {d(1), d(2), d(3)}}, {h, {d(0), d(3)}}});
  unsigned active = p.pointwise("activate", {gates, x});
  p.statements.back().dims[0] = host(steps);
  std::vector<Dim> dims = {host(steps), {width}};
  auto gate = [&](int64_t number) {
    return Access{active, {d(0), at(number), d(1)}};
  };
  Access next = {c, {d(0) + 1, d(1)}};
  p.add({"c", dims, next, {gate(0), gate(1), gate(2), {c, {d(0), d(1)}}}});
  p.add({"h", dims, {h, {d(0) + 1, d(1)}}, {gate(3), next}});
  return p.finish();
}

/// The recurrence as one group, tiles along the width.
inline Group lstmGroup(const Program &p, int64_t size) {
  return {{0, 1, 2, 3}, {{2, {1}}, {3, {1}}}, {size}};
}

//===-- Messages ----------------------------------------------------------===//

inline std::string describe(const Access &access) {
  std::string text = " t" + std::to_string(access.tensor) + "[";
  for (const Index &index : access.index) {
    text += index.any ? "any:" : "";
    text += "(" + std::to_string(index.offset);
    for (auto [dim, factor] : llvm::enumerate(index.coefficients))
      text += " + " + std::to_string(factor) + "i" + std::to_string(dim);
    text += ")/" + std::to_string(index.divisor) + "%" +
            std::to_string(index.modulus) + ", ";
  }
  return text + "]";
}

inline std::string describe(const Scop &scop, const Group &group) {
  std::string text;
  for (const Statement &statement : scop.statements) {
    text += statement.name + " over";
    for (const Dim &dim : statement.dims)
      text += " " + std::to_string(dim.extent);
    text += ":" + describe(statement.write) + " =";
    for (const Access &read : statement.reads)
      text += describe(read);
    text += "\n";
  }
  for (size_t i = 0; i < scop.tensors.size(); ++i) {
    text += "t" + std::to_string(i) + " of";
    for (int64_t extent : scop.tensors[i].shape)
      text += " " + std::to_string(extent);
    text += "\n";
  }
  for (const Sink &sink : group.sinks)
    for (auto [dim, size] : llvm::zip_equal(sink.dims, group.sizes))
      text += "tiles of " + std::to_string(size) + " along " +
              std::to_string(dim) + "\n";
  return text;
}

} // namespace poly_programs

#endif // TENON_TEST_UNIT_POLYPROGRAMS_H
