//===- Context.h - what a lowering builds with ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the builder that every lowering gets: it creates graph
// operations with the types their own shape functions give, evaluates them at
// once where all operands are small constants, and gathers what is not
// supported.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_CONTEXT_H
#define TENON_PASSES_NORMALIZE_CONTEXT_H

#include "dialects/Graph/Constraints.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Shapes.h"
#include "mlir/IR/Builders.h"
#include "passes/Normalize/KnownNumbers.h"
#include "passes/Normalize/Node.h"
#include <optional>
#include <string>
#include <utility>

namespace tenon::normalize {

/// The text of the error for a shape that only the running model would know.
inline constexpr llvm::StringLiteral kUnknownShape =
    "the shape is not known at compile time; fix dimensions with --shape or "
    "--dim";

/// An operand that may be absent (null) without that being a failure.
struct Optional {
  Value value;
  operator Value() const { return value; }
};

/// Builds the graph operations of one node after the other.
///
/// Failure is sticky within a node: a value that could not be made is null,
/// and whatever is made from a null value is null. A lowering therefore chains
/// calls freely and only checks before it looks at a made value's type:
///
///   Value scaled = ctx.create<graph::MulOp>(x, ctx.scalarLike(0.5, x));
///   return ctx.create<graph::AddOp>(scaled, y);
///
/// The first reason of a failure is kept for the report on the node.
class NormalizeContext {
public:
  explicit NormalizeContext(mlir::MLIRContext *context) : ops(context) {}

  //===-- Making operations -----------------------------------------------===//

  /// Creates an operation with one result whose type follows from `args`, the
  /// operands and attributes in the order of the generated builder.
  template <typename OpTy, typename... Args> Value create(Args &&...args) {
    return first(createAll<OpTy, 1>(std::forward<Args>(args)...));
  }

  /// The same for an operation with `results` results.
  template <typename OpTy, unsigned results, typename... Args>
  SmallVector<Value> createAll(Args &&...args) {
    if ((isMissing(args) || ...))
      return SmallVector<Value>(results);
    mlir::OperationState state(where, OpTy::getOperationName());
    [&]<size_t... I>(std::index_sequence<I...>) {
      OpTy::build(ops, state, (void(I), mlir::Type())...,
                  std::forward<Args>(args)...);
    }(std::make_index_sequence<results>());
    state.types.clear();
    return infer(state, &OpTy::inferReturnTypes, results);
  }

  /// Creates an operation that takes its result type from the caller.
  template <typename OpTy, typename... Args>
  Value createTyped(mlir::Type type, Args &&...args) {
    if (!type || (isMissing(args) || ...))
      return {};
    mlir::OperationState state(where, OpTy::getOperationName());
    OpTy::build(ops, state, type, std::forward<Args>(args)...);
    return first(finish(state, 1));
  }

  /// Calls a primitive that has one result, or one for each of several types.
  Value call(StringRef primitive, ArrayRef<Value> operands,
             ArrayRef<int64_t> integers, mlir::Type type);
  SmallVector<Value> callAll(StringRef primitive, ArrayRef<Value> operands,
                             ArrayRef<int64_t> integers, mlir::TypeRange types);

  //===-- Making constants ------------------------------------------------===//

  Value constant(mlir::ElementsAttr value);
  /// A tensor of rank 0; `value` is rounded to `element`.
  Value scalar(double value, mlir::Type element);
  /// A tensor of rank 0 with the element type of `like`.
  Value scalarLike(double value, Value like);
  /// All elements of `type` equal to `value`; a constant where it is static.
  Value splat(double value, RankedTensorType type);
  /// A vector of i64.
  Value vector(ArrayRef<int64_t> values);
  /// 0, 1, 2... along dimension `axis` of an i64 tensor of `shape`.
  Value indices(ArrayRef<int64_t> shape, int64_t axis);
  Value indices(ArrayRef<mlir::Attribute> dims, int64_t axis);

  /// A tensor of integers that are computed from symbols; a constant where all
  /// are numbers.
  Value sizes(ArrayRef<mlir::Attribute> dims, RankedTensorType type);
  /// The same as a vector of i64.
  Value sizes(ArrayRef<mlir::Attribute> dims);

  //===-- Frequent operations, the identity where nothing is to do --------===//

  Value reshape(Value input, ArrayRef<int64_t> shape);
  /// Reshape to the dimensions of a type made by typeOf().
  Value reshapeTo(Value input, RankedTensorType type);
  Value broadcast(Value input, ArrayRef<int64_t> shape);
  Value broadcastTo(Value input, RankedTensorType type);
  /// An operand that is to broadcast to `dims`, aligned at the right, and to
  /// nothing larger: where it has another symbol, that is repeated, and the run
  /// checks that it is 1 or as large.
  Value repeatTo(Value input, ArrayRef<mlir::Attribute> dims);
  Value transpose(Value input, ArrayRef<int64_t> permutation);
  Value cast(Value input, mlir::Type element);
  /// Elements [start, start + size) of dimension `axis`, which has a size.
  Value slice(Value input, int64_t axis, int64_t start, int64_t size);
  /// The same with symbols.
  Value slice(Value input, int64_t axis, mlir::Attribute start,
              mlir::Attribute size);
  /// Elements start + i * step of each dimension.
  Value slice(Value input, ArrayRef<mlir::Attribute> starts,
              ArrayRef<mlir::Attribute> sizes, ArrayRef<int64_t> steps);
  /// A vector of C elements as [1, C, 1, ...], to meet the channels of an
  /// image.
  Value perChannel(Value vector, Value image);

  //===-- Reading constants -----------------------------------------------===//

  /// The tensor of a value that a graph.constant makes, else null.
  mlir::ElementsAttr constantOf(Value value) const;
  /// The elements of a constant of any integer type (or i1), in row-major
  /// order, or of what has none; nothing for other values, or for more than
  /// 65536 elements.
  std::optional<SmallVector<int64_t>> constantInts(Value value) const;
  /// The same for any integer or float type.
  std::optional<SmallVector<double>> constantReals(Value value) const;

  /// The integers of a constant, or of a tensor that is computed from symbols.
  std::optional<graph::Dims> contents(Value value) const;

  //===-- Symbols ---------------------------------------------------------===//

  /// What is known about symbols.
  graph::ConstraintStore &symbols() { return constraints; }
  /// Which numbers of the program have symbols (Extents.h).
  KnownNumbers &numbers() { return known; }
  /// Whether a >= b for any inputs.
  bool isAtLeast(mlir::Attribute a, mlir::Attribute b) const;
  /// Has the run time check that a >= b where that cannot be proved; refuses
  /// where it could not.
  mlir::LogicalResult demandAtLeast(mlir::Attribute a, mlir::Attribute b);

  //===-- Refusing --------------------------------------------------------===//

  /// States why the current node cannot be lowered; the first reason wins.
  mlir::LogicalResult unsupported(const llvm::Twine &reason);
  /// Brings `axis` into [0, rank) (or [0, rank] with `end`), or refuses.
  std::optional<int64_t> axis(int64_t axis, int64_t rank, bool end = false);
  /// Whether `value` has a static shape; refuses with kUnknownShape if not.
  bool isStatic(Value value);
  /// Whether all dimensions are sizes or made of symbols; refuses likewise.
  bool hasDims(Value value);

  //===-- For the driver --------------------------------------------------===//

  mlir::OpBuilder &builder() { return ops; }
  /// Starts a node: location of all operations to come, reason cleared.
  void begin(mlir::Operation *op);
  mlir::Location location() const { return where; }
  const std::string &reason() const { return why; }
  int64_t numEvaluated() const { return evaluated; }

private:
  using InferFn = mlir::LogicalResult (*)(
      mlir::MLIRContext *, std::optional<mlir::Location>, mlir::ValueRange,
      mlir::DictionaryAttr, mlir::OpaqueProperties, mlir::RegionRange,
      llvm::SmallVectorImpl<mlir::Type> &);

  static Value first(const SmallVector<Value> &values) { return values[0]; }
  /// A null value comes from a failed creation; an operand that may be absent
  /// is passed as Optional.
  static bool isMissing(const Value &value) { return !value; }
  static bool isMissing(const llvm::SmallVector<Value> &values) {
    return llvm::is_contained(values, Value());
  }
  template <typename T> static bool isMissing(const T &) { return false; }

  SmallVector<Value> infer(mlir::OperationState &state, InferFn shapeFunction,
                           unsigned results);
  SmallVector<Value> finish(mlir::OperationState &state, unsigned results);
  /// The results as constants, or nothing.
  std::optional<SmallVector<Value>> evaluate(mlir::Operation *op);
  /// The result as numbers that are computed from symbols, or nothing.
  std::optional<SmallVector<Value>> evaluateSizes(mlir::Operation *op);

  graph::ConstraintStore constraints;
  KnownNumbers known;
  mlir::OpBuilder ops;
  mlir::Location where = ops.getUnknownLoc();
  std::string why;
  int64_t evaluated = 0;
};

/// The type to compute in: that of the values, but f32 for half precision.
mlir::Type computeType(mlir::Type element);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_CONTEXT_H
