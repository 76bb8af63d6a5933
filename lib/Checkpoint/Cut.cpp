//===- Cut.cpp - what a minimum cut keeps ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Cut.h"
#include "lib/Flow/MinCut.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::ckpt;
using flow::MinCutProblem;

std::vector<bool> ckpt::readBehindLoss(const Problem &problem) {
  std::vector<bool> isRead(problem.values.size(), false);
  for (unsigned step = problem.loss + 1; step < problem.steps.size(); ++step)
    for (unsigned value : problem.steps[step].reads)
      isRead[value] = true;
  return isRead;
}

ForwardCut ckpt::cutForward(const Problem &problem, const CutPrices &prices) {
  std::vector<unsigned> births = birthsOf(problem);
  std::vector<bool> isRead = readBehindLoss(problem);
  MinCutProblem network;
  std::vector<unsigned> in(problem.values.size(), 0), out(in);
  for (auto [index, value] : llvm::enumerate(problem.values)) {
    if (births[index] > problem.loss)
      continue;
    in[index] = network.addNode();
    out[index] = network.addNode();
    network.addEdge(in[index], out[index], prices.keep[index]);
    bool may = value.recipe && !value.pinned;
    network.addEdge(MinCutProblem::source, in[index],
                    may ? prices.again[index] : neverAgain);
    for (unsigned operand :
         may ? value.recipe->operands : std::vector<unsigned>())
      network.addEdge(out[operand], in[index], MinCutProblem::infinite);
    if (isRead[index])
      network.addEdge(out[index], MinCutProblem::sink, MinCutProblem::infinite);
  }
  flow::MinCutSolution solution = flow::solve(network);
  ForwardCut cut{Dropped(problem.values.size(), false)};
  for (unsigned value = 0; value < in.size(); ++value) {
    if (births[value] > problem.loss)
      continue;
    cut.dropped[value] = !solution.side[in[value]];
    if (!cut.dropped[value] && !solution.side[out[value]])
      cut.bytes += problem.values[value].bytes;
  }
  return cut;
}
