//===- Compare.cpp - which node computes something else -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the search: values between kernels first, which changes no
// kernel, then what is in a kernel, alone.
//===----------------------------------------------------------------------===//
#include "lib/Compare/Compare.h"

#include "lib/Compare/Side.h"
#include "lib/Support/ScratchFolder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

#include <set>

using namespace tenon;
using namespace tenon::compare;
using llvm::Expected;
using llvm::StringRef;
using onnximport::Part;
using onnximport::PartedModel;

namespace {

class Comparison {
public:
  Comparison(const CompareOptions &options, std::string folder)
      : options(options), runner(std::move(folder), options.limits) {}
  Expected<Findings> run();

private:
  using Groups = std::vector<std::vector<std::string>>;

  llvm::Error readSides();
  llvm::Error readGroups();
  void findBorders();
  llvm::Error compareBorders();
  Expected<Values> reference(const Question &question) const;
  void search();
  llvm::Error searchUnseen();
  bool searchGroup(const Row &suspect);
  bool searchFused(const Row &suspect, const Values &right);
  bool blame(const Question &question, const Values &right, Cause cause);
  void searchMemory();
  void searchMemory(std::vector<std::string> flags);
  bool touchesForeign(const Question &question);
  void narrowMemory(llvm::ArrayRef<std::string> nodes,
                    const std::vector<std::string> &flags);
  Question questionOf(llvm::ArrayRef<std::string> nodes) const;
  void addWithFreeNodes(const std::string &node, Question &question) const;
  bool isBeyond(const Difference &difference, tenon_dtype type) const;
  std::vector<Row> rowsOf(const Values &left, const Values &right) const;

  const CompareOptions &options;
  mutable Runner runner;
  std::optional<PartedModel> model, other;
  Side subject, against;
  std::string artifact; ///< of --against
  Groups groups;
  llvm::StringMap<std::set<int>> groupsOf; ///< of nodes
  llvm::StringMap<const Part *> makers;    ///< of values
  llvm::StringMap<std::vector<const Part *>> readers;
  Question whole;
  PartedModel::Taking all; ///< every value
  Values right;            ///< of the reference, all values
  Findings findings;
};

} // namespace

//===-- The sides ---------------------------------------------------------===//

static Expected<PartedModel> readModel(const std::string &path,
                                       const CompareOptions &options) {
  auto model = PartedModel::read(path);
  if (!model)
    return model;
  for (const auto &[name, size] : options.dims)
    model->fixDim(name, size);
  model->nameNodes();
  return model;
}

llvm::Error Comparison::readSides() {
  auto read = readModel(options.model, options);
  if (!read)
    return read.takeError();
  model = std::move(*read);
  subject = {&*model, options.compiler, options.flags};
  against = {&*model, "", {}};
  StringRef other = options.against;
  if (other == "interpreter")
    return llvm::Error::success();
  if (other.starts_with("-")) {
    llvm::SmallVector<StringRef> flags;
    other.split(flags, ' ', -1, /*KeepEmpty=*/false);
    against.compiler = options.compiler;
    against.flags.assign(flags.begin(), flags.end());
  } else if (other.ends_with(".onnx") || other.ends_with(".onnxtxt")) {
    read = readModel(options.against, options);
    if (!read)
      return read.takeError();
    this->other = std::move(*read);
    against.model = &*this->other;
  } else {
    artifact = options.against;
  }
  return llvm::Error::success();
}

Expected<Values> Comparison::reference(const Question &question) const {
  return artifact.empty() ? runner.evaluate(against, question)
                          : runner.run(artifact, question.inputs);
}

//===-- Values between kernels --------------------------------------------===//

llvm::Error Comparison::readGroups() {
  // Without a report outputs are compared; what else is wrong shows there.
  if (auto read = runner.groups(subject, whole))
    groups = std::move(*read);
  else
    llvm::consumeError(read.takeError());
  findings.groups = groups.size();
  for (size_t i = 0; i < groups.size(); ++i)
    for (const std::string &node : groups[i])
      groupsOf[node].insert(int(i));
  for (const Part &part : model->parts()) {
    for (const std::string &value : part.makes)
      makers[value] = &part;
    for (const std::string &value : part.reads)
      readers[value].push_back(&part);
  }
  return llvm::Error::success();
}

/// Values that go from one kernel to others are outputs, too: they are in
/// memory as it is. Of the reference all are.
void Comparison::findBorders() {
  for (const Part &part : model->parts()) {
    auto own = groupsOf.find(part.name);
    for (const std::string &value : part.makes) {
      all.shown.insert(value);
      for (const Part *reader : readers.lookup(value)) {
        auto others = groupsOf.find(reader->name);
        if (own != groupsOf.end() && others != groupsOf.end() &&
            own->second != others->second)
          whole.taking.shown.insert(value);
      }
    }
  }
}

/// A tensor of a file; false where it cannot be read.
static bool readValue(const Values &values, StringRef name,
                      run::Tensor &tensor) {
  auto file = values.find(name);
  if (file == values.end())
    return false;
  auto read = run::readTensor(file->second);
  if (!read)
    return false;
  tensor = std::move(*read);
  return true;
}

bool Comparison::isBeyond(const Difference &difference,
                          tenon_dtype type) const {
  double tolerance =
      options.tolerance >= 0 ? options.tolerance : toleranceOf(type);
  return difference.relative() > tolerance;
}

/// What both have, in the order of the model.
std::vector<Row> Comparison::rowsOf(const Values &left,
                                    const Values &right) const {
  std::vector<Row> rows;
  for (const Part &part : model->parts())
    for (const std::string &value : part.makes) {
      run::Tensor got, expected;
      if (!readValue(left, value, got) || !readValue(right, value, expected))
        continue;
      auto group = groupsOf.find(part.name);
      Row row{value, part.name, part.op, -1, differ(got, expected), false};
      if (group != groupsOf.end() && !group->second.empty())
        row.group = *group->second.rbegin();
      row.differs = isBeyond(row.difference, expected.spec.type);
      rows.push_back(std::move(row));
    }
  return rows;
}

llvm::Error Comparison::compareBorders() {
  Question everything = whole;
  everything.taking = all;
  auto values = reference(everything);
  if (!values)
    return values.takeError();
  right = std::move(*values);
  auto left = runner.evaluate(subject, whole);
  if (!left) {
    // A kernel that touches what it may not can end the run.
    std::string said = llvm::toString(left.takeError());
    searchMemory();
    return findings.cause == Cause::Memory ? llvm::Error::success()
                                           : llvm::createStringError(said);
  }
  findings.rows = rowsOf(*left, right);
  auto seen = runner.groups(subject, whole);
  findings.sameGroups = groups.empty() || (seen && *seen == groups);
  if (!seen)
    llvm::consumeError(seen.takeError());
  return llvm::Error::success();
}

//===-- One kernel --------------------------------------------------------===//

/// Adds a node and those of no kernel that it needs: constants and sizes.
void Comparison::addWithFreeNodes(const std::string &node,
                                  Question &question) const {
  llvm::SmallVector<std::string> open = {node};
  while (!open.empty()) {
    std::string name = open.pop_back_val();
    if (!question.nodes.insert(name).second)
      continue;
    for (const Part &part : model->parts())
      if (part.name == name)
        for (const std::string &value : part.reads)
          if (const Part *maker = makers.lookup(value);
              maker && !groupsOf.count(maker->name))
            open.push_back(maker->name);
  }
}

/// These nodes, on what the reference computed.
Question Comparison::questionOf(llvm::ArrayRef<std::string> nodes) const {
  Question question;
  for (const std::string &node : nodes)
    addWithFreeNodes(node, question);
  llvm::StringSet<> read;
  for (const Part &part : model->parts())
    if (question.nodes.contains(part.name))
      read.insert(part.reads.begin(), part.reads.end());
  for (const std::string &input : options.inputs) {
    auto [name, source] = StringRef(input).split('=');
    if (source.empty() || read.contains(name))
      question.inputs.push_back(input);
  }
  for (const auto &value : read) {
    const Part *maker = makers.lookup(value.getKey());
    auto file = right.find(value.getKey());
    if (maker && !question.nodes.contains(maker->name) && file != right.end())
      question.inputs.push_back(value.getKey().str() + "=" + file->second);
  }
  llvm::sort(question.inputs);
  return question;
}

/// Whether a value of these nodes differs; then its node is to blame.
bool Comparison::blame(const Question &question, const Values &right,
                       Cause cause) {
  auto left = runner.evaluate(subject, question);
  if (!left) {
    llvm::consumeError(left.takeError());
    return false;
  }
  for (const Row &row : rowsOf(*left, right)) {
    if (!row.differs)
      continue;
    findings.cause = cause;
    findings.node = row.node;
    findings.op = row.op;
    findings.value = row.value;
    findings.difference = row.difference;
    return true;
  }
  return false;
}

/// Looks for the first node with which a kernel is wrong.
bool Comparison::searchFused(const Row &suspect, const Values &right) {
  std::vector<std::string> nodes;
  for (const std::string &node : groups[suspect.group]) {
    nodes.push_back(node);
    if (blame(questionOf(nodes), right, Cause::Fused))
      return true;
  }
  return false;
}

/// Where looking at values changed the kernels, and nothing differed then: the
/// outputs of the model as it is, and each of its kernels alone.
llvm::Error Comparison::searchUnseen() {
  Question plain;
  plain.inputs = options.inputs;
  auto left = runner.evaluate(subject, plain);
  if (!left)
    return left.takeError();
  for (Row &row : rowsOf(*left, right))
    if (row.differs)
      findings.rows.push_back(std::move(row));
  bool differs = llvm::any_of(findings.rows, [](auto &r) { return r.differs; });
  for (size_t i = 0; differs && i < groups.size(); ++i)
    if (!groups[i].empty() &&
        searchGroup({"", groups[i].front(), "", int(i), {}, false}))
      return llvm::Error::success();
  return llvm::Error::success();
}

/// Whether a node of the kernel computes something else from the same inputs.
bool Comparison::searchGroup(const Row &suspect) {
  std::vector<std::string> nodes = {suspect.node};
  if (suspect.group >= 0)
    nodes = groups[suspect.group];
  Question question = questionOf(nodes);
  for (const auto &node : question.nodes)
    for (const Part &part : model->parts())
      if (part.name == node.getKey())
        question.taking.shown.insert(part.makes.begin(), part.makes.end());
  auto values = reference(question);
  if (!values) {
    llvm::consumeError(values.takeError());
    return false;
  }
  Question apart = question;
  apart.flags.push_back("--fusion=off");
  return blame(apart, *values, Cause::Alone) ||
         (suspect.group >= 0 && searchFused(suspect, *values));
}

/// The kernel that the run time names when it guards buffers; of one node where
/// it does so without fusion, too.
void Comparison::searchMemory() {
  for (const char *fusion : {"--fusion=off", ""})
    for (const char *guard : {"--guard-memory=above", "--guard-memory=below"})
      if (findings.cause == Cause::None)
        searchMemory({fusion, guard});
}

/// Whether the run time names a kernel; then its first node is to blame.
bool Comparison::touchesForeign(const Question &question) {
  auto values = runner.evaluate(subject, question);
  if (values)
    return false;
  std::string said = llvm::toString(values.takeError());
  llvm::SmallVector<StringRef> found;
  if (!llvm::Regex("\\(nodes? '([^']+)'").match(said, &found))
    return false;
  findings.cause = Cause::Memory;
  findings.node = found[1].str();
  findings.note = said;
  return true;
}

void Comparison::searchMemory(std::vector<std::string> flags) {
  llvm::erase(flags, "");
  Question guarded = whole;
  guarded.flags = flags;
  if (!touchesForeign(guarded))
    return;
  auto group = groupsOf.find(findings.node);
  if (flags.size() > 1 || group == groupsOf.end())
    return;
  narrowMemory(groups[*group->second.begin()], flags);
}

/// Of a kernel of several nodes, the fewest in a row that do it; the first of
/// these is to blame.
void Comparison::narrowMemory(llvm::ArrayRef<std::string> nodes,
                              const std::vector<std::string> &flags) {
  auto touch = [&](llvm::ArrayRef<std::string> some) {
    Question question = questionOf(some);
    question.flags = flags;
    return touchesForeign(question);
  };
  size_t end = 1;
  while (end < nodes.size() && !touch(nodes.take_front(end)))
    ++end;
  size_t begin = end - 1;
  while (begin > 0 && !touch(nodes.slice(begin, end - begin)))
    --begin;
  findings.node = nodes[begin];
}

void Comparison::search() {
  // Errors go on from node to node: what follows the first few is of them.
  constexpr int most = 8;
  std::set<int> tried;
  const Row *first = nullptr;
  for (const Row &row : findings.rows) {
    if (!row.differs)
      continue;
    first = first ? first : &row;
    if (int(tried.size()) == most || !tried.insert(row.group).second)
      continue;
    if (artifact.empty() && searchGroup(row))
      return;
  }
  if (!first)
    return;
  if (artifact.empty())
    searchMemory();
  if (findings.cause != Cause::None)
    return;
  findings.cause = artifact.empty() ? Cause::Unknown : Cause::Outputs;
  findings.node = first->node;
  findings.op = first->op;
  findings.value = first->value;
  findings.difference = first->difference;
}

Expected<Findings> Comparison::run() {
  if (llvm::Error error = readSides())
    return std::move(error);
  whole.inputs = options.inputs;
  if (llvm::Error error = readGroups())
    return std::move(error);
  findBorders();
  if (llvm::Error error = compareBorders())
    return std::move(error);
  if (findings.rows.empty() && findings.cause == Cause::None)
    return llvm::createStringError(
        "the reference has no node whose values the model has, too");
  bool isSame =
      llvm::none_of(findings.rows, [](auto &row) { return row.differs; });
  if (isSame && !findings.sameGroups && artifact.empty())
    if (llvm::Error error = searchUnseen())
      return std::move(error);
  if (findings.cause == Cause::None)
    search();
  return std::move(findings);
}

Expected<Findings> tenon::compare::compareModel(const CompareOptions &options) {
  ScratchFolder folder;
  if (llvm::Error error = folder.create())
    return std::move(error);
  return Comparison(options, folder.name().str()).run();
}
