//===- OnnxTypes.cpp - ONNX data types and their MLIR types ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file maps TensorProto.DataType numbers to element types and back.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "dialects/Onnx/Onnx.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using llvm::StringRef;

namespace {
/// Indexed by TensorProto.DataType.
constexpr StringRef names[] = {"",
                               "float",
                               "uint8",
                               "int8",
                               "uint16",
                               "int16",
                               "int32",
                               "int64",
                               "string",
                               "bool",
                               "float16",
                               "double",
                               "uint32",
                               "uint64",
                               "complex64",
                               "complex128",
                               "bfloat16",
                               "float8e4m3fn",
                               "float8e4m3fnuz",
                               "float8e5m2",
                               "float8e5m2fnuz",
                               "uint4",
                               "int4",
                               "float4e2m1",
                               "float8e8m0",
                               "uint2",
                               "int2"};
constexpr int64_t numTypes = std::size(names);
} // namespace

StringRef tenon::onnx::dataTypeName(int64_t dataType) {
  return dataType > 0 && dataType < numTypes ? names[dataType] : StringRef();
}

/// Integers are spelled `intN` and `uintN`, which is all that is needed.
static Type integerType(StringRef name, MLIRContext *context) {
  bool isUnsigned = name.consume_front("u");
  unsigned width;
  if (!name.consume_front("int") || name.getAsInteger(10, width))
    return {};
  return IntegerType::get(context, width,
                          isUnsigned ? IntegerType::Unsigned
                                     : IntegerType::Signless);
}

Type tenon::onnx::elementType(int64_t dataType, MLIRContext *context) {
  switch (dataType) {
  case 1:
    return Float32Type::get(context);
  case 8:
    return control::StringType::get(context);
  case 9:
    return IntegerType::get(context, 1);
  case 10:
    return Float16Type::get(context);
  case 11:
    return Float64Type::get(context);
  case 14:
    return ComplexType::get(Float32Type::get(context));
  case 15:
    return ComplexType::get(Float64Type::get(context));
  case 16:
    return BFloat16Type::get(context);
  case 17:
    return Float8E4M3FNType::get(context);
  case 18:
    return Float8E4M3FNUZType::get(context);
  case 19:
    return Float8E5M2Type::get(context);
  case 20:
    return Float8E5M2FNUZType::get(context);
  case 23:
    return Float4E2M1FNType::get(context);
  case 24:
    return Float8E8M0FNUType::get(context);
  default:
    return integerType(dataTypeName(dataType), context);
  }
}

int64_t tenon::onnx::dataTypeOf(Type type) {
  for (int64_t dataType = 1; dataType < numTypes; ++dataType)
    if (elementType(dataType, type.getContext()) == type)
      return dataType;
  return 0;
}
