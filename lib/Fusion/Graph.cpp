//===- Graph.cpp - who needs and touches whom -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Graph.h"
#include "lib/Support/SortUnique.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace tenon;
using namespace tenon::fusion;

std::vector<bool> fusion::sharedEdges(const Problem &problem, Oracle &oracle) {
  std::vector<bool> shared;
  for (auto [from, to] : problem.edges)
    shared.push_back(oracle.mayShare(from, to));
  return shared;
}

//===-- The graph ---------------------------------------------------------===//

namespace {
/// What an atom needs, and which of it by edges that are shared.
struct Needs {
  Graph::Atoms all, shared;
};
} // namespace

template <typename To, typename From>
static void append(To &to, const From &from) {
  to.append(from.begin(), from.end());
}

Graph::Graph(const Problem &problem, const std::vector<bool> &shared,
             const std::vector<bool> &cloned)
    : before(problem.atoms), after(problem.atoms), touches(problem.atoms),
      readersOf(problem.atoms), clones(problem.atoms), cloned(cloned),
      alone(problem.alone) {
  std::vector<Atoms> direct(problem.atoms), directShared(problem.atoms);
  for (auto [edge, shares] : llvm::zip(problem.edges, shared)) {
    direct[edge.to].push_back(edge.from);
    if (shares)
      directShared[edge.to].push_back(edge.from);
  }
  // Atoms ascend: what a cloned one needs is known when its users are met.
  std::vector<Atoms> touched(problem.atoms);
  for (unsigned atom = 0; atom < problem.atoms; ++atom) {
    before[atom] = throughClones(direct[atom], before);
    touched[atom] = throughClones(directShared[atom], touched);
    for (unsigned from : direct[atom])
      if (cloned[from]) {
        append(clones[atom], clones[from]);
        clones[atom].push_back(from);
      }
    sortUnique(clones[atom]);
  }
  addUses(touched);
  addReaders(problem);
}

/// What is needed, with what cloned atoms need in their place.
Graph::Atoms Graph::throughClones(const Atoms &needed,
                                  const std::vector<Atoms> &needs) const {
  Atoms result;
  for (unsigned from : needed) {
    if (cloned[from])
      append(result, needs[from]);
    else
      result.push_back(from);
  }
  sortUnique(result);
  return result;
}

void Graph::addUses(const std::vector<Atoms> &touched) {
  for (unsigned atom = 0; atom < size(); ++atom) {
    if (cloned[atom])
      continue;
    for (unsigned from : before[atom])
      after[from].push_back(atom);
    for (unsigned from : touched[atom]) {
      touches[from].push_back(atom);
      touches[atom].push_back(from);
    }
  }
  for (unsigned atom = 0; atom < size(); ++atom)
    if (cloned[atom])
      before[atom].clear();
}

/// What a cloned atom reads, the atoms read that compute it; and all of these
/// share the clone.
void Graph::addReaders(const Problem &problem) {
  std::vector<Atoms> computing(size());
  for (unsigned atom = 0; atom < size(); ++atom)
    for (unsigned clone : clones[atom])
      if (!cloned[atom])
        computing[clone].push_back(atom);
  for (const std::vector<unsigned> &set : problem.readers) {
    Atoms readers;
    for (unsigned reader : set) {
      append(readers, computing[reader]);
      if (!cloned[reader])
        readers.push_back(reader);
    }
    sortUnique(readers);
    this->readers.push_back(readers);
  }
  llvm::append_range(readers, computing);
  llvm::erase_if(readers, [](const Atoms &set) { return set.size() < 2; });
  sortUnique(readers);
  for (unsigned set = 0; set < readers.size(); ++set)
    for (unsigned reader : readers[set])
      readersOf[reader].push_back(set);
}

Group Graph::group(llvm::ArrayRef<unsigned> atoms) const {
  Group group = {atoms.vec(), {}};
  for (unsigned atom : atoms)
    group.clones.insert(group.clones.end(), clones[atom].begin(),
                        clones[atom].end());
  sortUnique(group.clones);
  return group;
}

//===-- Parts of it -------------------------------------------------------===//

static std::vector<std::vector<unsigned>>
setsOf(llvm::IntEqClasses &classes, llvm::ArrayRef<unsigned> atoms) {
  classes.compress();
  std::vector<std::vector<unsigned>> sets(classes.getNumClasses());
  for (auto [place, atom] : llvm::enumerate(atoms))
    sets[classes[place]].push_back(atom);
  return sets;
}

std::vector<std::vector<unsigned>>
fusion::connectedSets(const Graph &graph, llvm::ArrayRef<unsigned> atoms) {
  llvm::DenseMap<unsigned, unsigned> placeOf, firstReader;
  for (auto [place, atom] : llvm::enumerate(atoms))
    placeOf[atom] = place;
  llvm::IntEqClasses classes(atoms.size());
  for (auto [place, atom] : llvm::enumerate(atoms)) {
    for (unsigned other : graph.touches[atom])
      if (auto found = placeOf.find(other); found != placeOf.end())
        classes.join(place, found->second);
    for (unsigned set : graph.readersOf[atom])
      classes.join(place, firstReader.try_emplace(set, place).first->second);
  }
  return setsOf(classes, atoms);
}

namespace {
/// Strongly connected components, by Tarjan's algorithm without recursion: a
/// model may be deeper than a stack.
class Cycles {
public:
  explicit Cycles(const std::vector<Graph::Atoms> &next)
      : next(next), number(next.size(), 0), low(next.size(), 0),
        edge(next.size(), 0), classes(next.size()) {
    for (unsigned node = 0; node < next.size(); ++node)
      if (number[node] == 0)
        visit(node);
  }

  llvm::IntEqClasses take() { return std::move(classes); }

private:
  static constexpr unsigned done = ~0u;

  void enter(unsigned node) {
    number[node] = low[node] = ++count;
    path.push_back(node);
    open.push_back(node);
  }

  void leave(unsigned node) {
    path.pop_back();
    if (!path.empty())
      low[path.back()] = std::min(low[path.back()], low[node]);
    if (low[node] != number[node])
      return;
    for (unsigned member = done; member != node;) {
      member = open.pop_back_val();
      classes.join(node, member);
      number[member] = done;
    }
  }

  void visit(unsigned root) {
    enter(root);
    while (!path.empty()) {
      unsigned node = path.back();
      if (edge[node] == next[node].size()) {
        leave(node);
        continue;
      }
      unsigned to = next[node][edge[node]++];
      if (number[to] == 0)
        enter(to);
      else if (number[to] != done)
        low[node] = std::min(low[node], number[to]);
    }
  }

  const std::vector<Graph::Atoms> &next;
  std::vector<unsigned> number, low, edge;
  llvm::SmallVector<unsigned> path, open;
  llvm::IntEqClasses classes;
  unsigned count = 0;
};
} // namespace

std::vector<std::vector<unsigned>>
fusion::joinCycles(const Graph &graph,
                   std::vector<std::vector<unsigned>> sets) {
  // Atoms in no set are nodes behind those of the sets.
  std::vector<unsigned> nodeOf(graph.size());
  for (unsigned atom = 0; atom < graph.size(); ++atom)
    nodeOf[atom] = sets.size() + atom;
  for (auto [node, set] : llvm::enumerate(sets))
    for (unsigned atom : set)
      nodeOf[atom] = node;
  std::vector<Graph::Atoms> next(sets.size() + graph.size());
  for (unsigned atom = 0; atom < graph.size(); ++atom)
    for (unsigned user : graph.after[atom])
      next[nodeOf[atom]].push_back(nodeOf[user]);
  llvm::IntEqClasses classes = Cycles(next).take();
  classes.compress();
  std::vector<std::vector<unsigned>> joined(classes.getNumClasses());
  for (auto [node, set] : llvm::enumerate(sets))
    llvm::append_range(joined[classes[node]], set);
  llvm::erase_if(joined, [](const auto &set) { return set.empty(); });
  for (std::vector<unsigned> &set : joined)
    llvm::sort(set);
  return joined;
}
