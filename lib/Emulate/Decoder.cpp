//===- Decoder.cpp - from statements to operations ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file goes through the body of a function: scopes, declarations, labels.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Decoder.h"

#include <algorithm>

using namespace tenon::emulate;

Decoder::Decoder(ModuleContext &module, Scanner &scanner, Function &function)
    : module(module), program(module.program), function(function),
      scanner(scanner) {
  scopes.emplace_back();
}

void Decoder::fail(const std::string &what) { scanner.fail(what); }

void Decoder::body() {
  scanner.expect('{');
  size_t outer = scopes.size();
  function.begin = program.code.size();
  do
    item();
  while (scopes.size() >= outer && !scanner.atEnd());
  if (scopes.size() >= outer)
    fail("the function has no end");
  // Who runs off the end returns.
  beginOperation();
  statement = {};
  statement.opcode = {"ret"};
  module.table.at("ret")(*this, program.code.back());
  function.end = program.code.size();
}

void Decoder::item() {
  if (scanner.accept('{')) {
    scopes.emplace_back();
    return;
  }
  if (scanner.accept('}')) {
    closeScope();
    return;
  }
  if (scanner.peek() == '.') {
    directive();
    return;
  }
  std::string_view label = scanner.label();
  if (label.empty()) {
    instruction();
    return;
  }
  if (scanner.peek() == '.' && scanner.acceptWord(".branchtargets")) {
    branchTable(label);
    return;
  }
  bool isNew = scopes.back()
                   .labels.emplace(std::string(label), program.code.size())
                   .second;
  if (!isNew)
    fail("label '" + std::string(label) + "' is defined twice");
}

void Decoder::branchTable(std::string_view label) {
  std::vector<std::string> targets;
  do
    targets.emplace_back(scanner.word());
  while (scanner.accept(','));
  scanner.expect(';');
  scopes.back().tables.emplace(std::string(label), std::move(targets));
}

/// Branches to labels of this scope are resolved; others may be meant for
/// labels of the scope around it.
void Decoder::closeScope() {
  Scope scope = std::move(scopes.back());
  scopes.pop_back();
  for (auto &[label, op] : scope.branches) {
    auto found = scope.labels.find(label);
    if (found != scope.labels.end())
      program.code[op].target = found->second;
    else if (!scopes.empty())
      scopes.back().branches.emplace_back(label, op);
    else
      fail("there is no label '" + label + "'");
  }
  for (auto &[name, op] : scope.tableBranches) {
    auto table = scope.tables.find(name);
    std::vector<uint32_t> targets;
    if (table == scope.tables.end()) {
      fail("there is no list of targets '" + name + "'");
      return;
    }
    for (const std::string &label : table->second) {
      auto found = scope.labels.find(label);
      if (found == scope.labels.end())
        fail("there is no label '" + label + "'");
      else
        targets.push_back(found->second);
    }
    program.code[op].value = int64_t(program.branchTargets.size());
    program.branchTargets.push_back(std::move(targets));
  }
}

void Decoder::branchTo(std::string_view label) {
  scopes.back().branches.emplace_back(std::string(label),
                                      program.code.size() - 1);
}

void Decoder::targetsOf(std::string_view label, Op &) {
  scopes.back().tableBranches.emplace_back(std::string(label),
                                           program.code.size() - 1);
}

void Decoder::directive() {
  if (scanner.acceptWord(".reg"))
    registers();
  else if (scanner.acceptWord(".local"))
    variables(Space::local);
  else if (scanner.acceptWord(".shared"))
    variables(Space::shared);
  else if (scanner.acceptWord(".param"))
    callParameters();
  else if (scanner.acceptWord(".pragma"))
    scanner.upTo(';');
  else if (scanner.acceptWord(".loc"))
    scanner.restOfLine();
  else {
    scanner.accept('.');
    fail("unknown directive '." + std::string(scanner.word()) + "'");
  }
}

Ref Decoder::newRegister(Type type) {
  uint32_t bytes = type == Type::pred ? 4 : std::max(bytesOf(type), 2u) * lanes;
  uint32_t place = alignUp(function.registerBytes, std::min(bytes, 64u));
  function.registerBytes = place + bytes;
  if (function.registerBytes > 1u << 28)
    fail("too many registers");
  return Ref(place);
}

Ref Decoder::scratch(unsigned bytes) {
  return newRegister(bytes == 8 ? Type::b64 : Type::b32);
}

/// ".reg .b32 %r<5>, %x;"
void Decoder::registers() {
  scanner.accept('.');
  std::string_view word = scanner.word();
  Type type = typeNamed(word);
  if (type == Type::none)
    fail("unknown type of registers '." + std::string(word) + "'");
  do {
    std::string_view name = scanner.word();
    Symbol symbol;
    symbol.type = type;
    if (scanner.accept('<')) {
      symbol.kind = Symbol::family;
      int64_t count = scanner.integer();
      scanner.expect('>');
      if (count < 0 || count > 1 << 24)
        fail("too many registers");
      else
        symbol.places.assign(count, noRef);
    } else
      symbol.place = newRegister(type);
    declare(name, std::move(symbol));
  } while (!failed() && scanner.accept(','));
  scanner.expect(';');
}

void Decoder::declare(std::string_view name, Symbol symbol) {
  if (name.empty())
    fail("expected a name");
  scopes.back().names.insert_or_assign(std::string(name), std::move(symbol));
}

void Decoder::variables(Space space) {
  Declaration declaration = scanDeclaration(scanner);
  scanner.expect(';');
  uint32_t &bytes =
      space == Space::local ? function.localBytes : module.staticShared;
  Symbol symbol;
  symbol.kind = Symbol::variable;
  symbol.space = space;
  uint64_t begin = alignUp(bytes, declaration.alignment);
  if (begin + declaration.bytes() > 1u << 22) {
    fail("the variable is too large");
    return;
  }
  symbol.place = int64_t(begin + window::first);
  bytes = begin + declaration.bytes();
  declare(declaration.name, std::move(symbol));
}

void Decoder::callParameters() {
  Declaration declaration = scanDeclaration(scanner);
  scanner.expect(';');
  std::vector<CallSlot> slots;
  declareSlot(declaration.name, declaration.bytes(), declaration.alignment,
              slots);
}

void Decoder::declareSlot(std::string_view name, uint32_t size,
                          uint32_t alignment, std::vector<CallSlot> &slots) {
  Symbol symbol;
  symbol.kind = Symbol::slot;
  symbol.space = Space::local;
  uint32_t begin = alignUp(function.localBytes, std::max(alignment, 8u));
  symbol.place = begin + window::first;
  symbol.size = size;
  function.localBytes = begin + size;
  slots.push_back({begin, size});
  declare(name, std::move(symbol));
}

void Decoder::beginOperation() {
  program.code.emplace_back();
  program.readBegins.push_back(program.reads.size());
  program.writeBegins.push_back(program.writes.size());
}

void Decoder::instruction() {
  statement = scanner.statement();
  if (failed())
    return;
  std::string_view name = statement.opcode[0];
  auto found = module.table.find(name);
  if (found == module.table.end()) {
    fail("unknown instruction '" + std::string(name) + "'");
    return;
  }
  taken.assign(statement.opcode.size(), false);
  taken[0] = true;
  beginOperation();
  Op op;
  op.line = statement.line;
  if (!statement.guard.empty()) {
    Operand guard;
    guard.kind = Operand::name;
    guard.text = statement.guard;
    op.guard = predicate(guard);
    op.guardNegated = statement.guardNegated;
  }
  found->second(*this, op);
  program.code.back() = op;
  for (size_t i = 0; i < taken.size() && !failed(); ++i)
    if (!taken[i])
      fail("unknown modifier '." + std::string(statement.opcode[i]) + "' of '" +
           std::string(name) + "'");
  if (!failed() && !op.run)
    fail("this form of '" + std::string(name) + "' is unknown");
}
