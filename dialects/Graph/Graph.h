//===- Graph.h - the tensor algebra dialect ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the graph dialect; Access.h has what its interface speaks
// in. Types are ranked tensors; a dimension without a static size has a
// named symbol in the tensor's `#graph.dims` encoding.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_GRAPH_H
#define TENON_DIALECTS_GRAPH_GRAPH_H

#include "dialects/Graph/Access.h"

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

/// Trait of operations that compute each result element from the (broadcast)
/// operand elements at the same index. All operands broadcast to the result.
template <typename ConcreteType>
class Elementwise : public mlir::OpTrait::TraitBase<ConcreteType, Elementwise> {
};

/// Bytes of a tensor, none if it has no static shape; i1 takes one byte per
/// element.
std::optional<int64_t> tensorBytes(mlir::Type type);

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
