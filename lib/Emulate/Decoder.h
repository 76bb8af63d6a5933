//===- Decoder.h - from statements to operations ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is what the families of instructions use to turn a statement into
// an operation: modifiers, operands as references, names in scopes.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_DECODER_H
#define TENON_LIB_EMULATE_DECODER_H

#include "lib/Emulate/Program.h"
#include "lib/Emulate/Syntax.h"

#include <unordered_map>

namespace tenon::emulate {

/// What a name stands for.
struct Symbol {
  enum Kind : uint8_t {
    reg,      ///< of `type`, at `place`
    family,   ///< registers %r0 to %r(size - 1); `places` by number
    variable, ///< in `space`, at `place`
    global,   ///< number `place` of Program::globals
    slot,     ///< a parameter of a call, in local memory
  };
  Kind kind = reg;
  Type type = Type::none;
  Space space = Space::generic;
  int64_t place = 0;
  uint32_t size = 0;
  std::vector<Ref> places;
};

using Symbols = std::map<std::string, Symbol, std::less<>>;

class Decoder;
/// Fills an operation; all fields that it does not set stay as they are.
using DecodeFunction = void (*)(Decoder &, Op &);
using DecodeTable = std::unordered_map<std::string_view, DecodeFunction>;

/// What all functions of a module share while it is read.
struct ModuleContext {
  Program &program;
  Symbols names;
  DecodeTable table;
  std::map<std::pair<uint64_t, unsigned>, Ref> constants;
  uint32_t staticShared = 0;
  /// Constants that become addresses in dynamic shared memory, which begins
  /// behind all static variables.
  std::vector<std::pair<Ref, unsigned>> dynamicConstants; ///< and their bytes
  std::vector<std::pair<uint32_t, std::string>>
      calls; ///< Program::calls' names
};

/// Reads one function.
class Decoder {
public:
  Decoder(ModuleContext &module, Scanner &scanner, Function &function);
  /// The block in braces that comes next.
  void body();
  void declareSlot(std::string_view name, uint32_t size, uint32_t alignment,
                   std::vector<CallSlot> &slots);
  void declare(std::string_view name, Symbol symbol);

  // For families of instructions; all look at `statement`.
  Statement statement;
  ModuleContext &module;
  Program &program;
  Function &function;

  void fail(const std::string &what);
  bool failed() const { return !scanner.error().empty(); }
  /// Whether the opcode has this modifier; each must be taken by someone.
  bool take(std::string_view modifier);
  /// Takes the first modifier of these that is there; its index, or -1.
  int takeOneOf(std::initializer_list<const char *> modifiers);
  /// The next modifier that is a type.
  Type takeType();
  /// The next modifier that begins with `prefix`, less the prefix.
  std::string_view takeNumbered(std::string_view prefix);
  /// Takes what only says how fast or how visible an access is.
  void takeHints();

  size_t operands() const { return statement.operands.size(); }
  const Operand &operand(size_t index);
  void needOperands(size_t least, size_t most);
  /// A value of `bytes` bytes.
  Ref source(size_t index, unsigned bytes);
  Ref source(const Operand &operand, unsigned bytes);
  /// A value in a register of this many bytes or more; `bytes` becomes the
  /// register's.
  Ref wideSource(const Operand &operand, unsigned least, uint8_t &bytes);
  Ref destination(size_t index, unsigned bytes);
  Ref destination(const Operand &operand, unsigned bytes);
  Ref wideDestination(const Operand &operand, unsigned least, uint8_t &bytes);
  Ref predicate(const Operand &operand);
  /// The number of an operand that must be one.
  int64_t immediate(size_t index);
  /// Operand `a` and `value` of an address; `aBytes` of the register.
  void address(size_t index, Op &op);
  void address(const Operand &operand, Op &op);
  Ref constant(uint64_t value, unsigned bytes);
  /// Puts operands into Program::lists.
  void setList(Op &op, const std::vector<Ref> &refs);
  const Symbol *lookUp(std::string_view name, Ref *place = nullptr);
  Ref scratch(unsigned bytes);
  /// A label, resolved when its scope ends.
  void branchTo(std::string_view label);
  void targetsOf(std::string_view label, Op &op);
  std::vector<CallSlot> slotsOf(const Operand &list);

private:
  struct Scope {
    Symbols names;
    std::map<std::string, uint32_t, std::less<>> labels;
    std::vector<std::pair<std::string, uint32_t>> branches; ///< label, op
    std::map<std::string, std::vector<std::string>, std::less<>> tables;
    std::vector<std::pair<std::string, uint32_t>> tableBranches;
  };
  void item();
  void directive();
  void registers();
  void variables(Space space);
  void callParameters();
  void instruction();
  void beginOperation();
  void closeScope();
  void branchTable(std::string_view label);
  Ref newRegister(Type type);
  Ref symbolAddress(const Symbol &symbol, int64_t added, unsigned bytes);
  Ref registerNamed(const Operand &operand, Type &type);

  Scanner &scanner;
  std::vector<Scope> scopes;
  std::vector<bool> taken; ///< of the opcode's parts
};

/// Rounds up to a multiple of a power of two.
inline uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

/// "{.align n} .type name{[count]}", behind the space: a variable.
struct Declaration {
  std::string_view name;
  Type type = Type::none;
  uint32_t alignment = 1;
  uint64_t count = 1;
  bool open = false; ///< name[]
  uint64_t bytes() const { return count * bytesOf(type); }
};
Declaration scanDeclaration(Scanner &scanner);

/// Instructions that begin with "cp.async.bulk".
void decodeBulk(Decoder &decoder, Op &op);

// The families, each in a file of its own.
void addArithmetic(DecodeTable &table);
void addBits(DecodeTable &table);
void addFloats(DecodeTable &table);
void addConversions(DecodeTable &table);
void addComparisons(DecodeTable &table);
void addMoves(DecodeTable &table);
void addControl(DecodeTable &table);
void addAccesses(DecodeTable &table);
void addAtomics(DecodeTable &table);
void addShuffles(DecodeTable &table);
void addMatrices(DecodeTable &table);
void addWarpgroups(DecodeTable &table);
void addCopies(DecodeTable &table);
void addBarriers(DecodeTable &table);
void addMBarriers(DecodeTable &table);

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_DECODER_H
