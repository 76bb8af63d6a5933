//===- FusionDrawTest.cpp - groups as a picture ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests that boxes and lines find places on the page, and that the
// page says what the groups are, whatever nodes are called.
//===----------------------------------------------------------------------===//
// LINK: TenonFusionDraw LLVM NO_PCH
#include "lib/Fusion/Draw/Draw.h"
#include "lib/Fusion/Draw/DrawGroup.h"
#include "lib/Fusion/Draw/Layers.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace tenon::fusion;
using tenon::Time;

static bool overlap(const Box &a, const Box &b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
         b.y < a.y + a.height;
}

/// Boxes are apart and on the page, and links lead down from box to box.
static void check(const std::vector<Box> &boxes, const std::vector<Link> &links,
                  Point page) {
  const double slack = 1e-6;
  for (size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_GE(boxes[i].x, -slack);
    EXPECT_GE(boxes[i].y, -slack);
    EXPECT_LE(boxes[i].x + boxes[i].width, page.x + slack);
    EXPECT_LE(boxes[i].y + boxes[i].height, page.y + slack);
    for (size_t j = 0; j < i; ++j)
      EXPECT_FALSE(overlap(boxes[i], boxes[j])) << i << " over " << j;
  }
  for (const Link &link : links) {
    const Box &from = boxes[link.from], &to = boxes[link.to];
    EXPECT_EQ(link.points.empty(), link.isLong);
    if (link.isLong)
      continue;
    EXPECT_LT(from.y + from.height, to.y);
    EXPECT_EQ(link.points.front().x, from.x + from.width / 2);
    EXPECT_EQ(link.points.front().y, from.y + from.height);
    EXPECT_EQ(link.points.back().x, to.x + to.width / 2);
    EXPECT_EQ(link.points.back().y, to.y);
    for (size_t i = 1; i < link.points.size(); ++i)
      EXPECT_LE(link.points[i - 1].y, link.points[i].y);
  }
}

TEST(FusionDraw, NothingNeedsNoPage) {
  std::vector<Box> boxes;
  std::vector<Link> links;
  Point page = placeLayers(boxes, links);
  EXPECT_EQ(page.x, 0);
  EXPECT_EQ(page.y, 0);
}

TEST(FusionDraw, ADiamondHasThreeLayers) {
  std::vector<Box> boxes(4, Box{100, 40});
  std::vector<Link> links = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  Point page = placeLayers(boxes, links);
  check(boxes, links, page);
  EXPECT_EQ(boxes[1].y, boxes[2].y);
  EXPECT_NE(boxes[1].x, boxes[2].x);
  // The ends stand in the middle of the branches.
  EXPECT_NEAR(boxes[0].x, (boxes[1].x + boxes[2].x) / 2, 1);
  EXPECT_NEAR(boxes[0].x, boxes[3].x, 1);
}

TEST(FusionDraw, ALinkPassesBesideTheBoxesBetween) {
  std::vector<Box> boxes(4, Box{100, 40});
  std::vector<Link> links = {{0, 1}, {1, 2}, {2, 3}, {0, 3}};
  Point page = placeLayers(boxes, links);
  check(boxes, links, page);
  // At the height of each box between the ends the long way is outside of it.
  for (unsigned between : {1, 2})
    for (const Point &point : links[3].points)
      if (point.y > boxes[between].y &&
          point.y < boxes[between].y + boxes[between].height)
        EXPECT_TRUE(point.x < boxes[between].x ||
                    point.x > boxes[between].x + boxes[between].width);
}

static std::vector<Link> chain(unsigned count) {
  std::vector<Link> links;
  for (unsigned i = 1; i < count; ++i)
    links.push_back({i - 1, i});
  return links;
}

TEST(FusionDraw, ATallGraphIsCutWhereFewLinksAre) {
  std::vector<Box> boxes(30, Box{100, 40});
  std::vector<Link> links = chain(30);
  links.push_back({13, 15}); // not between these
  Point page = placeLayers(boxes, links);
  check(boxes, links, page);
  EXPECT_GT(page.x, 200);
  EXPECT_LT(page.y, 30 * 84);
  EXPECT_EQ(llvm::count_if(links, [](const Link &link) { return link.isLong; }),
            1);
  EXPECT_FALSE(links.back().isLong);
}

TEST(FusionDraw, AChainIsStraight) {
  std::vector<Box> boxes(9, Box{100, 40});
  std::vector<Link> links = chain(9);
  links.push_back({2, 5});
  Point page = placeLayers(boxes, links);
  check(boxes, links, page);
  for (unsigned i = 1; i < 9; ++i)
    EXPECT_NEAR(boxes[i].x, boxes[0].x, 4);
}

TEST(FusionDraw, VeryLongLinksAreNotDrawn) {
  const unsigned count = 24;
  std::vector<Box> boxes(count, Box{100, 40});
  std::vector<Link> links = chain(count);
  links.push_back({0, count - 1});
  LayerOptions options;
  options.columnHeight = 1e6;
  Point page = placeLayers(boxes, links, options);
  check(boxes, links, page);
  EXPECT_TRUE(links.back().isLong);
  EXPECT_FALSE(links.front().isLong);
}

TEST(FusionDraw, AnyGraphFindsPlaces) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    unsigned count = 2 + random() % 120;
    std::vector<Box> boxes(count);
    for (Box &box : boxes)
      box = {60. + random() % 200, 20. + random() % 90};
    std::vector<Link> links;
    for (unsigned i = 0; i < 2 * count; ++i)
      if (unsigned a = random() % count, b = random() % count; a != b)
        links.push_back({std::min(a, b), std::max(a, b)});
    Point page = placeLayers(boxes, links);
    check(boxes, links, page);
    std::vector<Box> again = boxes;
    std::vector<Link> same = links;
    for (Link &link : same)
      link = {link.from, link.to};
    placeLayers(again, same);
    for (unsigned i = 0; i < count; ++i)
      EXPECT_EQ(again[i].x, boxes[i].x);
  }
}

static size_t count(const std::string &text, const std::string &piece) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(piece, at)) != std::string::npos;
       at += piece.size())
    ++found;
  return found;
}

/// Two groups, the second of two stages.
static GroupGraph example() {
  GroupGraph graph;
  graph.inputs = {"image"};
  graph.outputs = {"a<b"};
  ReportedGroup first, second;
  first.kernel = "gemm_0", first.strategy = "gemm";
  first.operators = {{"conv", "/a/Conv", {}}, {"relu", "/a/\"Relu\"", {0}}};
  first.bytesBefore = 4096, first.bytes = 2048, first.time = {1500};
  second.kernel = "stages_1", second.strategy = "stages";
  second.operators = {{"conv", "/b/Conv", {}, 0, "gemm"},
                      {"add", "/b/Add", {0}, 0, "gemm"},
                      {"pool", "/c/Pool", {1}, 1, "window"}};
  second.tile = {8, 14}, second.extents = {56, 56};
  second.bytesBefore = 8192, second.bytes = 8192, second.work = 1.25;
  second.bound = GroupBound::Memory;
  graph.groups = {first, second};
  using End = ReportedEdge::End;
  graph.edges = {
      {End::Input, End::Group, 0, 0, 1024},
      {End::Group, End::Group, 0, 1, 1536, "/a/Relu", "/b/Conv", "a & b"},
      {End::Group, End::Output, 1, 0, 512}};
  return graph;
}

TEST(FusionDraw, ThePageHasAllGroupsAndReasons) {
  GroupGraph graph = example();
  std::string page = drawGroups(graph, "net");
  EXPECT_EQ(page, drawGroups(graph, "net"));
  EXPECT_EQ(count(page, "<g id=\"g"), 2u);
  EXPECT_EQ(count(page, "class=\"l\""), 3u); // lines
  EXPECT_EQ(count(page, "class=\"st\""), 2u);
  EXPECT_EQ(count(page, "class=\"o\""), 5u);
  EXPECT_EQ(count(page, "class=\"f\""), 3u);
  EXPECT_NE(page.find("class=\"g b2 s0\""), std::string::npos);
  EXPECT_NE(page.find("predicted: 1.5 us\n"), std::string::npos);
  EXPECT_NE(page.find("predicted <b>1.5 us</b>"), std::string::npos);
  EXPECT_NE(page.find("not fused: a &amp; b"), std::string::npos);
  EXPECT_NE(page.find("a&lt;b"), std::string::npos);
  EXPECT_NE(page.find("/a/&quot;Relu&quot;"), std::string::npos);
  EXPECT_EQ(page.find("a<b"), std::string::npos);
  EXPECT_NE(page.find("8\xC3\x97"
                      "14 of 56\xC3\x97"
                      "56"),
            std::string::npos);
  EXPECT_EQ(page.find("script"), std::string::npos);
}

TEST(FusionDraw, SumsAndParts) {
  GroupGraph graph = example();
  EXPECT_EQ(graph.bytesBefore(), 12288);
  EXPECT_EQ(graph.bytes(), 10240);
  EXPECT_EQ(graph.time(), Time{1500});
  EXPECT_EQ(graph.operators(), 5u);
  EXPECT_EQ(graph.groups[0].saved(), 0.5);
  EXPECT_EQ(graph.groups[1].saved(), 0);
  EXPECT_EQ(graph.groups[0].stages(), 0u);
  EXPECT_EQ(graph.groups[1].stages(), 2u);
}

TEST(FusionDraw, ManyOperatorsAreCutShort) {
  ReportedGroup group = example().groups[0];
  GroupStyle style;
  while (group.operators.size() < 40)
    group.operators.push_back({"add", "/n", {0}});
  EXPECT_LT(boxOf(group, style).height, 40 * 22);
  GroupGraph graph;
  graph.groups = {group};
  EXPECT_NE(drawGroups(graph, "net").find("28 more"), std::string::npos);
}

TEST(FusionDraw, NumbersReadWell) {
  EXPECT_EQ(humanCount(0), "0");
  EXPECT_EQ(humanCount(999), "999");
  EXPECT_EQ(humanCount(1500), "1.5 k");
  EXPECT_EQ(humanCount(85300), "85 k");
  EXPECT_EQ(humanCount(2.5e6), "2.5 M");
  EXPECT_EQ(humanTime({3.7}), "4 ns");
  EXPECT_EQ(humanTime({850}), "850 ns");
  EXPECT_EQ(humanTime({1500}), "1.5 us");
  EXPECT_EQ(humanTime(Time::ofMicroseconds(85300)), "85 ms");
  EXPECT_EQ(humanTime({4.2e12}), "4200 s");
  EXPECT_EQ(kindOfReason("27 ns, apart 3"), "n ns, apart n");
  EXPECT_EQ(kindOfReason("other shape"), "other shape");
  EXPECT_EQ(sizeText(640), "640 B");
  EXPECT_EQ(sizeText(800000), "781 KiB");
  EXPECT_EQ(sizeText(1 << 20), "1.0 MiB");
  EXPECT_EQ(shortName("short", 10), "short");
  EXPECT_EQ(shortName("/a/long/name/Conv", 8), "\xE2\x80\xA6"
                                               "me/Conv");
  EXPECT_EQ(shortName("one;two", 10), "one +");
  // Not in the middle of a character.
  EXPECT_EQ(shortName("aa\xC3\xA9"
                      "bb",
                      4),
            "\xE2\x80\xA6"
            "bb");
}
