//===- StatedAccesses.h - the elements that accesses name -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file walks through the iteration domain of an operation and lists, for
// each element of its results, the elements of operands that its accesses name.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_STATEDACCESSES_H
#define TENON_TEST_UNIT_STATEDACCESSES_H

#include "dialects/Graph/Roles.h"
#include "dialects/Graph/Shapes.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <set>
#include <string>

namespace tenon {

/// Number of an operand or result, and of an element in row-major order.
using Element = std::pair<unsigned, int64_t>;

class StatedAccesses {
public:
  /// All dimensions of the operation are static.
  explicit StatedAccesses(graph::TensorOpInterface op);

  /// Why the accesses contradict the tensors, or nothing.
  const std::string &problem() const { return fault; }

  bool mayRead(Element result, Element operand) const {
    auto found = may.find(result);
    return found != may.end() && found->second.count(operand);
  }
  /// Of each element of a result that one point writes, what it must read.
  const std::map<Element, std::set<Element>> &mustRead() const { return must; }

private:
  using Point = llvm::SmallVector<int64_t>;
  /// What the points of one element read, and whether all of it surely.
  struct Reads {
    std::set<Element> may, must, backMay, backMust;
    std::set<Point> writers; ///< without the dimensions that are reduced
  };

  void visit(const Point &point);
  void record(Reads &reads, const graph::Access &access, const Point &point);
  void checkWrites();
  std::set<Element> follow(Element from, bool surely) const;
  Point writerOf(const graph::Access &write, const Point &point) const;
  llvm::SmallVector<int64_t> elementsOf(const graph::Access &access,
                                        const Point &point);
  static int64_t evaluate(mlir::AffineExpr expr, const Point &point);
  static std::optional<int64_t> inside(int64_t index, int64_t extent,
                                       std::optional<graph::Outside> outside);

  graph::TensorOpInterface op;
  graph::IterationDomain domain;
  llvm::SmallVector<graph::Access> accesses;
  std::map<Element, Reads> direct;
  std::map<Element, std::set<Element>> may, must;
  std::string fault;
};

//===-- Maps --------------------------------------------------------------===//

inline int64_t StatedAccesses::evaluate(mlir::AffineExpr expr,
                                        const Point &point) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
    return point[dim.getPosition()];
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluate(binary.getLHS(), point);
  int64_t rhs = evaluate(binary.getRHS(), point);
  switch (expr.getKind()) {
  case mlir::AffineExprKind::Add:
    return lhs + rhs;
  case mlir::AffineExprKind::Mul:
    return lhs * rhs;
  case mlir::AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  case mlir::AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  default:
    return llvm::divideCeilSigned(lhs, rhs);
  }
}

/// The index that stands for one outside of a dimension, if any does.
inline std::optional<int64_t>
StatedAccesses::inside(int64_t index, int64_t extent,
                       std::optional<graph::Outside> outside) {
  if (index >= 0 && index < extent)
    return index;
  switch (*outside) {
  case graph::Outside::Nothing:
  case graph::Outside::Zero:
  case graph::Outside::Value:
    return std::nullopt;
  case graph::Outside::Edge:
    return std::clamp<int64_t>(index, 0, extent - 1);
  case graph::Outside::Wrap:
    return llvm::mod(index, extent);
  case graph::Outside::Reflect:
    break;
  }
  int64_t period = std::max<int64_t>(2 * (extent - 1), 1);
  int64_t phase = llvm::mod(index, period);
  return phase < extent ? phase : period - phase;
}

/// The numbers of the elements that an access names at a point.
inline llvm::SmallVector<int64_t>
StatedAccesses::elementsOf(const graph::Access &access, const Point &point) {
  auto type = llvm::cast<mlir::RankedTensorType>(access.valueIn(op).getType());
  llvm::SmallVector<int64_t> elements = {0};
  for (auto [dim, expr] : llvm::enumerate(access.map.getResults())) {
    int64_t extent = type.getDimSize(dim);
    llvm::SmallVector<int64_t> indices, next;
    if (expr.isSymbolicOrConstant() && access.map.getNumSymbols() &&
        expr.isFunctionOfSymbol(dim)) {
      llvm::append_range(indices, llvm::seq<int64_t>(0, extent));
    } else {
      int64_t index = evaluate(expr, point);
      if ((index < 0 || index >= extent) && !access.outside) {
        fault = "an access leaves its tensor";
        return {};
      }
      if (auto at = inside(index, extent, access.outside))
        indices.push_back(*at);
    }
    for (int64_t element : elements)
      for (int64_t index : indices)
        next.push_back(element * extent + index);
    elements = next;
  }
  return elements;
}

//===-- Points ------------------------------------------------------------===//

inline StatedAccesses::StatedAccesses(graph::TensorOpInterface op)
    : op(op), domain(op.getIterationDomain()), accesses(op.getAccesses()) {
  Point point(domain.dims.size());
  for (int64_t count = domain.size().value(); count > 0; --count) {
    visit(point);
    for (int64_t dim = int64_t(point.size()) - 1; dim >= 0; --dim) {
      if (++point[dim] < graph::sizeOf(domain.dims[dim].extent))
        break;
      point[dim] = 0;
    }
  }
  checkWrites();
  for (auto &[element, reads] : direct)
    may[element] = follow(element, /*surely=*/false);
  // Where a sequential dimension leaves only its last step, other results of
  // the operation show what the steps read.
  size_t coordinates = llvm::count_if(
      domain.dims, [](graph::IterationDim dim) { return !dim.isReduction(); });
  for (const graph::Access &write : accesses)
    if (write.writes && writerOf(write, point).size() == coordinates)
      for (auto &[element, reads] : direct)
        if (element.first == write.number)
          must[element] = follow(element, /*surely=*/true);
}

/// The coordinates of a point that tell writers of an element apart.
inline StatedAccesses::Point
StatedAccesses::writerOf(const graph::Access &write, const Point &point) const {
  Point writer;
  for (auto [dim, info] : llvm::enumerate(domain.dims)) {
    bool isLast = info.kind == graph::DimKind::Sequential &&
                  !write.map.isFunctionOfDim(dim);
    if (!info.isReduction() && !isLast)
      writer.push_back(point[dim]);
  }
  return writer;
}

inline void StatedAccesses::record(Reads &reads, const graph::Access &access,
                                   const Point &point) {
  bool exact = access.kind == graph::AccessKind::Exact;
  for (int64_t at : elementsOf(access, point)) {
    Element element = {access.number, at};
    (access.ofResult ? reads.backMay : reads.may).insert(element);
    if (exact)
      (access.ofResult ? reads.backMust : reads.must).insert(element);
  }
}

inline void StatedAccesses::visit(const Point &point) {
  graph::Role role = graph::roleOf(op);
  bool isProduct =
      role == graph::Role::Contraction || role == graph::Role::Window;
  // A zero outside makes a product nothing, whatever the other operand is.
  bool isNothing = isProduct && llvm::any_of(accesses, [&](auto &access) {
                     return access.outside == graph::Outside::Zero &&
                            elementsOf(access, point).empty();
                   });
  for (const graph::Access &write : accesses) {
    if (!write.writes)
      continue;
    auto elements = elementsOf(write, point);
    if (elements.size() != 1) {
      fault = "a point does not write one element";
      continue;
    }
    Reads &reads = direct[{write.number, elements[0]}];
    reads.writers.insert(writerOf(write, point));
    for (const graph::Access &read : accesses)
      if (!read.writes && !isNothing)
        record(reads, read, point);
  }
}

/// Each element is written, by one parallel point.
inline void StatedAccesses::checkWrites() {
  int64_t written = 0, elements = 0;
  for (auto &[element, reads] : direct) {
    ++written;
    if (reads.writers.size() != 1)
      fault = "an element is written twice";
  }
  for (mlir::Type type : op->getResultTypes())
    elements += llvm::cast<mlir::RankedTensorType>(type).getNumElements();
  if (written != elements)
    fault = "an element is not written";
}

/// What an element depends on, through results that are read back as well.
inline std::set<Element> StatedAccesses::follow(Element from,
                                                bool surely) const {
  std::set<Element> found, seen = {from};
  llvm::SmallVector<Element> left = {from};
  while (!left.empty()) {
    const Reads &reads = direct.at(left.pop_back_val());
    const auto &elements = surely ? reads.must : reads.may;
    found.insert(elements.begin(), elements.end());
    for (Element back : surely ? reads.backMust : reads.backMay)
      if (seen.insert(back).second)
        left.push_back(back);
  }
  return found;
}

} // namespace tenon

#endif // TENON_TEST_UNIT_STATEDACCESSES_H
