//===- Report.cpp - what a compilation did --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/Report.h"
#include "lib/Compiler/FallBacks.h"
#include "lib/Compiler/Groups.h"
#include "lib/Compiler/ReportDevice.h"
#include "lib/Compiler/ReportSchedule.h"
#include "lib/Compiler/ReportSizes.h"
#include "lib/Compiler/ReportSlices.h"
#include "lib/Compiler/ReportStep.h"
#include "lib/Support/File.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace tenon;

double Report::compileSeconds() const {
  double sum = 0;
  for (const PhaseSeconds &phase : phases)
    sum += phase.seconds;
  return sum;
}

double Report::arenaRatio() const {
  return arenaLowerBoundBytes
             ? double(arenaBytes) / double(arenaLowerBoundBytes)
             : 1;
}

static void printBytes(llvm::raw_ostream &stream, const char *what,
                       int64_t bytes) {
  stream << llvm::format("  %-22s %14lld bytes  %10.2f MiB\n", what,
                         (long long)bytes, double(bytes) / (1 << 20));
}

/// "winograd 12.5, gemm 20.1": the strategy that was taken, then the others.
static std::string costsText(const KernelReport &kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (auto &[strategy, time] : kernel.costs)
    stream << (text.empty() ? "" : ", ") << strategy
           << llvm::format(" %.1f", time.nanoseconds / 1e3);
  return text;
}

static void printKernels(llvm::raw_ostream &stream,
                         std::vector<KernelReport> kernels) {
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KernelReport &a, const KernelReport &b) {
                     return a.flops != b.flops ? a.flops > b.flops
                                               : a.bytes > b.bytes;
                   });
  stream << "  kernel                    launches        MFLOP        MB  "
            "strategies (us)                 first nodes\n";
  for (const KernelReport &kernel : kernels)
    stream << llvm::format("  %-24.24s %9lld %12.2f %9.2f  %-30s  %.48s\n",
                           kernel.name.c_str(), (long long)kernel.launches,
                           double(kernel.flops) / 1e6,
                           double(kernel.bytes) / 1e6,
                           costsText(kernel).c_str(), kernel.nodes.c_str());
}

/// Of the kernels that do not sum in the plain way; 1 when there is none.
static double largestErrorGrowth(const std::vector<KernelReport> &kernels) {
  double growth = 0;
  for (const KernelReport &kernel : kernels)
    if (kernel.errorGrowth != 1)
      growth = std::max(growth, kernel.errorGrowth);
  return growth == 0 ? 1 : growth;
}

/// What the rest of the table does not say: it is about the first variant.
static void printVariants(llvm::raw_ostream &stream,
                          llvm::ArrayRef<VariantReport> variants) {
  if (variants.size() < 2)
    return;
  stream << "\n  variant                 kernels  launches           arena\n";
  for (const VariantReport &variant : variants)
    stream << llvm::format("  %-22s %8lld  %8lld %15lld\n", variant.cpu.c_str(),
                           (long long)variant.kernels,
                           (long long)variant.launches,
                           (long long)variant.arenaBytes);
}

/// One line for all constants.
static void printNarrowed(llvm::raw_ostream &stream,
                          llvm::ArrayRef<NarrowedReport> constants) {
  int64_t bytes = 0, kept = 0;
  double error = 0, ofLargest = 0;
  for (const NarrowedReport &constant : constants) {
    bytes += constant.bytesSaved;
    kept += !constant.kept.empty();
    error = std::max(error, constant.error);
    ofLargest = std::max(ofLargest, constant.errorOfLargest);
  }
  printBytes(stream, "saved by narrowing", bytes);
  stream << llvm::format("  %-22s %14zu, %lld kept in f32\n",
                         "narrowed constants", constants.size() - size_t(kept),
                         (long long)kept);
  stream << llvm::format("  %-22s %14.2g of a weight, %.2g of the largest\n",
                         "largest error", error, ofLargest);
}

/// How many there are, and the names of those that are not changed in place.
static void printStates(llvm::raw_ostream &stream,
                        llvm::ArrayRef<StateReport> states) {
  if (states.empty())
    return;
  size_t growing = 0, updated = 0;
  int64_t bytes = 0;
  std::string others;
  for (const StateReport &state : states) {
    growing += state.axis.has_value();
    updated += state.isUpdated;
    bytes += state.bytes.value_or(0);
    if (!state.axis && !state.isUpdated)
      others += (others.empty() ? "; replaced: " : ", ") + state.input;
  }
  stream << llvm::format("  %-22s %14zu, %zu %s in place", "states",
                         states.size(), growing + updated,
                         updated ? "change" : "grow")
         << others << "\n";
  if (updated)
    printBytes(stream, "kept between runs", bytes);
}

void Report::printTable(llvm::raw_ostream &stream) const {
  stream << model << " for " << cpu << " (" << target << "), " << threads
         << (threads == 1 ? " thread" : " threads") << "\n\n";
  for (const PhaseSeconds &phase : phases)
    stream << llvm::format("  %-22s %10.3f s\n", phase.name.c_str(),
                           phase.seconds);
  stream << llvm::format("  %-22s %10.3f s\n\n", "total", compileSeconds());
  if (!kernels.empty())
    printKernels(stream, kernels);
  printSizes(stream, sizes);
  printGroups(stream, groups);
  stream << llvm::format("\n  %-22s %14zu, %lld launches\n", "kernels",
                         kernels.size(), (long long)launches);
  if (auto growth = largestErrorGrowth(kernels); growth != 1)
    stream << llvm::format("  %-22s %14.2f of plain sums, with --winograd\n",
                           "rounding errors", growth);
  if (compiledKernels + cachedKernels)
    stream << llvm::format("  %-22s %14lld, %lld from the cache\n", "compiled",
                           (long long)compiledKernels,
                           (long long)cachedKernels);
  printBytes(stream, isForTypicalSizes ? "arena, typical sizes" : "arena",
             arenaBytes);
  if (isForTypicalSizes && arenaBoundBytes)
    printBytes(stream, "arena, any sizes", arenaBoundBytes);
  if (arenaLowerBoundBytes)
    printBytes(stream, "arena lower bound", arenaLowerBoundBytes);
  if (arenaLowerBoundBytes && !arenaSolver.empty())
    stream << llvm::format("  %-22s %14.4f, %s\n", "arena / lower bound",
                           arenaRatio(), arenaSolver.c_str());
  if (scratchBytes)
    printBytes(stream, "scratch of a thread", scratchBytes);
  printStates(stream, states);
  printBytes(stream, "weights", weightsBytes);
  if (narrowed)
    printNarrowed(stream, *narrowed);
  printBytes(stream, "code", codeBytes);
  printBytes(stream, "artifact", artifactBytes);
  printVariants(stream, variants);
  printDevices(stream, *this);
  if (schedule)
    printSchedule(stream, *schedule, threads);
  if (slices)
    printSlices(stream, *slices);
  if (step)
    printStep(stream, *step, showStep);
}

static llvm::json::Array phasesJson(const std::vector<PhaseSeconds> &phases) {
  llvm::json::Array array;
  for (const PhaseSeconds &phase : phases)
    array.push_back(
        llvm::json::Object{{"name", phase.name}, {"seconds", phase.seconds}});
  return array;
}

/// The strategy that was taken, first, and the others.
static llvm::json::Array costsJson(const KernelReport &kernel) {
  llvm::json::Array array;
  for (auto &[strategy, time] : kernel.costs)
    array.push_back(llvm::json::Object{{"strategy", strategy},
                                       {"nanoseconds", time.rounded()}});
  return array;
}

static llvm::json::Array kernelsJson(const std::vector<KernelReport> &kernels) {
  llvm::json::Array array;
  for (const KernelReport &kernel : kernels)
    array.push_back(llvm::json::Object{{"name", kernel.name},
                                       {"launches", kernel.launches},
                                       {"flops", kernel.flops},
                                       {"bytes", kernel.bytes},
                                       {"error_growth", kernel.errorGrowth},
                                       {"strategies", costsJson(kernel)},
                                       {"nodes", kernel.nodes}});
  return array;
}

static llvm::json::Array
variantsJson(const std::vector<VariantReport> &variants) {
  llvm::json::Array array;
  for (const VariantReport &variant : variants) {
    llvm::json::Object object{{"cpu", variant.cpu},
                              {"kernels", variant.kernels},
                              {"launches", variant.launches},
                              {"arena_bytes", variant.arenaBytes},
                              {"scratch_bytes", variant.scratchBytes}};
    if (variant.isDevice()) {
      object["streams"] = variant.streams;
      object["fall_backs"] = fallBacksJson(variant.fallBacks);
      object["device_kernels"] = deviceKernelsJson(variant);
    }
    array.push_back(std::move(object));
  }
  return array;
}

static llvm::json::Object arithmeticJson(const ArithmeticReport &arithmetic) {
  llvm::json::Object object{{"strict", arithmetic.strict},
                            {"winograd", arithmetic.winograd},
                            {"bf16x6", arithmetic.bf16x6},
                            {"infinities_and_nan", arithmetic.infinities},
                            {"small_beside_large", arithmetic.smallBesideLarge},
                            {"rounding", arithmetic.rounding}};
  if (!arithmetic.precision.empty())
    object["device_precision"] = arithmetic.precision;
  return object;
}

static llvm::json::Object
narrowedJson(llvm::ArrayRef<NarrowedReport> constants) {
  int64_t bytes = 0;
  llvm::json::Array array;
  for (const NarrowedReport &constant : constants) {
    bytes += constant.bytesSaved;
    llvm::json::Object object{{"nodes", constant.nodes},
                              {"element", constant.element},
                              {"bytes_saved", constant.bytesSaved},
                              {"largest_relative_error", constant.error},
                              {"error_of_largest", constant.errorOfLargest}};
    if (!constant.kept.empty())
      object["note"] = "kept: " + constant.kept;
    array.push_back(std::move(object));
  }
  return llvm::json::Object{{"bytes_saved", bytes},
                            {"constants", std::move(array)}};
}

static llvm::json::Array statesJson(const std::vector<StateReport> &states) {
  llvm::json::Array array;
  for (const StateReport &state : states) {
    llvm::json::Object object{{"input", state.input}, {"output", state.output}};
    if (state.axis)
      object["grows_along"] = *state.axis;
    if (state.isUpdated)
      object["updated"] = true;
    if (state.bytes)
      object["bytes"] = *state.bytes;
    array.push_back(std::move(object));
  }
  return array;
}

static void addPictures(const Report::Pictures &pictures,
                        llvm::json::Object &object) {
  auto add = [&](llvm::StringRef name, const std::string &file) {
    if (!file.empty())
      object[name] = file;
  };
  add("arena_picture", pictures.arena);
  add("groups_picture", pictures.groups);
  add("schedule_picture", pictures.schedule);
  add("front_picture", pictures.front);
}

void Report::printJson(llvm::raw_ostream &stream,
                       const Pictures &pictures) const {
  llvm::json::Object object{
      {"model", model},
      {"cpu", cpu},
      {"target", target},
      {"threads", threads},
      {"compile_seconds", compileSeconds()},
      {"arithmetic", arithmeticJson(arithmetic)},
      {"phases", phasesJson(phases)},
      {"kernels", kernelsJson(kernels)},
      {"groups", groupsJson(groups)},
      {"unfused", unfusedJson(groups)},
      {"variants", variantsJson(variants)},
      {"kernels_compiled", compiledKernels},
      {"kernels_cached", cachedKernels},
      {"launches", launches},
      {"arena_bytes", arenaBytes},
      {"arena_bound_bytes", arenaBoundBytes},
      {"typical_sizes", isForTypicalSizes},
      {"arena_lower_bound_bytes", arenaLowerBoundBytes},
      {"arena_ratio", arenaRatio()},
      {"arena_solver", arenaSolver},
      {"scratch_bytes", scratchBytes},
      {"weights_bytes", weightsBytes},
      {"code_bytes", codeBytes},
      {"artifact_bytes", artifactBytes},
  };
  if (!arithmetic.precision.empty())
    object["assembler"] = assemblerJson(*this);
  if (!sizes.empty())
    object["plans_by_size"] = sizesJson(sizes);
  if (!states.empty())
    object["states"] = statesJson(states);
  if (schedule)
    object["schedule"] = scheduleJson(*schedule);
  if (slices)
    object["slices"] = slicesJson(*slices);
  if (step)
    object["step"] = stepJson(*step);
  if (narrowed)
    object["narrowed"] = narrowedJson(*narrowed);
  addPictures(pictures, object);
  stream << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object)));
}

/// Writes a picture beside the report; a report that has that name itself is
/// not overwritten. `name` becomes the picture's, empty where there is none.
static llvm::Error writePicture(llvm::StringRef report,
                                llvm::StringRef extension,
                                const std::string &picture, std::string &name) {
  if (picture.empty())
    return llvm::Error::success();
  llvm::SmallString<128> path = report;
  if (llvm::sys::path::extension(report) == extension)
    path += extension;
  else
    llvm::sys::path::replace_extension(path, extension);
  name = llvm::sys::path::filename(path).str();
  return writeFile(path, picture);
}

llvm::Error Report::write(llvm::StringRef file) const {
  Pictures names;
  const ScheduleReport none, &ofLaunches = schedule ? *schedule : none;
  const std::string front =
      step ? drawStep(*step, model) : ofLaunches.frontPicture;
  struct {
    const char *extension;
    const std::string &picture;
    std::string &name;
  } pictures[] = {{".svg", arenaPicture, names.arena},
                  {".html", groupsPicture, names.groups},
                  {".schedule.svg", ofLaunches.picture, names.schedule},
                  {".front.svg", front, names.front}};
  for (auto &[extension, picture, name] : pictures)
    if (llvm::Error error = writePicture(file, extension, picture, name))
      return error;
  std::string json;
  llvm::raw_string_ostream stream(json);
  printJson(stream, names);
  return writeFile(file, json);
}
