//===- Ensemble.cpp - models of one architecture as one program -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Ensemble/Ensemble.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Programs.h"
#include "lib/Import/Ensemble/Compare.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace tenon;

/// `text` and `.2` for member 2.
static StringAttr numbered(StringAttr text, size_t member) {
  return StringAttr::get(text.getContext(),
                         text.getValue() + "." + Twine(member));
}

//===-- Names -------------------------------------------------------------===//

/// The symbols of dimensions that inputs have.
static DenseSet<Attribute> symbolsOf(TypeRange inputs) {
  DenseSet<Attribute> symbols;
  AttrTypeWalker walker;
  walker.addWalk([&](StringAttr symbol) { symbols.insert(symbol); });
  for (Type type : inputs)
    walker.walk(type);
  return symbols;
}

/// What data decide is decided in each member: such symbols get its number.
static void numberSymbols(func::FuncOp member, size_t number) {
  DenseSet<Attribute> shared = symbolsOf(member.getArgumentTypes());
  AttrTypeReplacer names, types;
  names.addReplacement([&](StringAttr symbol) -> Attribute {
    return shared.contains(symbol) ? symbol : numbered(symbol, number);
  });
  types.addReplacement([&](graph::DimsAttr dims) -> Attribute {
    return graph::DimsAttr::get(dims.getContext(),
                                cast<ArrayAttr>(names.replace(dims.getDims())));
  });
  types.recursivelyReplaceElementsIn(member, /*replaceAttrs=*/true,
                                     /*replaceLocs=*/false,
                                     /*replaceTypes=*/true);
}

static void numberNodes(func::FuncOp member, size_t number) {
  for (Operation &op : member.front())
    if (auto name = dyn_cast<NameLoc>(op.getLoc()))
      op.setLoc(
          NameLoc::get(numbered(name.getName(), number), name.getChildLoc()));
}

/// The attributes of an input or output with its number behind the name.
static DictionaryAttr numberName(DictionaryAttr attributes, size_t number) {
  auto name = attributes ? attributes.getAs<StringAttr>("onnx.name") : nullptr;
  if (!name)
    return attributes;
  NamedAttrList list(attributes);
  list.set("onnx.name", numbered(name, number));
  return list.getDictionary(attributes.getContext());
}

static void numberEnds(func::FuncOp member, ensemble::Inputs inputs,
                       size_t number) {
  for (unsigned i = 0; i < member.getNumResults(); ++i)
    member.setResultAttrs(i, numberName(member.getResultAttrDict(i), number));
  if (inputs == ensemble::Inputs::Shared)
    return;
  for (unsigned i = 0; i < member.getNumArguments(); ++i)
    member.setArgAttrs(i, numberName(member.getArgAttrDict(i), number));
}

//===-- One program -------------------------------------------------------===//

/// What a member reads: the whole's first inputs, or new ones at its end.
static SmallVector<Value> inputsOf(func::FuncOp member, func::FuncOp whole,
                                   ensemble::Inputs inputs) {
  SmallVector<Value> values;
  for (unsigned i = 0; i < member.getNumArguments(); ++i) {
    unsigned place = i;
    if (inputs == ensemble::Inputs::Each) {
      place = whole.getNumArguments();
      (void)whole.insertArgument(place, member.getArgumentTypes()[i],
                                 member.getArgAttrDict(i),
                                 member.getArgument(i).getLoc());
    }
    values.push_back(whole.getArgument(place));
  }
  return values;
}

/// Moves what a member does and returns to the end of the whole.
static void append(func::FuncOp member, func::FuncOp whole,
                   ensemble::Inputs inputs) {
  for (auto [argument, value] :
       llvm::zip_equal(member.getArguments(), inputsOf(member, whole, inputs)))
    argument.replaceAllUsesWith(value);
  Operation *end = member.front().getTerminator();
  Operation *wholeEnd = whole.front().getTerminator();
  for (unsigned i = 0; i < member.getNumResults(); ++i) {
    unsigned place = whole.getNumResults();
    (void)whole.insertResult(place, member.getResultTypes()[i],
                             member.getResultAttrDict(i));
    wholeEnd->insertOperands(place, end->getOperand(i));
  }
  auto &nodes = member.front().getOperations();
  whole.front().getOperations().splice(wholeEnd->getIterator(), nodes,
                                       nodes.begin(), end->getIterator());
}

/// The programs of members, compared. Fails with an error.
static LogicalResult programsOf(ArrayRef<OwningOpRef<ModuleOp>> members,
                                SmallVectorImpl<func::FuncOp> &programs) {
  for (const OwningOpRef<ModuleOp> &member : members) {
    FailureOr<func::FuncOp> program = graph::requireProgram(*member);
    if (failed(program) || failed(ensemble::refuseControl(*program)))
      return failure();
    programs.push_back(*program);
    if (failed(ensemble::compare(programs.front(), *program)))
      return failure();
  }
  return success();
}

FailureOr<OwningOpRef<ModuleOp>>
ensemble::join(MutableArrayRef<OwningOpRef<ModuleOp>> members, Inputs inputs) {
  SmallVector<func::FuncOp> programs;
  if (failed(programsOf(members, programs)))
    return failure();
  for (auto [number, program] : llvm::enumerate(programs)) {
    numberSymbols(program, number);
    numberNodes(program, number);
    numberEnds(program, inputs, number);
    if (number != 0)
      append(program, programs.front(), inputs);
  }
  return std::move(members.front());
}
