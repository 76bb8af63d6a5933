//===- MemoryOutput.cpp - what tenon-solve memory says --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryOutput.h"

#include "lib/Memory/Draw/Draw.h"
#include "lib/Memory/Streams/Streams.h"
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

/// `n in 1..64, m in 1..8`
static std::string textOf(const Box &box) {
  std::string text;
  for (const Symbol &symbol : box)
    text += (text.empty() ? "" : ", ") + symbol.name + " in " +
            std::to_string(symbol.low) + ".." + std::to_string(symbol.high);
  return text;
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
  if (request.price >= 0)
    printBytes(std::to_string(solved.boughtEvents) + " events save",
               solved.savedBytes);
  if (request.capacity)
    printBytes("capacity", request.capacity);
  llvm::outs() << llvm::format("  %-12s %14.4f x bound\n", "ratio",
                               solved.ratio())
               << llvm::format(
                      "  %-12s %14s, %s\n", "solver", outcome.solver.c_str(),
                      outcome.optimal ? "proven optimal" : "not proven optimal")
               << llvm::format("  %-12s %14.3f s\n", "time", solved.seconds);
  for (const SymbolicPlan &plan : solved.plans)
    llvm::outs() << llvm::format("  %-12s %14lld bytes  for ", "at most",
                                 (long long)plan.most())
                 << textOf(plan.box) << "\n";
}

static llvm::json::Array plansJson(const std::vector<SymbolicPlan> &plans) {
  llvm::json::Array array;
  for (const SymbolicPlan &plan : plans) {
    llvm::json::Object symbols;
    for (const Symbol &symbol : plan.box)
      symbols[symbol.name] = llvm::json::Array{symbol.low, symbol.high};
    array.push_back(llvm::json::Object{{"symbols", std::move(symbols)},
                                       {"arena_bytes", plan.most()}});
  }
  return array;
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
  if (request.price >= 0) {
    object["bought_events"] = int64_t(solved.boughtEvents);
    object["saved_bytes"] = solved.savedBytes;
  }
  if (const auto &program = solved.instance.program) {
    object["nodes"] = int64_t(program->nodes.size());
    object["events"] = int64_t(program->events.size());
    object["makespan"] = makespan(*program);
  }
  if (!solved.plans.empty())
    object["plans"] = plansJson(solved.plans);
  llvm::outs() << llvm::formatv("{0:2}\n",
                                llvm::json::Value(std::move(object)));
}

/// CSV where it can say everything: `id,lower,upper,size,offset`, then what is
/// not everywhere the default.
static void writePlans(const Solved &solved, llvm::raw_ostream &stream) {
  stream << "symbols,id,offset\n";
  for (const SymbolicPlan &plan : solved.plans)
    for (auto [buffer, place] :
         llvm::zip(solved.problem().buffers, plan.places)) {
      stream << '"' << textOf(plan.box) << "\"," << buffer.id << ',';
      std::string base = place.base.text(plan.box);
      if (place.base.isMultipleOf(place.alignment))
        stream << base;
      else
        stream << "\"align(" << base << ", " << place.alignment << ")\"";
      if (!(place.delta == Affine(0)))
        stream << '+' << place.delta.text(plan.box);
      stream << '\n';
    }
}

static std::string placementText(const Solved &solved) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  const Problem &problem = solved.problem();
  if (!solved.plans.empty()) {
    writePlans(solved, stream);
  } else if (solved.instance.program || problem.streams() > 1 ||
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
