//===- MemoryTestPrograms.h - random programs for tests ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_UNIT_MEMORYTESTPROGRAMS_H
#define TENON_TEST_UNIT_MEMORYTESTPROGRAMS_H

#include "lib/Memory/Streams/Closure.h"
#include "lib/Memory/Streams/Program.h"
#include <random>
#include <string>

namespace tenon::mem {

inline std::string message(llvm::Error error) {
  return llvm::toString(std::move(error));
}

struct RandomShape {
  unsigned nodes = 12, streams = 3, tensors = 10;
  unsigned eventPercent = 40; ///< chance per node to wait for an earlier one
  bool marks = false;         ///< inputs, outputs, lifelong tensors
  bool ties = false;          ///< in-place results, views, lists, scopes
};

/// Nodes that were started in a hidden order, launched in any that keeps each
/// stream's: events may lead backwards.
inline Program randomNodes(std::mt19937 &generator, const RandomShape &shape) {
  Program program;
  program.streams = shape.streams;
  std::vector<unsigned> streamOf, left(shape.streams, 0);
  for (unsigned n = 0; n < shape.nodes; ++n) {
    streamOf.push_back(generator() % shape.streams);
    ++left[streamOf.back()];
  }
  std::vector<std::vector<unsigned>> launched(shape.streams);
  for (unsigned n = 0; n < shape.nodes; ++n) {
    unsigned stream = generator() % shape.streams;
    while (!left[stream])
      stream = (stream + 1) % shape.streams;
    --left[stream];
    launched[stream].push_back(n);
    program.nodes.push_back(
        {"n" + std::to_string(n), stream, int64_t(1 + generator() % 5)});
  }
  // The k-th hidden node of a stream is the k-th that is launched on it.
  std::vector<unsigned> hidden, taken(shape.streams, 0);
  for (unsigned stream : streamOf)
    hidden.push_back(launched[stream][taken[stream]++]);
  for (unsigned i = 1; i < shape.nodes; ++i)
    if (generator() % 100 < shape.eventPercent)
      program.events.push_back({hidden[generator() % i], hidden[i]});
  return program;
}

inline void addTensors(std::mt19937 &generator, const RandomShape &shape,
                       Program &program) {
  Closure closure(program);
  for (unsigned t = 0; t < shape.tensors; ++t) {
    Tensor tensor;
    tensor.id = "t" + std::to_string(t);
    tensor.size = int64_t(generator() % 9) * 16;
    tensor.alignment = 1 << generator() % 5;
    unsigned producer = generator() % shape.nodes;
    tensor.input = shape.marks && generator() % 8 == 0;
    tensor.output = shape.marks && generator() % 8 == 0;
    tensor.lifelong = shape.marks && generator() % 12 == 0;
    if (!tensor.input)
      tensor.producer = producer;
    for (unsigned n = 0; n < shape.nodes; ++n)
      if (generator() % 3 == 0 &&
          (tensor.input || closure.precedes(producer, n)))
        tensor.consumers.push_back(n);
    program.tensors.push_back(tensor);
  }
}

/// Tries some ties and keeps those that the program's own rules allow.
inline void addTies(std::mt19937 &generator, Program &program) {
  unsigned count = program.tensors.size();
  auto keep = [&](Program trial) {
    if (llvm::Error error = trial.check())
      llvm::consumeError(std::move(error));
    else
      program = std::move(trial);
  };
  for (unsigned attempt = 0; attempt < 6 * count; ++attempt) {
    unsigned a = generator() % count, b = generator() % count;
    Program trial = program;
    if (attempt % 3 == 2)
      trial.lists.push_back({{a, b}, int64_t(generator() % 2) * 32});
    else if (attempt % 3 == 1)
      trial.overlays.push_back({a, b, 16, Overlay::View});
    else
      trial.overlays.push_back({a, b, 0, Overlay::InPlace});
    keep(std::move(trial));
  }
  Program trial = program;
  for (Tensor &tensor : trial.tensors)
    tensor.scope = generator() % 2;
  keep(std::move(trial));
}

inline Program randomProgram(unsigned seed, const RandomShape &shape) {
  std::mt19937 generator(seed);
  Program program = randomNodes(generator, shape);
  addTensors(generator, shape, program);
  if (shape.ties)
    addTies(generator, program);
  return program;
}

} // namespace tenon::mem

#endif // TENON_TEST_UNIT_MEMORYTESTPROGRAMS_H
