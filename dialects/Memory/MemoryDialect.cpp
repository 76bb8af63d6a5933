//===- MemoryDialect.cpp - the memory dialect -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Memory/Memory.h"

#include "dialects/Graph/Graph.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon::memory;

static ParseResult parseIntegers(AsmParser &parser,
                                 SmallVectorImpl<int64_t> &integers) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(integers.emplace_back());
  });
}

static void printIntegers(AsmPrinter &printer, ArrayRef<int64_t> strides) {
  printer << '[';
  llvm::interleaveComma(strides, printer);
  printer << ']';
}

/// A moment: an integer, or one counter per stream in brackets.
static ParseResult parseClock(OpAsmParser &parser, DenseI64ArrayAttr &clock) {
  SmallVector<int64_t> ticks;
  int64_t tick;
  OptionalParseResult single = parser.parseOptionalInteger(tick);
  if (single.has_value()) {
    ticks.push_back(tick);
    clock = parser.getBuilder().getDenseI64ArrayAttr(ticks);
    return *single;
  }
  if (parseIntegers(parser, ticks))
    return failure();
  clock = parser.getBuilder().getDenseI64ArrayAttr(ticks);
  return success();
}

static void printClock(OpAsmPrinter &printer, Operation *,
                       DenseI64ArrayAttr clock) {
  if (clock.size() == 1)
    printer << clock[0];
  else
    printIntegers(printer, clock);
}

/// A number, or `?` where symbols have a say.
static ParseResult parseBytes(AsmParser &parser, int64_t &bytes) {
  bytes = ShapedType::kDynamic;
  return succeeded(parser.parseOptionalQuestion()) ? ParseResult(success())
                                                   : parser.parseInteger(bytes);
}

static void printBytes(AsmPrinter &printer, int64_t bytes) {
  if (ShapedType::isDynamic(bytes))
    printer << '?';
  else
    printer << bytes;
}

static ParseResult parseStrides(AsmParser &parser,
                                SmallVectorImpl<int64_t> &strides) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parseBytes(parser, strides.emplace_back());
  });
}

static void printStrides(AsmPrinter &printer, ArrayRef<int64_t> strides) {
  printer << '[';
  llvm::interleaveComma(strides, printer,
                        [&](int64_t stride) { printBytes(printer, stride); });
  printer << ']';
}

#include "dialects/Memory/MemoryDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Memory/MemoryTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Memory/MemoryOps.cpp.inc"

void MemoryDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Memory/MemoryTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Memory/MemoryOps.cpp.inc"
      >();
}

LogicalResult ViewOp::verify() {
  BufferType whole = getSource().getType(), part = getBuffer().getType();
  int64_t start = getByteOffset();
  bool isSymbolic = ShapedType::isDynamic(whole.getBytes()) ||
                    ShapedType::isDynamic(part.getBytes());
  if (isSymbolic)
    return start == 0 && whole.isDense() && part.isDense()
               ? success()
               : emitOpError("of symbolic tensors must be of all of them");
  if (start < 0 || start > whole.getBytes() - part.getBytes())
    return emitOpError("is outside its operand's storage");
  if (part.getTensor().getNumElements() == 0)
    return success();
  int64_t first = part.getOffset(), last = part.getOffset();
  for (auto [extent, stride] : llvm::zip(part.getShape(), part.getStrides()))
    (stride < 0 ? first : last) += (extent - 1) * stride;
  int64_t element = graph::elementBytes(part.getElementType());
  if (first < 0 || (last + 1) * element > part.getBytes())
    return emitOpError("has elements outside of its own bytes");
  return success();
}

static SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = int64_t(shape.size()) - 2; i >= 0; --i) {
    bool isKnown = !ShapedType::isDynamic(strides[i + 1]) &&
                   !ShapedType::isDynamic(shape[i + 1]);
    strides[i] = isKnown ? strides[i + 1] * shape[i + 1] : ShapedType::kDynamic;
  }
  return strides;
}

BufferType BufferType::getDense(RankedTensorType tensor) {
  return get(tensor.getContext(), tensor, rowMajorStrides(tensor.getShape()),
             /*offset=*/0,
             graph::tensorBytes(tensor).value_or(ShapedType::kDynamic));
}

bool BufferType::isDense() {
  if (!getTensor().hasStaticShape())
    return true;
  if (getOffset() != 0)
    return false;
  int64_t expected = 1;
  for (int64_t i = int64_t(getShape().size()) - 1; i >= 0; --i) {
    if (getShape()[i] != 1 && getStrides()[i] != expected)
      return false;
    expected *= getShape()[i];
  }
  return true;
}
