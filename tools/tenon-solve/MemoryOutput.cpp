//===- MemoryOutput.cpp - what tenon-solve memory says --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryOutput.h"

#include "lib/Memory/Draw/Draw.h"
#include "lib/Support/Bytes.h"
#include "lib/Support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tenon;
using namespace tenon::mem;

double Solved::ratio() const {
  return outcome.lowerBound()
             ? double(solution().arenaBytes()) / double(outcome.lowerBound())
             : 1;
}

static void printBytes(const std::string &what, int64_t bytes) {
  llvm::outs() << llvm::format("  %-12s %14lld bytes  %s\n", what.c_str(),
                               (long long)bytes, humanBytes(bytes).c_str());
}

static void printHead(const Solved &solved) {
  const Problem &problem = solved.problem();
  llvm::outs() << solved.name << ": " << problem.buffers.size() << " buffers";
  if (solved.instance.program)
    llvm::outs() << ", " << solved.instance.program->nodes.size() << " nodes";
  if (problem.streams() > 1)
    llvm::outs() << ", " << problem.streams() << " streams";
  if (problem.scopes() > 1)
    llvm::outs() << ", " << problem.scopes() << " scopes";
  llvm::outs() << "\n";
}

void tenon::printTable(const Solved &solved, const MemoryRequest &request) {
  const Outcome &outcome = solved.outcome;
  printHead(solved);
  printBytes("lower bound", outcome.lowerBound());
  printBytes("arena", solved.solution().arenaBytes());
  if (solved.problem().scopes() > 1)
    for (auto [scope, bytes] : llvm::enumerate(solved.solution().arenas))
      printBytes("  scope " + std::to_string(scope), bytes);
  if (request.capacity)
    printBytes("capacity", request.capacity);
  llvm::outs() << llvm::format("  %-12s %14.4f x bound\n", "ratio",
                               solved.ratio())
               << llvm::format(
                      "  %-12s %14s, %s\n", "solver", outcome.solver.c_str(),
                      outcome.optimal ? "proven optimal" : "not proven optimal")
               << llvm::format("  %-12s %14.3f s\n", "time", solved.seconds);
}

void tenon::printJson(const Solved &solved, const MemoryRequest &request) {
  const Outcome &outcome = solved.outcome;
  llvm::json::Object object{
      {"instance", solved.name},
      {"buffers", int64_t(solved.problem().buffers.size())},
      {"streams", int64_t(solved.problem().streams())},
      {"arena_bytes", solved.solution().arenaBytes()},
      {"arenas", llvm::json::Array(solved.solution().arenas)},
      {"lower_bound_bytes", outcome.lowerBound()},
      {"ratio", solved.ratio()},
      {"solver", outcome.solver},
      {"optimal", outcome.optimal},
      {"work", outcome.work},
      {"seconds", solved.seconds},
  };
  if (request.capacity) {
    object["capacity_bytes"] = request.capacity;
    object["fits"] = solved.fits;
  }
  if (const auto &program = solved.instance.program) {
    object["nodes"] = int64_t(program->nodes.size());
    object["events"] = int64_t(program->events.size());
  }
  llvm::outs() << llvm::formatv("{0:2}\n",
                                llvm::json::Value(std::move(object)));
}

/// CSV where it can say everything: `id,lower,upper,size,offset`, then what is
/// not everywhere the default.
static std::string placementText(const Solved &solved) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  const Problem &problem = solved.problem();
  if (solved.instance.program || problem.streams() > 1 ||
      !problem.lists.empty() || !problem.overlays.empty()) {
    Instance placed = solved.instance;
    placed.solution = solved.solution();
    writeProgramText(placed, stream);
  } else {
    writePlacement(problem, solved.solution(), stream);
  }
  return text;
}

llvm::Error tenon::writeFiles(const Solved &solved,
                              const MemoryRequest &request) {
  if (!request.output.empty())
    if (llvm::Error error = writeFile(request.output, placementText(solved)))
      return error;
  if (request.picture.empty())
    return llvm::Error::success();
  DrawOptions options;
  options.title = solved.name;
  options.capacity = request.capacity;
  options.bounds = solved.outcome.lowerBounds;
  return writeFile(request.picture,
                   drawPlan(solved.problem(), solved.solution(), options));
}
