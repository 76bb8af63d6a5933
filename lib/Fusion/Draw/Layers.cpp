//===- Layers.cpp - a graph from top to bottom ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is a small layered drawing: longest paths give layers, medians of
// neighbours give an order in each, and medians again give places.
//===----------------------------------------------------------------------===//
#include "lib/Fusion/Draw/Layers.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace tenon::fusion;

namespace {

/// A box, or the place where a link passes a layer.
struct Node {
  unsigned layer = 0;
  double width = 0, height = 0;
  std::vector<unsigned> up = {}, down = {}; ///< neighbours, a layer away
  double x = 0;                             ///< of the middle
};

class Layering {
public:
  Layering(std::vector<Box> &boxes, std::vector<Link> &links,
           const LayerOptions &options)
      : boxes(boxes), links(links), options(options) {}

  Point run() {
    assignLayers();
    connect();
    for (unsigned sweep = 0; sweep < options.sweeps; ++sweep)
      order(sweep % 2 == 0);
    pack();
    for (unsigned sweep = 0; sweep < options.sweeps; ++sweep)
      align(sweep % 2 == 0);
    straighten();
    return finish();
  }

private:
  void assignLayers() {
    nodes.resize(boxes.size());
    for (auto [i, box] : llvm::enumerate(boxes))
      nodes[i].width = box.width, nodes[i].height = box.height;
    std::vector<unsigned> order(links.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::stable_sort(order, [&](unsigned a, unsigned b) {
      return links[a].from < links[b].from;
    });
    for (unsigned i : order) {
      Node &to = nodes[links[i].to];
      to.layer = std::max(to.layer, nodes[links[i].from].layer + 1);
    }
    sinkSources();
  }

  /// What nothing leads to stands just above what it is for.
  void sinkSources() {
    std::vector<unsigned> nearest(boxes.size(), ~0u);
    std::vector<bool> isSource(boxes.size(), true);
    for (const Link &link : links) {
      isSource[link.to] = false;
      nearest[link.from] = std::min(nearest[link.from], nodes[link.to].layer);
    }
    for (size_t i = 0; i < boxes.size(); ++i)
      if (isSource[i] && nearest[i] != ~0u)
        nodes[i].layer = nearest[i] - 1;
  }

  void join(unsigned above, unsigned below) {
    nodes[above].down.push_back(below);
    nodes[below].up.push_back(above);
  }

  void connect() {
    passes.resize(links.size());
    for (auto [i, link] : llvm::enumerate(links)) {
      unsigned first = nodes[link.from].layer, last = nodes[link.to].layer;
      link.isLong = last - first > options.longestLink;
      if (link.isLong)
        continue;
      unsigned above = link.from;
      for (unsigned layer = first + 1; layer < last; ++layer) {
        passes[i].push_back(nodes.size());
        nodes.push_back({layer, options.passWidth, 0});
        join(above, passes[i].back());
        above = passes[i].back();
      }
      join(above, link.to);
    }
    for (auto [i, node] : llvm::enumerate(nodes)) {
      if (node.layer >= layers.size())
        layers.resize(node.layer + 1);
      layers[node.layer].push_back(i);
    }
  }

  /// Sorts the nodes of each layer by the middle of their neighbours' places.
  void order(bool downwards) {
    std::vector<double> place(nodes.size());
    for (const std::vector<unsigned> &layer : layers)
      number(layer, place);
    for (size_t i = 0; i < layers.size(); ++i) {
      std::vector<unsigned> &layer =
          layers[downwards ? i : layers.size() - 1 - i];
      std::vector<double> wanted(nodes.size());
      for (unsigned node : layer) {
        const auto &near = downwards ? nodes[node].up : nodes[node].down;
        double sum = 0;
        for (unsigned other : near)
          sum += place[other];
        wanted[node] = near.empty() ? place[node] : sum / double(near.size());
      }
      llvm::stable_sort(
          layer, [&](unsigned a, unsigned b) { return wanted[a] < wanted[b]; });
      number(layer, place);
    }
  }

  static void number(const std::vector<unsigned> &layer,
                     std::vector<double> &place) {
    for (auto [i, node] : llvm::enumerate(layer))
      place[node] = (double(i) + 0.5) / double(layer.size());
  }

  double gap(unsigned left, unsigned right) const {
    bool pass = left >= boxes.size() && right >= boxes.size();
    return (nodes[left].width + nodes[right].width) / 2 +
           (pass ? 4 : options.gapX);
  }

  /// As far left as they go, centred.
  void pack() {
    for (const std::vector<unsigned> &layer : layers) {
      double x = 0;
      for (size_t i = 0; i < layer.size(); ++i) {
        x += i ? gap(layer[i - 1], layer[i]) : 0;
        nodes[layer[i]].x = x;
      }
      for (unsigned node : layer)
        nodes[node].x -= x / 2;
    }
  }

  /// The middle of the neighbours. Boxes follow boxes, if there are any, so
  /// that a chain stays straight beside what passes it.
  double wish(unsigned node, bool downwards) const {
    const auto &near = downwards ? nodes[node].up : nodes[node].down;
    std::vector<double> xs, passing;
    for (unsigned other : near)
      (other < boxes.size() ? xs : passing).push_back(nodes[other].x);
    if (xs.empty())
      xs = passing;
    if (xs.empty())
      return nodes[node].x;
    llvm::sort(xs);
    size_t half = xs.size() / 2;
    return xs.size() % 2 ? xs[half] : (xs[half - 1] + xs[half]) / 2;
  }

  void align(bool downwards) {
    for (size_t i = 0; i < layers.size(); ++i)
      place(layers[downwards ? i : layers.size() - 1 - i], downwards);
  }

  /// Least squares of the distances to what each node wishes, in order and
  /// apart: neighbours that would overlap move together as one cluster.
  void place(const std::vector<unsigned> &layer, bool downwards) {
    struct Cluster {
      double sum, weight; ///< of wishes for the first node's place
      size_t first;
    };
    std::vector<double> shift(layer.size(), 0);
    for (size_t i = 1; i < layer.size(); ++i)
      shift[i] = shift[i - 1] + gap(layer[i - 1], layer[i]);
    std::vector<Cluster> clusters;
    for (size_t i = 0; i < layer.size(); ++i) {
      double weight = layer[i] < boxes.size() ? 256 : 1; // passes give way
      double wanted = wish(layer[i], downwards) - shift[i];
      clusters.push_back({wanted * weight, weight, i});
      while (clusters.size() > 1) {
        Cluster &last = clusters.back(), &before = *(&last - 1);
        if (before.sum / before.weight <= last.sum / last.weight)
          break;
        before.sum += last.sum, before.weight += last.weight;
        clusters.pop_back();
      }
    }
    for (size_t c = 0; c < clusters.size(); ++c) {
      size_t end =
          c + 1 < clusters.size() ? clusters[c + 1].first : layer.size();
      for (size_t i = clusters[c].first; i < end; ++i)
        nodes[layer[i]].x = clusters[c].sum / clusters[c].weight + shift[i];
    }
  }

  /// Boxes that stand between two of those above make long graphs lean: takes
  /// out what the middles of layers do on average, over some of them.
  void straighten() {
    const size_t around = 12;
    std::vector<double> middles;
    for (unsigned layer = 0; layer < layers.size(); ++layer) {
      auto [left, right] = extent(layer, layer + 1);
      middles.push_back((left + right) / 2);
    }
    for (size_t i = 0; i < layers.size(); ++i) {
      size_t first = i < around ? 0 : i - around;
      size_t end = std::min(layers.size(), i + around + 1);
      double sum = std::accumulate(middles.begin() + ptrdiff_t(first),
                                   middles.begin() + ptrdiff_t(end), 0.);
      for (unsigned node : layers[i])
        nodes[node].x -= sum / double(end - first);
    }
  }

  void measureLayers() {
    double y = 0;
    for (const std::vector<unsigned> &layer : layers) {
      double tall = 0;
      for (unsigned node : layer)
        tall = std::max(tall, nodes[node].height);
      spans.push_back({y, y + tall});
      y += tall + options.gapY;
    }
  }

  /// The least and the largest place of what some layers hold.
  std::pair<double, double> extent(unsigned first, unsigned end) const {
    double left = std::numeric_limits<double>::max(), right = -left;
    for (unsigned layer = first; layer < end; ++layer)
      for (unsigned node : layers[layer]) {
        left = std::min(left, nodes[node].x - nodes[node].width / 2);
        right = std::max(right, nodes[node].x + nodes[node].width / 2);
      }
    return {left, right};
  }

  /// The links that lead into each layer from above or past its top.
  std::vector<unsigned> countCrossings() const {
    std::vector<unsigned> crossings(layers.size(), 0);
    for (const Link &link : links)
      if (!link.isLong)
        for (unsigned layer = nodes[link.from].layer + 1;
             layer <= nodes[link.to].layer; ++layer)
          ++crossings[layer];
    return crossings;
  }

  /// The first layer of each column: of those near its share of the height the
  /// one that the fewest links cross, then the nearest.
  std::vector<unsigned> columnStarts(unsigned columns) const {
    std::vector<unsigned> starts = {0}, crossings = countCrossings();
    double share = spans.back().y / columns;
    for (unsigned column = 1; column < columns; ++column) {
      double wanted = share * column;
      unsigned best = 0;
      auto distance = [&](unsigned i) { return std::abs(spans[i].x - wanted); };
      for (unsigned i = starts.back() + 1; i < layers.size(); ++i)
        if (distance(i) <= share / 4 &&
            (!best || std::pair(crossings[i], distance(i)) <
                          std::pair(crossings[best], distance(best))))
          best = i;
      if (best)
        starts.push_back(best);
    }
    return starts;
  }

  double widthOf(const std::vector<unsigned> &starts) const {
    double width = options.columnGap * double(starts.size() - 1);
    for (size_t column = 0; column < starts.size(); ++column) {
      auto [left, right] = extent(starts[column], endOf(starts, column));
      width += right - left;
    }
    return width;
  }

  unsigned endOf(const std::vector<unsigned> &starts, size_t column) const {
    return column + 1 < starts.size() ? starts[column + 1]
                                      : unsigned(layers.size());
  }

  /// As many columns as the page has room for and the graph fills.
  std::vector<unsigned> chooseColumns() const {
    auto columns =
        unsigned(std::clamp(spans.back().y / options.columnHeight, 1., 12.));
    std::vector<unsigned> starts = columnStarts(columns);
    while (columns > 1 && widthOf(starts) > options.pageWidth)
      starts = columnStarts(--columns);
    return starts;
  }

  /// Moves layers to their columns; what leads out of one is not drawn.
  Point fold() {
    std::vector<unsigned> starts = chooseColumns();
    std::vector<unsigned> columnOf(layers.size());
    Point page = {0, 0};
    for (size_t column = 0; column < starts.size(); ++column) {
      unsigned first = starts[column], end = endOf(starts, column);
      auto [left, right] = extent(first, end);
      page.x += column ? options.columnGap : 0;
      double top = spans[first].x;
      for (unsigned layer = first; layer < end; ++layer) {
        columnOf[layer] = unsigned(column);
        spans[layer] = {spans[layer].x - top, spans[layer].y - top};
        page.y = std::max(page.y, spans[layer].y);
        for (unsigned node : layers[layer])
          nodes[node].x += page.x - left;
      }
      page.x += right - left;
    }
    for (Link &link : links)
      link.isLong |=
          columnOf[nodes[link.from].layer] != columnOf[nodes[link.to].layer];
    return page;
  }

  Point finish() {
    measureLayers();
    Point page = fold();
    for (auto [i, box] : llvm::enumerate(boxes)) {
      box.x = nodes[i].x - box.width / 2;
      box.y = spans[nodes[i].layer].x;
    }
    for (auto [i, link] : llvm::enumerate(links))
      if (!link.isLong)
        route(link, passes[i]);
    return page;
  }

  void route(Link &link, const std::vector<unsigned> &passed) {
    const Box &from = boxes[link.from];
    link.points.push_back({from.x + from.width / 2, from.y + from.height});
    link.points.push_back(
        {from.x + from.width / 2, spans[nodes[link.from].layer].y});
    for (unsigned node : passed)
      for (double y : {spans[nodes[node].layer].x, spans[nodes[node].layer].y})
        link.points.push_back({nodes[node].x, y});
    const Box &to = boxes[link.to];
    link.points.push_back({to.x + to.width / 2, to.y});
  }

  std::vector<Box> &boxes;
  std::vector<Link> &links;
  const LayerOptions &options;
  std::vector<Node> nodes; ///< boxes first
  std::vector<std::vector<unsigned>> passes;
  std::vector<std::vector<unsigned>> layers; ///< nodes from left to right
  std::vector<Point> spans; ///< of each layer: its top and its bottom
};

} // namespace

Point tenon::fusion::placeLayers(std::vector<Box> &boxes,
                                 std::vector<Link> &links,
                                 const LayerOptions &options) {
  return boxes.empty() ? Point{0, 0} : Layering(boxes, links, options).run();
}
