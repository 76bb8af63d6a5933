//===- MemoryOrderTest.cpp - orders that keep less alive ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests that moving nodes lowers the peak and breaks no need.
//===----------------------------------------------------------------------===//
// LINK: TenonMemory LLVM NO_PCH
#include "MemoryTestPrograms.h"
#include "lib/Memory/Streams/LaunchOrder.h"
#include "lib/Memory/Streams/LiveBytes.h"

#include "gtest/gtest.h"

using namespace tenon::mem;

static Tensor tensor(const char *id, int64_t size, unsigned producer,
                     std::vector<unsigned> consumers) {
  Tensor tensor{id, size};
  tensor.producer = producer;
  tensor.consumers = std::move(consumers);
  return tensor;
}

static std::vector<unsigned> launched(const Program &program) {
  std::vector<unsigned> order;
  for (unsigned node = 0; node < program.nodes.size(); ++node)
    order.push_back(node);
  return order;
}

/// b makes what d alone reads: it waits until c is done with large tensors.
TEST(MemoryOrder, WhatNobodyReadsYetIsMadeLater) {
  Program program;
  program.nodes = {{"a"}, {"b"}, {"c"}, {"d"}};
  program.tensors = {tensor("x", 100, 0, {2}), tensor("y", 50, 1, {3}),
                     tensor("z", 100, 2, {3})};
  EXPECT_EQ(lowerPeak(program), (std::vector<unsigned>{0, 2, 1, 3}));
}

/// An order with as high a peak is no reason to move.
TEST(MemoryOrder, StaysWithoutGain) {
  Program program;
  program.nodes = {{"a"}, {"b"}, {"c"}};
  program.tensors = {tensor("x", 100, 0, {1}), tensor("y", 50, 1, {2})};
  EXPECT_EQ(lowerPeak(program), launched(program));
}

TEST(MemoryOrder, RandomProgramsKeepTheirNeeds) {
  unsigned lowered = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 generator(seed);
    Program program;
    for (unsigned node = 0; node < 14; ++node)
      program.nodes.push_back({"n" + std::to_string(node)});
    for (unsigned node = 0; node + 1 < 14; ++node)
      program.tensors.push_back(tensor(
          ("t" + std::to_string(node)).c_str(), int64_t(generator() % 9) * 16,
          node, {node + 1 + unsigned(generator() % (13 - node))}));
    std::vector<unsigned> order = lowerPeak(program), places(14);
    for (unsigned place = 0; place < 14; ++place)
      places[order[place]] = place;
    for (const Tensor &each : program.tensors)
      EXPECT_LT(places[*each.producer], places[each.consumers.front()]);
    int64_t before = LiveBytes::peakOf(program, launched(program));
    int64_t after = LiveBytes::peakOf(program, order);
    EXPECT_LE(after, before);
    lowered += after < before;
    EXPECT_EQ(lowerPeak(program), order);
  }
  EXPECT_GT(lowered, 50u);
}
