//===- Reader.cpp - the text of a module ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads modules: directives, variables, functions.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Reader.h"

#include <algorithm>
#include <cstring>

using namespace tenon;
using namespace tenon::emulate;

Reader::Reader(Program &program)
    : program(program), module{program, {}, {}, {}, 0, {}, {}},
      scanner(program.text) {
  for (auto *family :
       {addArithmetic, addBits, addFloats, addConversions, addComparisons,
        addMoves, addControl, addAccesses, addAtomics, addShuffles, addMatrices,
        addWarpgroups, addCopies, addBarriers, addMBarriers})
    family(module.table);
}

Status Reader::read() {
  while (!scanner.atEnd())
    directive();
  Scanner last = scanner;
  for (Scanner &start : entries) {
    if (!last.error().empty())
      break;
    scanner = start;
    entry();
    last = scanner;
  }
  if (last.error().empty()) {
    finishShared();
    finishCalls();
    last = scanner;
  }
  if (!last.error().empty())
    return Error{"PTX: " + last.error()};
  return Done();
}

void Reader::directive() {
  if (!scanner.accept('.')) {
    scanner.fail(std::string("expected a directive, found '") + scanner.peek() +
                 "'");
    return;
  }
  std::string_view word = scanner.word();
  if (word == "version" || word == "target" || word == "address_size" ||
      word == "file" || word == "loc") {
    scanner.restOfLine();
  } else if (word == "section") {
    scanner.upTo('{');
    scanner.upTo('}');
  } else if (word == "pragma")
    scanner.upTo(';');
  else if (word == "visible" || word == "weak" || word == "common")
    linkage();
  else if (word == "extern") {
    scanner.expect('.');
    word = scanner.word();
    if (word == "func")
      deviceFunction();
    else
      variable(word == "shared" ? Space::shared : Space::global, true);
  } else if (word == "func")
    deviceFunction();
  else if (word == "entry") {
    entries.push_back(scanner);
    scanner.upTo('{');
    for (unsigned open = 1; open != 0 && !scanner.atEnd();) {
      char c = scanner.peek();
      open += c == '{';
      open -= c == '}';
      scanner.accept(c);
    }
  } else if (word == "global" || word == "const" || word == "shared")
    variable(word == "global"  ? Space::global
             : word == "const" ? Space::constant
                               : Space::shared,
             false);
  else
    scanner.fail("unknown directive '." + std::string(word) + "'");
}

/// What stands behind ".visible" is a directive of its own.
void Reader::linkage() {
  if (scanner.peek() != '.')
    scanner.fail("expected a directive");
}

Declaration tenon::emulate::scanDeclaration(Scanner &scanner) {
  Declaration result;
  unsigned vector = 1;
  while (scanner.accept('.')) {
    std::string_view word = scanner.word();
    if (word == "align") {
      int64_t alignment = scanner.integer();
      if (alignment < 1 || alignment > 4096 || (alignment & (alignment - 1)))
        scanner.fail("a wrong alignment");
      else
        result.alignment = alignment;
    } else if (word == "v2" || word == "v4")
      vector = word[1] - '0';
    else if (typeNamed(word) != Type::none)
      result.type = typeNamed(word);
  }
  result.name = scanner.word();
  result.count = vector;
  while (scanner.accept('[')) {
    if (scanner.accept(']')) {
      result.open = true;
      continue;
    }
    int64_t size = scanner.integer();
    scanner.expect(']');
    if (size < 0 || size > int64_t(1) << 32 || result.count > 1u << 30)
      scanner.fail("a wrong size");
    else
      result.count *= size;
  }
  if (result.type == Type::none || result.name.empty())
    scanner.fail("a wrong declaration");
  result.alignment = std::max(result.alignment, bytesOf(result.type) * vector);
  return result;
}

void Reader::variable(Space space, bool isExternal) {
  Declaration declaration = scanDeclaration(scanner);
  std::vector<uint8_t> contents;
  if (scanner.accept('='))
    initialValue(declaration, contents);
  scanner.expect(';');
  Symbol symbol;
  symbol.kind = Symbol::variable;
  symbol.space = space;
  if (declaration.bytes() > uint64_t(1) << 34)
    scanner.fail("the variable is too large");
  if (space == Space::global) {
    if (isExternal)
      scanner.fail("'" + std::string(declaration.name) +
                   "' is not in this module");
    symbol.kind = Symbol::global;
    symbol.place = int64_t(program.globals.size());
    program.globals.push_back(
        {std::string(declaration.name), 0, declaration.bytes()});
    program.initial.push_back(std::move(contents));
  } else if (isExternal || declaration.open) {
    symbol.size = UINT32_MAX; // dynamic
  } else if (space == Space::shared) {
    uint64_t begin = alignUp(module.staticShared, declaration.alignment);
    symbol.place = int64_t(begin + window::first);
    module.staticShared =
        std::min<uint64_t>(begin + declaration.bytes(), uint64_t(1) << 22);
  } else {
    uint64_t begin = alignUp(program.bank.size(), declaration.alignment);
    symbol.place = int64_t(begin + window::first);
    if (begin + declaration.bytes() > 65536) {
      scanner.fail("more than 64 KiB of constants");
      return;
    }
    program.bank.resize(begin + declaration.bytes());
    std::copy(contents.begin(), contents.end(), program.bank.begin() + begin);
  }
  module.names.insert_or_assign(std::string(declaration.name), symbol);
}

void Reader::initialValue(const Declaration &declaration,
                          std::vector<uint8_t> &to) {
  initialList(declaration.type, to, 0);
  if (to.size() > declaration.bytes())
    scanner.fail("'" + std::string(declaration.name) +
                 "' has too many initial values");
}

void Reader::initialList(Type type, std::vector<uint8_t> &to, unsigned depth) {
  if (depth > 8) {
    scanner.fail("initial values are nested too deep");
    return;
  }
  if (scanner.accept('{')) {
    do
      initialList(type, to, depth + 1);
    while (scanner.accept(','));
    scanner.expect('}');
    return;
  }
  Operand value = scanner.operand();
  if (value.kind != Operand::integer && value.kind != Operand::real) {
    scanner.fail("an initial value is no number");
    return;
  }
  const auto *bytes = reinterpret_cast<const uint8_t *>(&value.value);
  to.insert(to.end(), bytes, bytes + bytesOf(type));
}

/// Space for parameters in order, "(.param ..., .param ...)".
static void slots(Scanner &scanner, Decoder &decoder,
                  std::vector<CallSlot> &to) {
  if (!scanner.accept('(') || scanner.accept(')'))
    return;
  do {
    if (!scanner.acceptWord(".param"))
      scanner.fail("parameters must be in .param");
    Declaration declaration = scanDeclaration(scanner);
    decoder.declareSlot(declaration.name, declaration.bytes(),
                        declaration.alignment, to);
  } while (scanner.accept(','));
  scanner.expect(')');
}

void Reader::deviceFunction() {
  Function function;
  function.registerBytes = functionRegisters;
  function.localBytes = functionLocals;
  Decoder decoder(module, scanner, function);
  slots(scanner, decoder, function.results);
  function.name = scanner.word();
  slots(scanner, decoder, function.arguments);
  while (scanner.accept('.')) // .noreturn
    scanner.word();
  if (scanner.accept(';'))
    return;
  function.returnTo = decoder.scratch(4);
  decoder.body();
  functionRegisters = function.registerBytes;
  functionLocals = function.localBytes;
  program.functions.push_back(std::move(function));
}

Extent Reader::extent() {
  Extent result = {1, 1, 1};
  for (unsigned i = 0; i < 3; ++i) {
    result[i] = scanner.integer();
    if (!scanner.accept(','))
      break;
  }
  return result;
}

void Reader::entryDirectives(Kernel &kernel) {
  while (scanner.accept('.')) {
    std::string_view word = scanner.word();
    if (word == "maxntid" || word == "reqntid") {
      Extent threads = extent();
      if (word == "reqntid")
        kernel.requiredThreads = threads;
      kernel.maxThreads = threads[0] * threads[1] * threads[2];
    } else if (word == "reqnctapercluster") {
      kernel.cluster = extent();
      kernel.clusterRequired = true;
    } else if (word == "minnctapersm" || word == "maxnreg" ||
               word == "maxclusterrank")
      scanner.integer();
    else if (word != "explicitcluster" && word != "blocksareclusters")
      scanner.fail("unknown directive '." + std::string(word) + "'");
  }
}

void Reader::entryParameters(Kernel &kernel, Decoder &decoder) {
  if (!scanner.accept('(') || scanner.accept(')'))
    return;
  do {
    if (!scanner.acceptWord(".param"))
      scanner.fail("parameters must be in .param");
    Declaration declaration = scanDeclaration(scanner);
    Parameter parameter;
    parameter.name = declaration.name;
    parameter.size = declaration.bytes();
    // ".ptr .align n" is what the pointer points to.
    parameter.alignment = declaration.count == 1 ? bytesOf(declaration.type)
                                                 : declaration.alignment;
    parameter.offset = alignUp(kernel.parameterBytes, parameter.alignment);
    kernel.parameterBytes = parameter.offset + parameter.size;
    if (kernel.parameterBytes > 32768)
      scanner.fail("too many parameters");
    Symbol symbol;
    symbol.kind = Symbol::variable;
    symbol.space = Space::param;
    symbol.place = parameter.offset + window::first;
    decoder.declare(declaration.name, symbol);
    kernel.parameters.push_back(std::move(parameter));
  } while (scanner.accept(','));
  scanner.expect(')');
}

void Reader::entry() {
  Function function;
  function.registerBytes = functionRegisters;
  function.localBytes = functionLocals;
  Kernel kernel;
  function.name = kernel.name = scanner.word();
  Decoder decoder(module, scanner, function);
  entryParameters(kernel, decoder);
  entryDirectives(kernel);
  decoder.body();
  kernel.localBytes = function.localBytes;
  kernel.program = &program;
  kernel.entry = program.functions.size();
  program.functions.push_back(std::move(function));
  program.kernels.push_back(std::move(kernel));
}

/// Dynamic shared memory begins behind the static one.
void Reader::finishShared() {
  program.dynamicShared =
      alignUp(window::first + module.staticShared, window::first);
  for (Kernel &kernel : program.kernels)
    kernel.sharedBytes = module.staticShared;
  for (auto [ref, bytes] : module.dynamicConstants) {
    uint8_t *place = program.constants.data() + ~ref;
    int64_t value = 0;
    std::memcpy(&value, place, bytes);
    value += program.dynamicShared;
    for (unsigned lane = 0; lane < lanes; ++lane)
      std::memcpy(place + lane * bytes, &value, bytes);
  }
}

void Reader::finishCalls() {
  for (auto &[number, name] : module.calls) {
    Call &call = program.calls[number];
    auto found =
        std::find_if(program.functions.begin(), program.functions.end(),
                     [&](const Function &other) {
                       return other.returnTo != noRef && other.name == name;
                     });
    if (found == program.functions.end()) {
      scanner.fail("function '" + name + "' has no body");
      return;
    }
    call.function = found - program.functions.begin();
    auto sameSizes = [](const std::vector<CallSlot> &one,
                        const std::vector<CallSlot> &other) {
      return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                        [](auto &a, auto &b) { return a.size == b.size; });
    };
    if (!sameSizes(call.arguments, found->arguments) ||
        !sameSizes(call.results, found->results))
      scanner.fail("a call of '" + name + "' has other parameters than it has");
  }
  checkRecursion();
}

/// A function has its registers once, so it must not be called by itself.
void Reader::checkRecursion() {
  std::vector<Function> &all = program.functions;
  std::map<std::string, std::vector<std::string>> calls;
  for (Function &function : all)
    if (function.returnTo != noRef)
      calls[function.name] = function.callees;
  // Functions that call none are removed until none is left.
  for (bool isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (auto it = calls.begin(); it != calls.end();) {
      bool isLeaf = std::none_of(
          it->second.begin(), it->second.end(),
          [&](const std::string &name) { return calls.count(name) != 0; });
      it = isLeaf ? calls.erase(it) : std::next(it);
      isSmaller |= isLeaf;
    }
  }
  if (!calls.empty())
    scanner.fail("function '" + calls.begin()->first + "' calls itself");
}
