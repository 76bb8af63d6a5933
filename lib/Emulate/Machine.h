//===- Machine.h - CTAs and warps -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the state of a launch. A warp is 32 lanes; where they have
// diverged, those with the lowest address run, and they meet again where the
// addresses are the same. Warps take turns; nothing runs at the same time.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_MACHINE_H
#define TENON_LIB_EMULATE_MACHINE_H

#include "lib/Emulate/Program.h"

#include <deque>

namespace tenon::emulate {

class Machine;
struct Cluster;

/// An mbarrier object. It lies beside shared memory, found by its address.
struct MBarrier {
  uint32_t expected = 0; ///< arrivals of a phase
  uint32_t pending = 0;  ///< arrivals that are missing
  int64_t bytes = 0;     ///< of copies that are missing
  uint64_t phase = 0;
};

/// One of the 16 barriers of a CTA.
struct NamedBarrier {
  uint32_t arrived = 0;  ///< threads
  uint32_t expected = 0; ///< threads; 0: all
  uint32_t phase = 0;
  uint32_t trueThreads = 0, result = 0; ///< of barrier.red
};

/// A copy of a tile that has been started. It is done as late as possible, so
/// that those who do not wait for it see that.
struct BulkCopy {
  uint32_t barrier = 0; ///< in each destination's CTA
  uint32_t address = 0; ///< likewise
  uint64_t ctas = 0;    ///< a bit per rank
  uint32_t bytes = 0;   ///< that the barrier is told
  std::vector<uint8_t> data;
  std::vector<uint32_t> offsets; ///< swizzled, of 16 bytes each; empty: linear
};

struct Cta {
  Extent index = {};
  uint32_t rank = 0;
  Cluster *cluster = nullptr;
  std::vector<uint8_t> shared; ///< from window::first on
  std::map<uint32_t, MBarrier> mbarriers;
  std::array<NamedBarrier, 16> barriers;
  std::vector<std::unique_ptr<Warp>> warps;
  std::vector<uint8_t> local; ///< of all threads
  uint32_t threads = 0, liveThreads = 0;
  std::vector<BulkCopy> copies; ///< into this CTA and others

  /// The barrier at an address of its own, or null.
  MBarrier *mbarrier(uint32_t address);
};

struct Cluster {
  std::vector<Cta *> ctas;
  uint32_t arrived = 0; ///< warps
  uint32_t phase = 0;
};

/// What a warp waits for, for reports.
struct WaitNote {
  enum Kind : uint8_t { none, barrier, cluster, mbarrier, memory };
  Kind kind = none;
  uint64_t place = 0; ///< number or address
};

/// Lanes that stand at the same operation.
struct Group {
  uint32_t pc = 0;
  Mask mask = 0;
  bool held = false; ///< they wait for others of the warp
};

/// A piece that cp.async copies when it is waited for.
struct AsyncCopy {
  uint8_t *to = nullptr;
  uint8_t bytes = 0;
  uint32_t lane = 0;
  std::array<uint8_t, 16> data;
};

class Warp {
public:
  Warp(Machine &machine, Cta &cta, uint32_t index);

  template <typename T> T *at(Ref ref) {
    return reinterpret_cast<T *>(registers + ref);
  }
  template <typename T> const T *from(Ref ref) const {
    return reinterpret_cast<const T *>(ref >= 0 ? registers + ref
                                                : constants + ~ref);
  }
  Mask &predicate(Ref ref) { return *at<Mask>(ref); }

  void setSpecials();
  /// Runs until it ends, waits, or has done `most` operations.
  Step slice(uint32_t most);

  /// Reports what went wrong in a lane. Always Step::failed.
  Step fail(const Op &op, Mask mask, const std::string &what);

  /// For handlers that return Step::moved: the running lanes less `mask` go
  /// on behind the operation; where those of `mask` go is added by place().
  void leave(Mask mask);
  void place(uint32_t pc, Mask mask);
  /// These lanes have ended.
  void end(Mask mask);

  uint32_t thread(unsigned lane) const { return index * lanes + lane; }
  Extent threadIndex(unsigned lane) const;
  uint8_t *localOf(unsigned lane) const { return local + lane * localStride; }
  void finishAsync(unsigned groupsLeft);

  Machine &machine;
  Cta &cta;
  uint32_t index; ///< in its CTA
  uint8_t *registers = nullptr;
  const uint8_t *constants = nullptr;
  uint8_t *local = nullptr;
  uint32_t localStride = 0;
  Mask alive = 0;
  std::vector<Group> groups; ///< by address
  size_t current = 0;        ///< which group runs
  /// Set while the warp waits at an operation that it has begun.
  bool waiting = false;
  uint32_t waitPhase = 0;
  bool clusterArrived = false;
  uint32_t clusterPhase = 0;
  std::deque<std::vector<AsyncCopy>> asyncGroups; ///< last: still open
  const Op *stopped = nullptr; ///< where the last slice stopped, if it waits
  WaitNote note;

private:
  bool choose();
  bool meets(const Op &op, Mask here);
  void branch(const Op &op, Mask taken);
  Step stop(Step step, const Op &op);

  uint32_t stoppedPc = UINT32_MAX; ///< its group is not the first to go on
};

/// A launch.
class Machine {
public:
  Machine(const Kernel &kernel, const Launch &launch,
          std::span<const uint8_t> parameters, Memory &memory);
  /// Runs CTAs [first, last), whole clusters; false if `error` says why not.
  bool run(uint64_t first, uint64_t last);

  /// The host's bytes of [address, address + bytes) in global memory, or null.
  uint8_t *global(uint64_t address, uint32_t bytes, uint32_t op) {
    const Allocation &hint = *hints[op];
    if (address - hint.address < hint.size &&
        address - hint.address + bytes <= hint.size)
      return hint.bytes + (address - hint.address);
    return findGlobal(address, bytes, op);
  }
  /// The bytes of shared memory at a cluster address, or null.
  uint8_t *shared(Cta &from, uint64_t address, uint32_t bytes);
  /// The CTA that a cluster address belongs to, or null.
  Cta *ctaOf(Cta &from, uint64_t address);

  void finishCopies(Cta &owner, const MBarrier *barrier);
  uint32_t pcOf(const Op &op) const { return &op - program.code.data(); }

  const Program &program;
  const Kernel &kernel;
  const Function &function;
  const Launch &launch;
  Memory &memory;
  std::vector<uint8_t> parameters; ///< from window::first on
  uint32_t sharedBytes = 0;
  std::string error;
  uint64_t events = 0; ///< counts what others could wait for
  uint64_t ticks = 0;  ///< readings of the clock
  Work work;

private:
  uint8_t *findGlobal(uint64_t address, uint32_t bytes, uint32_t op);
  void makeCtas(uint64_t count);
  void reset(uint64_t which, uint64_t number);
  bool runTogether();
  bool takeTurns(std::vector<Warp *> &live);
  void finishAllCopies();
  std::string deadlock(const std::vector<Warp *> &live);
  std::string waitOf(const Warp &warp);

  std::vector<const Allocation *> hints;  ///< for each operation
  std::vector<std::unique_ptr<Cta>> ctas; ///< those that run side by side
  std::vector<Cluster> clusters;
  std::vector<std::vector<uint8_t>> files; ///< registers, for each CTA
};

/// Counts an arrival, and ends the phase if it was the last one.
void settle(Machine &machine, MBarrier &barrier);

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_MACHINE_H
