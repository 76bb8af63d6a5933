//===- Report.h - what a compilation did ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_COMPILER_REPORT_H
#define TENON_LIB_COMPILER_REPORT_H

#include "dialects/Kernel/SliceFacts.h"
#include "lib/Fusion/Draw/Groups.h"
#include "lib/Schedule/Front.h"
#include "lib/Support/Time.h"
#include "passes/Checkpoint/Frontier.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace tenon {

struct PhaseSeconds {
  std::string name;
  double seconds = 0;
};

/// What a kernel takes of a device, by the words of the assembler; -1: it did
/// not say.
struct DeviceUseReport {
  int64_t registers = -1, sharedBytes = -1, spillBytes = -1;
};

/// One kernel and all its launches together.
struct KernelReport {
  std::string name;
  int64_t launches = 0;
  int64_t flops = 0; ///< of all launches
  int64_t bytes = 0;
  std::string nodes;      ///< the ONNX nodes of the first launch
  double errorGrowth = 1; ///< rounding errors over those of plain sums
  /// Expected for a launch, of one core or of a device: by the plan that was
  /// taken, first, and by the other strategies that could have computed it.
  std::vector<std::pair<std::string, Time>> costs = {};
  DeviceUseReport use = {}; ///< on a device
};

/// The kernels of a device that none of its strategies computes.
struct FallBackReport {
  int64_t kernels = 0, ofKernels = 0; ///< distinct ones, and how many there are
  Time time, ofTime; ///< predicted for their launches, and for all
  /// The first of each launch, those that take longest first.
  std::vector<std::string> nodes;

  double share() const; ///< of the predicted time
};

/// The program for one CPU or device.
struct VariantReport {
  std::string cpu; ///< its name in the artifact
  int64_t kernels = 0, launches = 0, arenaBytes = 0, scratchBytes = 0;
  std::vector<KernelReport> deviceKernels = {}; ///< of a device
  int64_t streams = 1;                          ///< that its launches run on
  FallBackReport fallBacks = {};                ///< of a device

  bool isDevice() const { return !deviceKernels.empty(); }
};

/// What a compilation may do to results, in plain words.
struct ArithmeticReport {
  bool strict = false;
  std::string winograd = "safe"; ///< as the option
  bool bf16x6 = true;            ///< allowed, where there is such a unit
  std::string precision;         ///< of products on devices; empty: on none
  std::string infinities, smallBesideLarge, rounding;
};

/// A launch and what it is predicted to take, alone on all threads or on a
/// device, where a wave is one launch.
struct LaunchReport {
  std::string nodes, kernel;
  int64_t nanoseconds = 0;
  int64_t threads = 1;        ///< that have some of it; 0: it is a device's
  int64_t wave = 0;           ///< from 1 on; 0: it runs alone
  int64_t stream = 0;         ///< of a device
  int64_t begin = 0, end = 0; ///< beside the others of a device, nanoseconds
};

/// Launches that run at once, and what they would take one after the other.
struct WaveReport {
  int64_t launches = 0;
  int64_t nanoseconds = 0, inTurn = 0;
};

/// How launches follow each other.
struct ScheduleReport {
  int64_t waves = 0, launchesInWaves = 0;
  std::vector<LaunchReport> launches = {}; ///< in their order
  std::vector<WaveReport> ofWaves = {};
  int64_t nanoseconds = 0;  ///< predicted, on all threads, or on a device
  int64_t inTurn = 0;       ///< one after the other
  int64_t savedByWaves = 0; ///< of that; the rest is saved by streams
  std::string way = {};     ///< of a device, from which candidate; empty: none
  int64_t streams = 1, waits = 0; ///< of a device
  /// Time against peak, of devices against the arena, fastest first; empty:
  /// not asked for.
  std::vector<sched::FrontPoint> front = {};
  /// As SVG, with the front: threads or streams over time, and time against
  /// peak.
  std::string picture, frontPicture;

  int64_t savedByStreams() const { return inTurn - nanoseconds - savedByWaves; }
};

/// A constant that was to be stored in 16 bits.
struct NarrowedReport {
  std::string nodes;   ///< the ONNX nodes that read it
  std::string element; ///< what it is stored in
  int64_t bytesSaved = 0;
  double error = 0;          ///< the largest of a weight over that weight
  double errorOfLargest = 0; ///< the largest over the largest weight
  std::string kept;          ///< why it is stored in f32; empty: it is not
};

/// Which plans a kernel has, by the sizes of a call.
struct SizesReport {
  std::string kernel;
  std::string counted; ///< what they are told by, "batch * seq"
  /// Strategies, and the most that they are taken for: the least first.
  std::vector<std::pair<std::string, int64_t>> plans;
};

/// Sizes in bytes. Kernels, launches and arena are those of the first variant.
/// A state of the program: an output that is an input of the next run.
struct StateReport {
  std::string input, output;
  std::optional<int64_t> axis; ///< along which it grows in place
  bool isUpdated = false;
  /// That a tenon_state has for it: of one buffer, or of two; none: symbols
  /// say.
  std::optional<int64_t> bytes = std::nullopt;
};

struct Report {
  std::string model;
  std::string cpu, target; ///< with commas where there are several
  int64_t threads = 0;     ///< that launches are cut for
  ArithmeticReport arithmetic;
  std::vector<PhaseSeconds> phases;
  std::vector<KernelReport> kernels;
  std::vector<SizesReport> sizes;      ///< of kernels with several plans
  std::vector<VariantReport> variants; ///< of the artifact, in its order
  std::string assembler; ///< of kernels for devices; empty: there was none
  std::vector<std::string> remarks; ///< of it, about speed
  int64_t arenaBytes = 0, arenaLowerBoundBytes = 0;
  int64_t arenaBoundBytes = 0; ///< for any sizes; 0: not known
  int64_t scratchBytes = 0;    ///< beside the arena, for each thread
  /// Arena, operations and bytes depend on the inputs' shapes; those here are
  /// for typical ones.
  bool isForTypicalSizes = false;
  int64_t weightsBytes = 0, codeBytes = 0, artifactBytes = 0;
  int64_t launches = 0;
  std::vector<StateReport> states;
  /// Of a program whose launches may be in another order.
  std::optional<ScheduleReport> schedule;
  /// Of a program that takes a batch slice by slice.
  std::optional<kernel::SliceFacts> slices;
  /// Of a step of training.
  std::optional<checkpoint::StepFrontier> step;
  bool showStep = false;                          ///< all plans of it
  int64_t compiledKernels = 0, cachedKernels = 0; ///< distinct code
  /// Where --weights asked for it.
  std::optional<std::vector<NarrowedReport>> narrowed;
  fusion::GroupGraph groups; ///< of the first variant; empty: not planned
  std::string groupsPicture; ///< these as HTML, where it was asked for
  std::string arenaSolver;   ///< the one that found the memory plan
  std::string arenaPicture;  ///< the plan as SVG, where it was asked for

  double compileSeconds() const;

  /// The arena over the bytes that are needed at once; 1 is the best.
  double arenaRatio() const;

  void printTable(llvm::raw_ostream &stream) const;

  /// What a user should know who reads no report; nothing in most cases.
  void printNotes(llvm::raw_ostream &stream) const;

  /// Files of pictures, beside the report; empty: there is none.
  struct Pictures {
    std::string arena, groups, schedule, front;
  };
  void printJson(llvm::raw_ostream &stream, const Pictures &pictures) const;

  /// Writes the JSON to `file` and, beside it, the memory plan as .svg, the
  /// groups as .html, the schedule as .schedule.svg, and time against memory as
  /// .front.svg.
  llvm::Error write(llvm::StringRef file) const;
};

} // namespace tenon

#endif // TENON_LIB_COMPILER_REPORT_H
