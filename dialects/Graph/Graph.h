//===- Graph.h - the tensor algebra dialect ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the graph dialect and the small structs its interface
// speaks in. Types are ranked tensors; a dimension without a static size has a
// named symbol in the tensor's `#graph.dims` encoding.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_GRAPH_H
#define TENON_DIALECTS_GRAPH_GRAPH_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tenon::graph {

/// One dimension of an iteration domain.
struct IterationDim {
  int64_t extent; ///< number of points; mlir::ShapedType::kDynamic with symbol
  bool reduction; ///< combined into one result element
  mlir::StringAttr symbol; ///< name of a symbolic extent, else null
};

/// The box an operation iterates over: parallel dimensions in result order,
/// then reduction dimensions.
struct IterationDomain {
  llvm::SmallVector<IterationDim> dims;

  /// Number of points; dynamic extents count as 1.
  int64_t size() const;
};

/// Which element of an operand or result a point of the domain touches.
struct Access {
  mlir::AffineMap map;  ///< domain dimensions -> tensor dimensions
  bool exact = true;    ///< false: touches an unknown element of the dimensions
                        ///< whose result in `map` is the constant -1
  bool clipped = false; ///< points that `map` sends outside of the tensor touch
                        ///< nothing: they read padding
};

/// What executing an operation once costs, nothing cached.
struct Cost {
  int64_t flops = 0;        ///< a fused multiply-add counts 2
  int64_t bytesRead = 0;    ///< every operand once
  int64_t bytesWritten = 0; ///< every result once
};

/// Trait of operations that compute each result element from the (broadcast)
/// operand elements at the same index. All operands broadcast to the result.
template <typename ConcreteType>
class Elementwise : public mlir::OpTrait::TraitBase<ConcreteType, Elementwise> {
};

/// Bytes of a tensor with static shape; i1 takes one byte per element.
int64_t tensorBytes(mlir::Type type);

/// Bytes of one element in memory; i1 takes one byte.
int64_t elementBytes(mlir::Type elementType);

/// Whether `type` is a tensor of static shape without elements.
bool isEmpty(mlir::Type type);

/// The numpy broadcast of two shapes with their symbols, or failure.
mlir::FailureOr<mlir::RankedTensorType>
broadcastTypes(llvm::ArrayRef<mlir::RankedTensorType> types,
               mlir::Type elementType);

} // namespace tenon::graph

#include "dialects/Graph/GraphInterfaces.h.inc"

#include "dialects/Graph/GraphDialect.h.inc"
#include "dialects/Graph/GraphEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Graph/GraphAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/Graph/GraphOps.h.inc"

#endif // TENON_DIALECTS_GRAPH_GRAPH_H
