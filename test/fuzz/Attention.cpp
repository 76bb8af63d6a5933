//===- Attention.cpp - heads that read a past -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Operators.h"

using namespace tenon::fuzz;

namespace {
/// The extents of an attention, of whatever kind.
struct Heads {
  explicit Heads(Graph &graph)
      : batch(graph.drawExtent()), steps(graph.drawExtent()),
        keys(graph.drawExtent()), depth(graph.drawExtent()),
        width(graph.drawExtent()), kv(graph.random.between(1, 3)),
        q(kv * graph.random.between(1, 2)) {}

  Extent batch, steps, keys, depth, width;
  int64_t kv, q;

  Attributes counts() const {
    return {attribute("q_num_heads", q), attribute("kv_num_heads", kv)};
  }
  /// [batch, heads, steps, depth], or with the heads in the last dimension.
  static Shape tensor(bool isPacked, const Extent &batch, int64_t heads,
                      const Extent &steps, const Extent &depth) {
    if (isPacked)
      return {batch, steps, depth * Extent(heads)};
    return {batch, heads, steps, depth};
  }
};
} // namespace

static bool affords(const Heads &heads, const Extent &keys) {
  return isBelow(
      {heads.batch, heads.q, heads.steps, keys, heads.depth + heads.width},
      mostProducts / 4);
}

/// A mask of numbers or conditions, broadcast from the left as masks are.
static Value mask(Graph &graph, const Heads &heads, const Extent &keys) {
  Shape shape{heads.steps, keys};
  if (graph.random.chance(60))
    shape.insert(shape.begin(), graph.random.chance(50) ? 1 : heads.q);
  if (shape.size() == 3 && graph.random.chance(70))
    shape.insert(shape.begin(),
                 graph.random.chance(50) ? Extent(1) : heads.batch);
  return graph.input(graph.random.chance(35) ? Bool : F32, shape);
}

/// Extents of a past that keys and values have.
static std::optional<Extent> past(Graph &graph, const Heads &heads,
                                  Names &operands, bool isPacked) {
  if (isPacked || !graph.random.chance(35))
    return std::nullopt;
  Extent before = graph.drawExtent();
  operands.push_back(
      graph.input(F32, {heads.batch, heads.kv, before, heads.depth}).name);
  operands.push_back(
      graph.input(F32, {heads.batch, heads.kv, before, heads.width}).name);
  return before;
}

static bool attention(Graph &graph) {
  Heads heads(graph);
  bool isPacked = graph.random.chance(35);
  // Its function body cannot reshape values of no width.
  if (!heads.keys.isIn(1, 64) || !heads.depth.isIn(1, 64) ||
      !heads.width.isIn(1, 64) || !affords(heads, heads.keys + Extent(33)))
    return false;
  auto tensor = [&](int64_t count, const Extent &steps, const Extent &depth) {
    return graph.input(
        F32, Heads::tensor(isPacked, heads.batch, count, steps, depth));
  };
  Names operands{tensor(heads.q, heads.steps, heads.depth).name,
                 tensor(heads.kv, heads.keys, heads.depth).name,
                 tensor(heads.kv, heads.keys, heads.width).name, ""};
  auto before = past(graph, heads, operands, isPacked);
  Extent all = before ? *before + heads.keys : heads.keys;
  if (graph.random.chance(50))
    operands[3] = mask(graph, heads, all).name;
  Attributes attributes{attribute("is_causal", graph.random.below(2))};
  if (isPacked)
    for (const auto &count : heads.counts())
      attributes.push_back(count);
  if (graph.random.chance(40))
    attributes.push_back(attribute("scale", 0.3f));
  if (graph.random.chance(25))
    attributes.push_back(attribute("softcap", 2.0f));
  std::vector<Value> results{
      {"", F32,
       Heads::tensor(isPacked, heads.batch, heads.q, heads.steps, heads.width),
       1}};
  if (before) {
    results.push_back({"", F32, {heads.batch, heads.kv, all, heads.depth}, 1});
    results.push_back({"", F32, {heads.batch, heads.kv, all, heads.width}, 1});
  }
  graph.addAll("Attention", operands, results, attributes);
  return true;
}

static bool linearAttention(Graph &graph) {
  Heads heads(graph);
  // Of nothing, its function body does not say how wide it is.
  if (!heads.depth.isIn(1, 17) || !heads.steps.isIn(1, 17) ||
      !heads.batch.isIn(1, 64) || !heads.width.isIn(1, 64) ||
      !affords(heads, heads.steps))
    return false;
  const char *rule = graph.random.any<const char *>(
      {"linear", "gated", "delta", "gated_delta"});
  bool isGated = *rule == 'g', isDelta = rule[isGated ? 6 : 0] == 'd';
  auto packed = [&](int64_t count, const Extent &depth, double bound = 1) {
    return graph
        .input(F32, {heads.batch, heads.steps, depth * Extent(count)}, bound)
        .name;
  };
  Shape state{heads.batch, heads.kv, heads.depth, heads.width};
  Names operands{packed(heads.q, heads.depth), packed(heads.kv, heads.depth),
                 packed(heads.kv, heads.width),
                 graph.random.chance(50) ? graph.input(F32, state).name : ""};
  // What a state becomes stays small: keys are short, and it decays.
  operands[1] = graph.helper("Mul", {operands[1], graph.number(0.2).name});
  if (isGated) {
    bool isForEach = graph.random.chance(50);
    std::string decay = graph.helper(
        "Abs", {packed(heads.kv, isForEach ? heads.depth : Extent(1))});
    operands.push_back(graph.helper("Neg", {decay}));
  }
  if (isDelta) {
    operands.resize(5);
    operands.push_back(graph.helper("Sigmoid", {packed(heads.kv, Extent(1))}));
  }
  Attributes attributes = heads.counts();
  attributes.push_back(attribute("update_rule", rule));
  graph.addAll(
      "LinearAttention", operands,
      {{"", F32, {heads.batch, heads.steps, heads.width * Extent(heads.q)}, 40},
       {"", F32, state, 40}},
      attributes);
  return true;
}

static bool causalConv(Graph &graph) {
  int64_t channels = graph.random.any<int64_t>({1, 3, 8, 17});
  int64_t taps = graph.random.between(1, 5);
  auto x =
      newInput(graph, {graph.drawExtent(), channels, graph.drawExtent()}, 3);
  if (!x)
    return false;
  Shape state{x->shape[0], channels, taps - 1};
  Names operands{x->name, graph.weights({channels, 1, taps}, taps).name,
                 graph.random.chance(50) ? graph.weights({channels}).name : "",
                 graph.random.chance(50) ? graph.input(F32, state).name : ""};
  graph.addAll(
      "CausalConvWithState", operands,
      {{"", F32, x->shape, 5}, {"", F32, state, 1}},
      {attribute("activation", graph.random.chance(50) ? "silu" : "none")});
  return true;
}

/// Rows of a cache are written, beyond its end from the beginning on.
static bool tensorScatter(Graph &graph) {
  Extent batch = graph.drawExtent(), steps = graph.drawExtent();
  Extent room = graph.drawExtent(), width = graph.drawExtent();
  int64_t heads = graph.random.between(1, 3);
  bool isCircular = graph.random.chance(50);
  auto cache = newInput(graph, {batch, heads, steps + room, width}, 4);
  if (!cache || !isBelow({batch, heads, steps, width}, mostElements))
    return false;
  Names operands{cache->name,
                 graph.input(F32, {batch, heads, steps, width}).name};
  // Where they do not come round, at the beginning or behind it.
  if (isCircular || room.isIn(0, 4096))
    operands.push_back(
        graph
            .indices(I64, {batch}, isCircular ? steps + room : room + Extent(1),
                     false)
            .name);
  graph.add("TensorScatter", operands, F32, cache->shape, 1,
            {attribute("mode", isCircular ? "circular" : "linear")});
  return true;
}

static bool rotate(Graph &graph) {
  int64_t heads = graph.random.between(1, 3);
  Extent batch = graph.drawExtent(), steps = graph.drawExtent();
  int64_t half = graph.random.between(1, 5), kept = 2 * graph.random.below(2);
  bool isPacked = graph.random.chance(40), hasPlaces = graph.random.chance(50);
  Shape shape =
      Heads::tensor(isPacked, batch, heads, steps, Extent(2 * half + kept));
  if (!isBelow(shape, mostElements))
    return false;
  Extent places = graph.drawExtent() + Extent(1);
  Shape angles = hasPlaces ? Shape{places, half} : Shape{batch, steps, half};
  Names operands{graph.input(F32, shape).name, graph.input(F32, angles).name,
                 graph.input(F32, angles).name};
  if (hasPlaces)
    operands.push_back(graph.indices(I64, {batch, steps}, places, false).name);
  Attributes attributes{attribute("interleaved", graph.random.below(2)),
                        attribute("rotary_embedding_dim", 2 * half)};
  if (isPacked)
    attributes.push_back(attribute("num_heads", heads));
  graph.add("RotaryEmbedding", operands, F32, shape, 2, attributes);
  return true;
}

Operators tenon::fuzz::attentionOperators() {
  return {{6, attention, 24},
          {3, linearAttention, 27},
          {3, causalConv, 27},
          {3, tensorScatter, 24},
          {2, rotate, 24}};
}
