//===- PolyDependTest.cpp - what steps of a loop need of each other -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file classifies the dependences of recurrences and time-stepped
// stencils, and says where their steps must wait.
//===----------------------------------------------------------------------===//
// LINK: TenonPoly MLIR LLVM
#include "PolyPrograms.h"
#include "lib/Poly/Depend.h"
#include <gtest/gtest.h>

using namespace poly_programs;

/// "writer->reader distance class"
static std::vector<std::string> textsOf(const Scop &scop,
                                        const LoopDependences &loop) {
  std::vector<std::string> texts;
  for (const Dependence &dependence : loop.dependences) {
    std::string text = scop.statements[dependence.writer].name + "->" +
                       scop.statements[dependence.reader].name + " ";
    text += dependence.distance ? std::to_string(dependence.distance->front())
                                : "?";
    if (dependence.reach == Reach::Neighbour)
      text += " neighbour " + std::to_string(dependence.tiles);
    else
      text += dependence.reach == Reach::Local ? " local" : " global";
    texts.push_back(text);
  }
  llvm::sort(texts);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(PolyDepend, recurrence) {
  for (auto [steps, width] : {std::pair(4, 4), {16, 256}, {128, 768}}) {
    Program program = lstm(steps, width);
    LoopDependences loop =
        dependencesOf(program, lstmGroup(program, width / 4));
    EXPECT_EQ(textsOf(program, loop),
              (Texts{"activate->c 0 local", "activate->c 0 local",
                     "activate->c 0 local", "activate->h 0 local",
                     "c->c 1 local", "c->h 0 local", "gates->activate 0 local",
                     "h->gates 1 global"}));
    EXPECT_EQ(loop.barriers, std::vector<bool>{true});
  }
}

/// x[t + 1, i] from `reach` elements to each side of x[t, i].
static Program steppedStencil(int64_t reach) {
  Program p;
  unsigned x = p.input({9, 64});
  p.add({"x",
         {host(8), {64}, sum(2 * reach + 1)},
         {x, {d(0) + 1, d(1)}},
         {{x, {d(0), d(1) + d(2) - reach}, true, true}}});
  return p.finish();
}

TEST(PolyDepend, stencilsReachTheirNeighbours) {
  Program point = steppedStencil(0), near = steppedStencil(1);
  Program far = steppedStencil(2), all = steppedStencil(64);
  Group group = {{0}, {{0, {1}}}, {16}};
  EXPECT_EQ(textsOf(point, dependencesOf(point, group)), Texts{"x->x 1 local"});
  EXPECT_EQ(textsOf(near, dependencesOf(near, group)),
            Texts{"x->x 1 neighbour 1"});
  EXPECT_EQ(textsOf(far, dependencesOf(far, group)),
            Texts{"x->x 1 neighbour 2"});
  LoopDependences loop = dependencesOf(all, group);
  EXPECT_EQ(textsOf(all, loop), Texts{"x->x 1 global"});
  EXPECT_EQ(loop.barriers, std::vector<bool>{true});
  EXPECT_EQ(dependencesOf(near, group).barriers, std::vector<bool>{false});
}

/// As in a GRU: r of all of h, then h of all of r.
static Program gated() {
  Program p;
  unsigned h = p.input({9, 16});
  unsigned r = p.op("r", {host(8), {16}, sum(16)}, {{h, {d(0), d(2)}}});
  p.add({"h",
         {host(8), {16}, sum(16)},
         {h, {d(0) + 1, d(1)}},
         {{r, {d(0), d(2)}}, {h, {d(0), d(1)}}}});
  return p.finish();
}

TEST(PolyDepend, phasesOfAStep) {
  Program program = gated();
  Group first = {{0}, {{0, {1}}}, {4}}, second = {{1}, {{1, {1}}}, {4}};
  LoopDependences loop = dependencesOf(program, {first, second});
  EXPECT_EQ(textsOf(program, loop),
            (Texts{"h->h 1 local", "h->r 1 global", "r->h 0 global"}));
  EXPECT_EQ(loop.barriers, (std::vector<bool>{true, true}));
  // In one phase each tile computes all of r for itself.
  LoopDependences one = dependencesOf(program, Group{{0, 1}, {{1, {1}}}, {4}});
  EXPECT_EQ(textsOf(program, one),
            (Texts{"h->h 1 local", "h->r 1 global", "r->h 0 local"}));
  EXPECT_EQ(one.barriers, std::vector<bool>{true});
}

TEST(PolyDepend, whatIsNotDecidedIsGlobal) {
  Program program = lstm();
  LoopDependences loop =
      dependencesOf(program, lstmGroup(program, 1), /*operations=*/20);
  EXPECT_EQ(loop.barriers, std::vector<bool>{true});
  for (const Dependence &dependence : loop.dependences)
    EXPECT_EQ(dependence.reach, Reach::Global);
}
