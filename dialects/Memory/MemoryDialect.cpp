//===- MemoryDialect.cpp - the memory dialect -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Memory/Memory.h"

#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/Size.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
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

/// The numbers of a buffer: strides, offset, bytes.
static ParseResult parsePlace(AsmParser &parser,
                              SmallVectorImpl<int64_t> &strides,
                              int64_t &offset, int64_t &bytes,
                              ArrayAttr &sizes) {
  SmallVector<Attribute> dims;
  auto parseOne = [&]() -> ParseResult {
    SMLoc at = parser.getCurrentLocation();
    if (graph::parseDim(parser, dims.emplace_back()))
      return failure();
    return dims.back()
               ? ParseResult(success())
               : parser.emitError(at, "a number that is known is needed");
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne) ||
      parser.parseComma() || parseOne() || parser.parseComma() || parseOne())
    return failure();
  for (Attribute dim : ArrayRef(dims).drop_back(2))
    strides.push_back(graph::sizeOf(dim));
  offset = graph::sizeOf(dims[dims.size() - 2]);
  bytes = graph::sizeOf(dims.back());
  if (llvm::any_of(dims, graph::isSymbolic))
    sizes = ArrayAttr::get(parser.getContext(), dims);
  return success();
}

static void printPlace(AsmPrinter &printer, ArrayRef<int64_t> strides,
                       int64_t offset, int64_t bytes, ArrayAttr sizes) {
  size_t rank = strides.size();
  auto print = [&](size_t i, int64_t number) {
    if (sizes)
      graph::printDim(printer, sizes[i]);
    else
      printer << number;
  };
  printer << '[';
  for (auto [i, stride] : llvm::enumerate(strides)) {
    printer << (i ? ", " : "");
    print(i, stride);
  }
  printer << "], ";
  print(rank, offset);
  printer << ", ";
  print(rank + 1, bytes);
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
  // The run time looks at what symbols decide.
  if (start >= 0 && (whole.getSizes() || part.getSizes()))
    return success();
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

/// In row-major order; then the elements of all.
static graph::Sizes denseSteps(RankedTensorType tensor) {
  graph::Sizes shape = graph::sizesOf(tensor);
  graph::Sizes steps = graph::denseStrides(shape);
  steps.push_back(graph::productOf(shape));
  return steps;
}

BufferType BufferType::getSized(RankedTensorType tensor,
                                ArrayRef<Attribute> sizes) {
  MLIRContext *context = tensor.getContext();
  auto numbers = llvm::map_to_vector(sizes, graph::sizeOf);
  ArrayRef<int64_t> strides = ArrayRef(numbers).drop_back(2);
  bool isSymbolic = llvm::any_of(sizes, graph::isSymbolic);
  return get(context, tensor, strides, numbers[strides.size()], numbers.back(),
             isSymbolic ? ArrayAttr::get(context, sizes) : ArrayAttr());
}

BufferType BufferType::getDense(RankedTensorType tensor) {
  MLIRContext *context = tensor.getContext();
  graph::Sizes steps = denseSteps(tensor);
  graph::Size bytes =
      steps.pop_back_val() * graph::elementBytes(tensor.getElementType());
  SmallVector<Attribute> sizes;
  for (const graph::Size &stride : steps)
    sizes.push_back(stride.dim(context));
  sizes.push_back(graph::sizeDim(context, 0));
  sizes.push_back(bytes.dim(context));
  return getSized(tensor, sizes);
}

bool BufferType::isDense() {
  if (getSizes())
    return *this == getDense(getTensor());
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
