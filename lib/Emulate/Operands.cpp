//===- Operands.cpp - names, numbers and modifiers of instructions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file turns operands into references.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Decoder.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

using namespace tenon::emulate;

bool Decoder::take(std::string_view modifier) {
  for (size_t i = 1; i < statement.opcode.size(); ++i)
    if (!taken[i] && statement.opcode[i] == modifier) {
      taken[i] = true;
      return true;
    }
  return false;
}

int Decoder::takeOneOf(std::initializer_list<const char *> modifiers) {
  int index = 0;
  for (const char *modifier : modifiers) {
    if (take(modifier))
      return index;
    ++index;
  }
  return -1;
}

Type Decoder::takeType() {
  for (size_t i = 1; i < statement.opcode.size(); ++i)
    if (!taken[i] && typeNamed(statement.opcode[i]) != Type::none) {
      taken[i] = true;
      return typeNamed(statement.opcode[i]);
    }
  return Type::none;
}

std::string_view Decoder::takeNumbered(std::string_view prefix) {
  for (size_t i = 1; i < statement.opcode.size(); ++i) {
    std::string_view part = statement.opcode[i];
    if (!taken[i] && part.size() > prefix.size() && part.starts_with(prefix) &&
        part[prefix.size()] >= '0' && part[prefix.size()] <= '9') {
      taken[i] = true;
      return part.substr(prefix.size());
    }
  }
  return {};
}

void Decoder::takeHints() {
  static constexpr std::string_view hints[] = {"weak",
                                               "cta",
                                               "cluster",
                                               "gpu",
                                               "sys",
                                               "ca",
                                               "cg",
                                               "cs",
                                               "lu",
                                               "cv",
                                               "wb",
                                               "wt",
                                               "nc",
                                               "L1::evict_normal",
                                               "L1::evict_unchanged",
                                               "L1::evict_first",
                                               "L1::evict_last",
                                               "L1::no_allocate",
                                               "L2::64B",
                                               "L2::128B",
                                               "L2::256B",
                                               "L2::evict_first",
                                               "L2::evict_last",
                                               "L2::evict_normal"};
  for (std::string_view hint : hints)
    take(hint);
}

const Operand &Decoder::operand(size_t index) {
  static const Operand none;
  if (index < operands())
    return statement.operands[index];
  fail("'" + std::string(statement.opcode[0]) + "' has too few operands");
  return none;
}

void Decoder::needOperands(size_t least, size_t most) {
  if (operands() < least || operands() > most)
    fail("'" + std::string(statement.opcode[0]) +
         "' has a wrong number of operands");
}

const Symbol *Decoder::lookUp(std::string_view name, Ref *place) {
  std::string_view prefix = name;
  while (!prefix.empty() && prefix.back() >= '0' && prefix.back() <= '9')
    prefix.remove_suffix(1);
  uint32_t number = 0;
  std::from_chars(name.data() + prefix.size(), name.data() + name.size(),
                  number);
  bool isNumbered = prefix.size() < name.size();
  for (size_t i = scopes.size(); i-- > 0;) {
    Symbols &names = scopes[i].names;
    if (auto found = names.find(name);
        found != names.end() && found->second.kind != Symbol::family) {
      if (place && found->second.kind == Symbol::reg)
        *place = Ref(found->second.place);
      return &found->second;
    }
    auto family = isNumbered ? names.find(prefix) : names.end();
    if (family == names.end() || family->second.kind != Symbol::family ||
        number >= family->second.places.size())
      continue;
    Ref &ref = family->second.places[number];
    if (ref == noRef)
      ref = newRegister(family->second.type);
    if (place)
      *place = ref;
    return &family->second;
  }
  auto found = module.names.find(name);
  return found == module.names.end() ? nullptr : &found->second;
}

static constexpr std::pair<std::string_view, Special> specials[] = {
    {"%tid.x", Special::tidX},
    {"%tid.y", Special::tidY},
    {"%tid.z", Special::tidZ},
    {"%ntid.x", Special::ntidX},
    {"%ntid.y", Special::ntidY},
    {"%ntid.z", Special::ntidZ},
    {"%ctaid.x", Special::ctaidX},
    {"%ctaid.y", Special::ctaidY},
    {"%ctaid.z", Special::ctaidZ},
    {"%nctaid.x", Special::nctaidX},
    {"%nctaid.y", Special::nctaidY},
    {"%nctaid.z", Special::nctaidZ},
    {"%laneid", Special::laneid},
    {"%warpid", Special::warpid},
    {"%nwarpid", Special::nwarpid},
    {"%lanemask_eq", Special::lanemaskEq},
    {"%lanemask_lt", Special::lanemaskLt},
    {"%lanemask_le", Special::lanemaskLe},
    {"%lanemask_gt", Special::lanemaskGt},
    {"%lanemask_ge", Special::lanemaskGe},
    {"%clusterid.x", Special::clusterX},
    {"%clusterid.y", Special::clusterY},
    {"%clusterid.z", Special::clusterZ},
    {"%nclusterid.x", Special::nclusterX},
    {"%nclusterid.y", Special::nclusterY},
    {"%nclusterid.z", Special::nclusterZ},
    {"%cluster_ctaid.x", Special::rankX},
    {"%cluster_ctaid.y", Special::rankY},
    {"%cluster_ctaid.z", Special::rankZ},
    {"%cluster_ctarank", Special::rank},
    {"%cluster_nctaid.x", Special::nrankX},
    {"%cluster_nctaid.y", Special::nrankY},
    {"%cluster_nctaid.z", Special::nrankZ},
    {"%cluster_nctarank", Special::nrank},
    {"%smid", Special::smid},
    {"%nsmid", Special::nsmid},
    {"%gridid", Special::gridid},
    {"%dynamic_smem_size", Special::dynamicShared},
    {"%total_smem_size", Special::totalShared},
};

/// A register or a special one; noRef if the operand is neither.
Ref Decoder::registerNamed(const Operand &operand, Type &type) {
  if (operand.kind != Operand::name)
    return noRef;
  for (const auto &[name, which] : specials)
    if (operand.text == name) {
      program.specialsUsed |= uint64_t(1) << unsigned(which);
      type = Type::b32;
      return Program::special(which);
    }
  Ref place = noRef;
  if (const Symbol *symbol = lookUp(operand.text, &place))
    type = symbol->type;
  return place;
}

Ref Decoder::constant(uint64_t value, unsigned bytes) {
  if (bytes < 8)
    value &= (uint64_t(1) << bytes * 8) - 1;
  auto [entry, isNew] = module.constants.try_emplace({value, bytes}, 0);
  if (!isNew)
    return entry->second;
  size_t begin = program.constants.size();
  size_t place = alignUp(begin, 64);
  program.constants.resize(place + bytes * lanes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    std::memcpy(program.constants.data() + place + lane * bytes, &value, bytes);
  return entry->second = ~Ref(place);
}

/// A constant that becomes known later.
static Ref openConstant(Program &program, unsigned bytes, int64_t value) {
  size_t place = alignUp(program.constants.size(), 64);
  program.constants.resize(place + bytes * lanes);
  std::memcpy(program.constants.data() + place, &value, bytes);
  return ~Ref(place);
}

Ref Decoder::symbolAddress(const Symbol &symbol, int64_t added,
                           unsigned bytes) {
  if (symbol.kind == Symbol::variable && symbol.size != UINT32_MAX)
    return constant(symbol.place + added, bytes);
  if (symbol.kind == Symbol::slot)
    return constant(symbol.place + added, bytes);
  if (symbol.kind == Symbol::variable) { // dynamic shared memory
    Ref ref = openConstant(program, bytes, added);
    module.dynamicConstants.emplace_back(ref, bytes);
    return ref;
  }
  Ref ref = openConstant(program, 8, added);
  program.relocations.push_back(
      {uint32_t(~ref), uint32_t(symbol.place), added});
  return ref;
}

static std::string bits(unsigned bytes) {
  return std::to_string(bytes * 8) + " bits";
}

Ref Decoder::wideSource(const Operand &operand, unsigned least,
                        uint8_t &bytes) {
  bytes = least;
  if (operand.negated)
    fail("only predicates can be negated");
  if (operand.kind == Operand::integer)
    return constant(operand.value, least);
  if (operand.kind == Operand::real) {
    if (operand.bytes == least)
      return constant(operand.value, least);
    float narrow = float(std::bit_cast<double>(operand.value));
    if (operand.bytes == 8 && least == 4)
      return constant(std::bit_cast<uint32_t>(narrow), 4);
  }
  Type type = Type::none;
  Ref ref = registerNamed(operand, type);
  if (ref != noRef) {
    bytes = std::max(bytesOf(type), 2u);
    program.reads.push_back(ref);
    if (operand.value == 0 && type != Type::pred && bytes >= least)
      return ref;
    fail("'" + std::string(operand.text) + "' has " + bits(bytes) + ", not " +
         bits(least));
    return noRef;
  }
  const Symbol *symbol =
      operand.kind == Operand::name ? lookUp(operand.text) : nullptr;
  if (symbol && (least == 8 || (least == 4 && symbol->kind != Symbol::global)))
    return symbolAddress(*symbol, operand.value, least);
  if (operand.text == "WARP_SZ")
    return constant(lanes, least);
  fail("'" + std::string(operand.text) + "' is no value of " + bits(least));
  return noRef;
}

Ref Decoder::source(const Operand &operand, unsigned bytes) {
  uint8_t found = 0;
  Ref ref = wideSource(operand, bytes, found);
  if (ref != noRef && found != bytes)
    fail("'" + std::string(operand.text) + "' has " + bits(found) + ", not " +
         bits(bytes));
  return ref;
}

Ref Decoder::source(size_t index, unsigned bytes) {
  return source(operand(index), bytes);
}

Ref Decoder::wideDestination(const Operand &operand, unsigned least,
                             uint8_t &bytes) {
  bytes = std::max(least, 2u);
  if (operand.kind == Operand::sink)
    return scratch(8);
  Type type = Type::none;
  Ref ref = registerNamed(operand, type);
  bytes = std::max(bytesOf(type), 2u);
  program.writes.push_back(ref);
  if (ref != noRef && type != Type::pred && bytes >= least &&
      ref >= Ref(Program::specialBytes) && operand.value == 0)
    return ref;
  fail("'" + std::string(operand.text) + "' is no register of " + bits(least));
  return noRef;
}

Ref Decoder::destination(const Operand &operand, unsigned bytes) {
  uint8_t found = 0;
  Ref ref = wideDestination(operand, bytes, found);
  if (ref != noRef && found != bytes)
    fail("'" + std::string(operand.text) + "' has " + bits(found) + ", not " +
         bits(bytes));
  return ref;
}

Ref Decoder::destination(size_t index, unsigned bytes) {
  return destination(operand(index), bytes);
}

Ref Decoder::predicate(const Operand &operand) {
  if (operand.kind == Operand::sink)
    return newRegister(Type::pred);
  if (operand.kind == Operand::integer)
    return constant(operand.value ? -1 : 0, 4);
  Type type = Type::none;
  Ref ref = registerNamed(operand, type);
  if (ref != noRef && type == Type::pred)
    return ref;
  fail("'" + std::string(operand.text) + "' is no predicate");
  return noRef;
}

int64_t Decoder::immediate(size_t index) {
  const Operand &found = operand(index);
  if (found.kind != Operand::integer)
    fail("operand " + std::to_string(index + 1) + " must be a number");
  return found.value;
}

void Decoder::address(const Operand &operand, Op &op) {
  if (operand.kind != Operand::address || operand.parts.empty()) {
    fail("expected an address");
    return;
  }
  Operand base = operand.parts[0];
  Type type = Type::none;
  op.a = registerNamed(base, type);
  if (op.a != noRef) {
    program.reads.push_back(op.a);
    op.aBytes = bytesOf(type);
    op.value = base.value;
    if (op.aBytes != 4 && op.aBytes != 8)
      fail("'" + std::string(base.text) + "' is too narrow for an address");
    return;
  }
  op.aBytes = 8;
  op.value = 0;
  op.a = source(base, 8);
}

void Decoder::address(size_t index, Op &op) { address(operand(index), op); }

void Decoder::setList(Op &op, const std::vector<Ref> &refs) {
  op.list = program.lists.size();
  op.count = refs.size();
  program.lists.insert(program.lists.end(), refs.begin(), refs.end());
}

std::vector<CallSlot> Decoder::slotsOf(const Operand &list) {
  std::vector<CallSlot> slots;
  for (const Operand &part : list.parts) {
    const Symbol *symbol = lookUp(part.text);
    if (symbol && symbol->kind == Symbol::slot)
      slots.push_back({uint32_t(symbol->place - window::first), symbol->size});
    else
      fail("'" + std::string(part.text) + "' is no parameter");
  }
  return slots;
}
