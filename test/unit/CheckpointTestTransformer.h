//===- CheckpointTestTransformer.h - a large training step ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file writes down the kernels of a transformer encoder's training step,
// with times of a roofline: forward, loss, gradients, and updates of weights
// right behind their gradients. Twelve layers are of BERT's size.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_CHECKPOINTTESTTRANSFORMER_H
#define TENON_TEST_UNIT_CHECKPOINTTESTTRANSFORMER_H

#include "test/unit/CheckpointTestProblems.h"

namespace tenon::ckpt {

class Transformer {
public:
  /// Sizes of BERT-base at four sequences of 128.
  Problem draw(unsigned layers) {
    problem.machine = {12'000, 2 * microsecond};
    unsigned x = forward("embed", hidden, {}, 1, 4 * hidden);
    std::vector<Saved> saved;
    for (unsigned layer = 0; layer < layers; ++layer) {
      problem.borders.push_back(x);
      saved.push_back(forwardLayer("l" + std::to_string(layer) + ".", x));
      x = saved.back().y;
    }
    problem.borders.push_back(x);
    unsigned logits = product("logits", hidden, {x}, 768);
    problem.loss = unsigned(problem.steps.size());
    unsigned loss = addValue("loss", 4);
    problem.values[loss].pinned = true;
    unsigned dy = addValue("dlogits", hidden);
    addStep("loss", 10, 0, {logits}, {loss, dy});
    update("update.logits", {x, dy}, logits);
    dy = gradient("dhead", hidden, {dy}, weight(768), 7'500);
    for (unsigned layer = layers; layer-- > 0;)
      dy = backwardLayer("b" + std::to_string(layer) + ".", saved[layer], dy);
    addStep("update.embed", 30, 4 * hidden, {dy}, {});
    return std::move(problem);
  }

private:
  static constexpr int64_t hidden = 512 * 768 * 4, wide = 4 * hidden;
  static constexpr int64_t scores = 48 * 128 * 128 * 4, rows = 2 * 512 * 4;

  /// What the backward part of a layer reads.
  struct Saved {
    unsigned x, q, k, v, s, m, p, c, a, stats, n, h, g, b, end, y;
  };

  static int64_t weight(int64_t columns) { return 768 * columns * 4; }

  unsigned addValue(std::string name, int64_t bytes) {
    problem.values.push_back({std::move(name), bytes});
    return unsigned(problem.values.size() - 1);
  }

  Step &addStep(std::string name, int64_t microseconds, int64_t state,
                std::vector<unsigned> reads, std::vector<unsigned> writes) {
    problem.steps.push_back({std::move(name),
                             {{microseconds * microsecond}},
                             state,
                             std::move(reads),
                             std::move(writes)});
    return problem.steps.back();
  }

  /// A value that can be computed again as it was.
  unsigned forward(std::string name, int64_t bytes, std::vector<unsigned> reads,
                   int64_t microseconds, int64_t state = 0) {
    unsigned value = addValue(name, bytes);
    problem.values[value].recipe =
        Recipe{reads, microseconds * microsecond, state, {}, state == 0};
    addStep(std::move(name), microseconds, state, std::move(reads), {value});
    return value;
  }

  unsigned product(std::string name, int64_t bytes, std::vector<unsigned> reads,
                   int64_t columns) {
    return forward(std::move(name), bytes, std::move(reads),
                   7'500 * columns / 768, weight(columns));
  }

  unsigned gradient(std::string name, int64_t bytes,
                    std::vector<unsigned> reads, int64_t state,
                    int64_t microseconds) {
    unsigned value = addValue(name, bytes);
    addStep(std::move(name), microseconds, state, std::move(reads), {value});
    return value;
  }

  /// An element-wise gradient, over its last operand, which may compute one of
  /// the values that it reads itself.
  unsigned pointwise(std::string name, int64_t bytes,
                     std::vector<unsigned> reads,
                     std::optional<unsigned> absorbed = {}) {
    unsigned last = reads.back();
    unsigned value = gradient(std::move(name), bytes, std::move(reads), 0, 60);
    problem.steps.back().overwrites = {last};
    if (absorbed)
      problem.steps.back().absorbs = {{*absorbed, 40 * microsecond}};
    return value;
  }

  /// The gradient of a weight and its update: what reads the weight may not be
  /// computed again behind it.
  void update(std::string name, std::vector<unsigned> reads, unsigned of) {
    Recipe &recipe = *problem.values[of].recipe;
    recipe.until = unsigned(problem.steps.size());
    addStep(std::move(name), recipe.time / microsecond, 3 * recipe.stateBytes,
            std::move(reads), {});
  }

  Saved forwardLayer(const std::string &name, unsigned x) {
    Saved s;
    s.x = x;
    s.q = product(name + "q", hidden, {x}, 768);
    s.k = product(name + "k", hidden, {x}, 768);
    s.v = product(name + "v", hidden, {x}, 768);
    s.s = forward(name + "scores", scores, {s.q, s.k}, 1'250);
    s.m = forward(name + "max", rows, {s.s}, 100);
    s.p = forward(name + "softmax", scores, {s.s, s.m}, 200);
    s.c = forward(name + "mix", hidden, {s.v, s.p}, 1'250);
    s.a = product(name + "attended", hidden, {x, s.c}, 768);
    s.stats = forward(name + "stats", rows, {s.a}, 60);
    s.n = forward(name + "norm", hidden, {s.a, s.stats}, 60);
    s.h = product(name + "wide", wide, {s.n}, 3'072);
    s.g = forward(name + "gelu", wide, {s.h}, 800);
    s.b = product(name + "narrow", hidden, {s.n, s.g}, 3'072);
    s.end = forward(name + "stats2", rows, {s.b}, 60);
    s.y = forward(name + "out", hidden, {s.b, s.end}, 60);
    return s;
  }

  unsigned backwardLayer(const std::string &name, const Saved &s, unsigned dy) {
    addStep(name + "update.norm2", 60, 6'144, {s.b, s.end, dy}, {});
    unsigned db = pointwise(name + "narrow", hidden, {s.b, s.end, dy});
    addStep(name + "update.bias4", 30, 3'072, {db}, {});
    unsigned dg = gradient(name + "gelu", wide, {db}, weight(3'072), 30'000);
    update(name + "update.narrow", {s.g, db}, s.b);
    unsigned dh = pointwise(name + "wide", wide, {s.h, dg});
    addStep(name + "update.bias3", 100, 12'288, {dh}, {});
    unsigned dn =
        gradient(name + "norm", hidden, {db, dh}, weight(3'072), 30'000);
    update(name + "update.wide", {s.n, dh}, s.h);
    addStep(name + "update.norm", 60, 6'144, {s.a, s.stats, dn}, {});
    unsigned da = pointwise(name + "attended", hidden, {s.a, s.stats, dn});
    addStep(name + "update.bias2", 30, 3'072, {da}, {});
    unsigned dc = gradient(name + "mix", hidden, {da}, weight(768), 7'500);
    update(name + "update.attended", {s.c, da}, s.a);
    return backwardAttention(name, s, da, dc);
  }

  unsigned backwardAttention(const std::string &name, const Saved &s,
                             unsigned da, unsigned dc) {
    unsigned dv = gradient(name + "v", hidden, {s.p, dc}, 0, 1'250);
    unsigned dp = gradient(name + "softmax", scores, {s.v, dc}, 0, 1'250);
    unsigned sums = gradient(name + "sums", rows, {s.p, dp}, 0, 100);
    problem.steps.back().absorbs = {{s.p, 150 * microsecond}};
    unsigned ds = pointwise(name + "scores", scores, {s.p, sums, dp}, s.p);
    unsigned dq = gradient(name + "q", hidden, {s.k, ds}, 0, 1'250);
    unsigned dk = gradient(name + "k", hidden, {s.q, ds}, 0, 1'250);
    unsigned dx = da;
    const std::tuple<const char *, unsigned, unsigned> ways[] = {
        {"q", dq, s.q}, {"k", dk, s.k}, {"v", dv, s.v}};
    for (auto [what, from, of] : ways) {
      addStep(name + "update.bias." + what, 30, 3'072, {from}, {});
      unsigned before = dx;
      dx = gradient(name + "x." + what, hidden, {before, from}, weight(768),
                    7'500);
      problem.steps.back().overwrites = {before};
      update(name + "update." + what, {s.x, from}, of);
    }
    return dx;
  }

  Problem problem;
};

} // namespace tenon::ckpt

#endif // TENON_TEST_UNIT_CHECKPOINTTESTTRANSFORMER_H
