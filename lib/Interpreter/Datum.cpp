//===- Datum.cpp - tensors, sequences, optionals, strings -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Datum.h"

#include "dialects/Control/Control.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

Strings::Strings(RankedTensorType type, std::vector<std::string> elements)
    : type(type), shared(std::make_shared<const std::vector<std::string>>(
                      std::move(elements))) {}

Strings Strings::withType(RankedTensorType newType) const {
  Strings strings = *this;
  strings.type = newType;
  return strings;
}

Datum::Datum(Tensor tensor) {
  if (tensor)
    value = std::move(tensor);
}

Datum Datum::sequence(std::vector<Datum> elements) {
  Datum datum;
  datum.value =
      Sequence{std::make_shared<const std::vector<Datum>>(std::move(elements))};
  return datum;
}

Datum Datum::optional(Datum element) {
  Datum datum;
  datum.value = Optional{
      element ? std::make_shared<const Datum>(std::move(element)) : nullptr};
  return datum;
}

const std::vector<Datum> *Datum::sequence() const {
  auto *sequence = std::get_if<Sequence>(&value);
  return sequence ? sequence->elements.get() : nullptr;
}

Datum Datum::element() const {
  auto *optional = std::get_if<Optional>(&value);
  if (!optional)
    return *this;
  return optional->element ? *optional->element : Datum();
}

RankedTensorType Datum::arrayType() const {
  if (tensor())
    return tensor()->getType();
  return strings() ? strings()->getType() : RankedTensorType();
}

static bool isArrayOf(RankedTensorType array, ShapedType type) {
  if (!array || array.getElementType() != type.getElementType())
    return false;
  return !type.hasRank() ||
         succeeded(verifyCompatibleShape(array.getShape(), type.getShape()));
}

bool Datum::isOf(Type type) const {
  if (auto optional = dyn_cast<control::OptionalType>(type)) {
    Datum held = element();
    return isOptional() ? !held || held.isOf(optional.getElement())
                        : *this && isOf(optional.getElement());
  }
  if (auto list = dyn_cast<control::SequenceType>(type))
    return sequence() && llvm::all_of(*sequence(), [&](const Datum &datum) {
             return datum.isOf(list.getElement());
           });
  return isa<TensorType>(type) &&
         isArrayOf(arrayType(), cast<ShapedType>(type));
}

std::string Datum::describe() const {
  if (sequence())
    return "sequence of " + std::to_string(sequence()->size());
  if (isOptional())
    return element() ? "optional of " + element().describe() : "empty optional";
  if (!arrayType())
    return "no value";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (strings() ? "string" : "");
  if (!strings())
    os << arrayType().getElementType();
  os << " [";
  llvm::interleave(getShape(), os, "x");
  os << "]";
  return text;
}

FailureOr<Datum> tenon::interp::readElements(ElementsAttr elements) {
  if (auto dense = dyn_cast<DenseStringElementsAttr>(elements)) {
    auto type = dyn_cast<RankedTensorType>(dense.getType());
    if (!type || !type.hasStaticShape())
      return failure();
    std::vector<std::string> strings;
    for (StringRef text : dense.getValues<StringRef>())
      strings.push_back(text.str());
    return Datum(Strings(type, std::move(strings)));
  }
  FailureOr<Tensor> tensor = Tensor::viewElements(elements);
  if (failed(tensor))
    return failure();
  return Datum(*tensor);
}
