//===- Depend.cpp - what steps of a loop need of each other ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Depend.h"

#include "lib/Poly/IslRelations.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::poly;

bool Dependence::isCarried() const {
  return !distance ||
         llvm::any_of(*distance, [](int64_t steps) { return steps != 0; });
}

static std::optional<std::vector<int64_t>> distanceOf(const Statement &writer,
                                                      const Statement &reader,
                                                      const Access &read) {
  std::vector<int64_t> distance;
  for (unsigned host = 0; host < hostDimsOf(reader); ++host) {
    std::optional<int64_t> steps = stepsBetween(host, writer, read);
    if (!steps)
      return std::nullopt;
    distance.push_back(*steps);
  }
  return distance;
}

//===-- Where both ends lie -----------------------------------------------===//

namespace {
/// A statement of a phase, and from tiles to its instances.
struct Member {
  size_t phase, position;
  IslMap domain;
};

class Dependences {
public:
  Dependences(const Scop &scop, llvm::ArrayRef<Group> phases,
              uint64_t operations)
      : scop(scop), phases(phases), isl(operations) {
    for (auto [phase, group] : llvm::enumerate(phases)) {
      auto domains = domainsOf(isl, scop, group);
      for (auto [position, domain] : llvm::enumerate(domains))
        if (domain)
          members[group.statements[position]] = {phase, position, *domain};
    }
    isl.takeError();
  }

  std::vector<Dependence> run() {
    std::vector<Dependence> found;
    for (const auto &[reader, end] : members)
      for (auto [number, read] : llvm::enumerate(scop.statements[reader].reads))
        for (const auto &[writer, begin] : members)
          if (scop.statements[writer].write.tensor == read.tensor) {
            found.push_back({writer, reader, unsigned(number),
                             distanceOf(scop.statements[writer],
                                        scop.statements[reader], read)});
            classify(found.back(), read);
          }
    return found;
  }

  size_t phaseOf(unsigned statement) const {
    return members.at(statement).phase;
  }

private:
  /// From tiles to those up to `reach` tiles beside them, in the same step or
  /// in any earlier one.
  IslMap tilesBefore(int64_t reach, bool isCarried);
  IslMap tilesBefore(int64_t reach, unsigned same, int64_t steps);
  void classify(Dependence &dependence, const Access &read);

  const Scop &scop;
  llvm::ArrayRef<Group> phases;
  IslContext isl;
  std::map<unsigned, Member> members;
};
} // namespace

/// In the same step of `same` host dimensions; of the next one, if there is
/// one, `steps` steps before at least.
IslMap Dependences::tilesBefore(int64_t reach, unsigned same, int64_t steps) {
  unsigned sizes = phases.front().sizes.size();
  unsigned host =
      hostDimsOf(scop.statements[phases.front().statements.front()]);
  IslBuilder builder(isl, sizes, sizes + host, sizes + host);
  for (unsigned k = 0; k < sizes; ++k) {
    IslSum away = builder.parameter(k) * reach;
    builder.atLeast(builder.output(k) + away, builder.input(k));
    builder.atLeast(builder.input(k) + away, builder.output(k));
  }
  for (unsigned dim = sizes; dim < sizes + same; ++dim)
    builder.equal(builder.input(dim), builder.output(dim));
  if (same < host)
    builder.atLeast(builder.input(sizes + same),
                    builder.output(sizes + same) + IslSum(steps));
  return builder.build();
}

IslMap Dependences::tilesBefore(int64_t reach, bool isCarried) {
  unsigned host =
      hostDimsOf(scop.statements[phases.front().statements.front()]);
  if (!isCarried)
    return tilesBefore(reach, host, 0);
  IslMap tiles = tilesBefore(reach, 0, 1);
  for (unsigned same = 1; same < host; ++same)
    tiles = tiles | tilesBefore(reach, same, 1);
  return tiles;
}

void Dependences::classify(Dependence &dependence, const Access &read) {
  constexpr int64_t mostTiles = 2;
  const Member &writer = members.at(dependence.writer);
  const Member &reader = members.at(dependence.reader);
  // What the same step has not yet written, nobody has.
  bool isLate =
      writer.phase > reader.phase ||
      (writer.phase == reader.phase && writer.position >= reader.position);
  if (!dependence.isCarried() && isLate)
    return;
  isl.beginStep();
  const Statement &from = scop.statements[dependence.writer];
  IslMap write = relationOf(isl, scop, from, from.write);
  IslMap written = writer.domain.then(write);
  IslMap needed =
      reader.domain
          .then(relationOf(isl, scop, scop.statements[dependence.reader], read))
          .within(write.outputs());
  for (int64_t tiles = 0; tiles <= mostTiles; ++tiles) {
    IslMap near = tilesBefore(tiles, dependence.isCarried()).then(written);
    if (needed.isSubsetOf(near).value_or(false)) {
      dependence.reach = tiles == 0 ? Reach::Local : Reach::Neighbour;
      dependence.tiles = tiles;
      break;
    }
  }
  isl.takeError();
}

//===-- Barriers ----------------------------------------------------------===//

LoopDependences poly::dependencesOf(const Scop &scop,
                                    llvm::ArrayRef<Group> phases,
                                    uint64_t operationsPerStatement) {
  Dependences analysis(scop, phases, operationsPerStatement);
  LoopDependences loop;
  loop.dependences = analysis.run();
  loop.barriers.resize(phases.size());
  struct Wait {
    size_t from, to;
    bool operator<(const Wait &other) const {
      return std::pair(to, from) < std::pair(other.to, other.from);
    }
  };
  std::vector<Wait> inStep, acrossSteps;
  for (const Dependence &dependence : loop.dependences)
    if (dependence.reach == Reach::Global)
      (dependence.isCarried() ? acrossSteps : inStep)
          .push_back({analysis.phaseOf(dependence.writer),
                      analysis.phaseOf(dependence.reader)});
  // As late as possible, so that one serves many.
  llvm::sort(inStep);
  for (const Wait &wait : inStep)
    if (std::none_of(loop.barriers.begin() + std::min(wait.from, wait.to) + 1,
                     loop.barriers.begin() + wait.to + 1,
                     [](bool barrier) { return barrier; }))
      loop.barriers[wait.to] = true;
  for (const Wait &wait : acrossSteps) {
    bool waits = false;
    for (size_t phase = 0; phase < phases.size(); ++phase)
      waits |= loop.barriers[phase] && (phase > wait.from || phase <= wait.to);
    if (!waits)
      loop.barriers[wait.to] = true;
  }
  return loop;
}
