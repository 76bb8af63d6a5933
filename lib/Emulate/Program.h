//===- Program.h - decoded PTX ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is what a module looks like to the machine: an array of operations
// with a function each, that works on all 32 lanes of a warp. No text is looked
// at while a kernel runs.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_PROGRAM_H
#define TENON_LIB_EMULATE_PROGRAM_H

#include "lib/Emulate/Emulator.h"
#include "lib/Emulate/Types.h"

#include <climits>
#include <map>

namespace tenon::emulate {

class Warp;
struct Op;

/// A bit per lane.
using Mask = uint32_t;
constexpr Mask allLanes = 0xFFFFFFFF;
constexpr unsigned lanes = 32;

/// Where an operand's 32 values lie: from 0 on in the warp's registers, below
/// it (as complement) among the program's constants. A predicate is one Mask.
using Ref = int32_t;
constexpr Ref noRef = INT_MIN;

/// What comes after an operation.
enum class Step : uint8_t {
  next,   ///< the following operation
  jump,   ///< active lanes go to Op::target
  moved,  ///< the operation has put its lanes where they go on
  wait,   ///< the same operation again, when others have run
  yield,  ///< the following operation, when others have run
  failed, ///< Machine::error says why
};

using Handler = Step (*)(Warp &, const Op &, Mask);

enum class Space : uint8_t {
  generic,
  global,
  shared,
  cluster, ///< shared memory of any CTA of the cluster
  local,
  param, ///< of the kernel
  constant,
};

/// What checks must know of an operation.
enum class Role : uint8_t {
  none,
  branch,
  indexBranch, ///< one of Program::branchTargets
  exit,        ///< or a return
  wgmma,
  wgmmaCommit,
  wgmmaWait, ///< Op::value groups may be left
  copy,      ///< mov of one register
  gridWait,
  gridLaunch,
  barrierWait,   ///< of any kind: other threads have done something
  barrierInit,   ///< mbarrier.init
  barrierArrive, ///< at an mbarrier, or a copy that counts
  barrierTest,   ///< mbarrier.try_wait and test_wait
  globalRead,
  globalWrite,
};

/// Who must be there before an operation of a warp runs.
enum class Meet : uint8_t {
  none,
  all,     ///< all lanes that have not ended
  members, ///< those of the mask in operand `e`
};

struct Op {
  Handler run = nullptr;
  Ref d = noRef, a = noRef, b = noRef, c = noRef, e = noRef;
  Ref guard = noRef;
  bool guardNegated = false;
  Meet meet = Meet::none;
  Role role = Role::none;
  Space space = Space::generic;
  Type type = Type::none;
  uint8_t dBytes = 0, aBytes = 0; ///< of registers, where they may be wider
  uint8_t kind = 0;               ///< the handler's own
  uint8_t flags = 0;              ///< the handler's own
  bool ordered = false;           ///< what it does depends on other CTAs' order
  uint16_t count = 0;             ///< of `list`
  uint32_t list = 0;              ///< first of its operands in Program::lists
  uint32_t target = 0;            ///< of branches and calls
  uint32_t line = 0;
  int64_t value = 0; ///< of an address, what is added; or the handler's own
};

/// Windows of generic addresses. Global addresses begin behind them.
namespace window {
constexpr uint64_t shared = uint64_t(1) << 32;
constexpr uint64_t local = uint64_t(2) << 32;
constexpr uint64_t param = uint64_t(3) << 32;
constexpr uint64_t constant = uint64_t(4) << 32;
constexpr uint64_t end = uint64_t(5) << 32;
/// The first address in each space; what is below is a null pointer.
constexpr uint32_t first = 1024;
/// Shared memory of the CTA of rank r in its cluster begins at (r + 1) << this.
constexpr unsigned rankShift = 24;
} // namespace window

/// A run of bytes in local memory: a parameter of a call.
struct CallSlot {
  uint32_t offset = 0;
  uint32_t size = 0;
};

struct Function {
  std::string name;
  uint32_t begin = 0, end = 0; ///< of its code
  uint32_t registerBytes = 0;  ///< where its registers end
  uint32_t localBytes = 0;     ///< where its local memory ends
  uint32_t sharedBytes = 0;    ///< where its static shared memory ends
  Ref returnTo = noRef;        ///< of device functions: the next operation
  std::vector<CallSlot> arguments, results;
  std::vector<std::string> callees;
};

/// A call site; Op::value is its number.
struct Call {
  uint32_t function = 0;
  std::vector<CallSlot> arguments, results;
};

/// Values that a warp is born with.
enum class Special : uint8_t {
  tidX,
  tidY,
  tidZ,
  ntidX,
  ntidY,
  ntidZ,
  ctaidX,
  ctaidY,
  ctaidZ,
  nctaidX,
  nctaidY,
  nctaidZ,
  laneid,
  warpid,
  nwarpid,
  lanemaskEq,
  lanemaskLt,
  lanemaskLe,
  lanemaskGt,
  lanemaskGe,
  clusterX,
  clusterY,
  clusterZ,
  nclusterX,
  nclusterY,
  nclusterZ,
  rankX,
  rankY,
  rankZ,
  rank,
  nrankX,
  nrankY,
  nrankZ,
  nrank,
  smid,
  nsmid,
  gridid,
  dynamicShared,
  totalShared,
  explicitCluster,
  count
};

class Program {
public:
  std::string text;
  std::vector<uint32_t> lineStarts; ///< offsets in `text`
  std::vector<Op> code;
  std::vector<Ref> lists;
  std::vector<uint8_t> constants; ///< 32 values each
  std::vector<uint8_t> bank;      ///< .const variables
  std::vector<Function> functions;
  std::vector<Call> calls;
  std::vector<std::vector<uint32_t>> branchTargets;
  std::vector<Kernel> kernels;
  uint64_t specialsUsed = 0; ///< a bit per Special
  /// Registers that operations read and write: of operation i the elements
  /// from begins[i] up to begins[i + 1].
  std::vector<Ref> reads, writes;
  std::vector<uint32_t> readBegins, writeBegins;

  std::vector<Global> globals;
  std::vector<std::vector<uint8_t>> initial; ///< contents; short: zeroes follow
  std::vector<uint32_t> alignments;
  /// Constants that hold an address of a global variable, or of one plus a
  /// number; known from load() on.
  struct Relocation {
    uint32_t constant = 0; ///< offset in `constants`
    uint32_t global = 0;
    int64_t added = 0;
  };
  std::vector<Relocation> relocations;
  bool loaded = false;
  /// Where dynamic shared memory begins.
  uint32_t dynamicShared = window::first;

  /// A line of the text, without spaces around it.
  std::string_view line(unsigned number) const;
  const Function &function(const Kernel &kernel) const {
    return functions[kernel.entry];
  }

  static constexpr Ref special(Special which) { return Ref(which) * 128; }
  static constexpr uint32_t specialBytes = uint32_t(Special::count) * 128;
};

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_PROGRAM_H
