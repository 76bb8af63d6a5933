//===- ArtifactWaveDamageTest.cpp - schedules that must not run -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file damages section SCHEDULE, with the checksums made right again, and
// makes launches that share bytes run at once.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "tenon/reach.h"
#include "test/unit/ArtifactTestDevice.h"
#include "test/unit/ArtifactTestImage.h"
#include "test/unit/ArtifactTestWaves.h"
#include <random>
#include <set>

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

/// The artifact with waves; its records can be damaged.
struct WavesImage : Image {
  WavesImage() : Image(makeWavesDesc()) {}

  tenon_wave_record &wave(int index) {
    return at<tenon_wave_record>(TENON_SECTION_SCHEDULE,
                                 sizeof(tenon_schedule_header) +
                                     index * sizeof(tenon_wave_record));
  }
  tenon_piece_record &piece(int index) {
    return at<tenon_piece_record>(TENON_SECTION_SCHEDULE,
                                  sizeof(tenon_schedule_header) +
                                      2 * sizeof(tenon_wave_record) +
                                      index * sizeof(tenon_piece_record));
  }
  uint32_t &time(int index) {
    return at<uint32_t>(
        TENON_SECTION_SCHEDULE,
        sizeof(tenon_schedule_header) + 2 * sizeof(tenon_wave_record) +
            2 * sizeof(tenon_piece_record) + index * sizeof(uint32_t));
  }
  tenon_launch_record &launch(int index) {
    return at<tenon_launch_record>(TENON_SECTION_LAUNCHES,
                                   sizeof(tenon_launches_header) +
                                       3 * sizeof(tenon_kernel_record) +
                                       index * sizeof(tenon_launch_record));
  }
  tenon_ref_record &ref(int index) {
    return at<tenon_ref_record>(
        TENON_SECTION_LAUNCHES,
        sizeof(tenon_launches_header) + 3 * sizeof(tenon_kernel_record) +
            5 * sizeof(tenon_launch_record) + index * sizeof(tenon_ref_record));
  }
};

} // namespace

#define EXPECT_DAMAGE(text, ...)                                               \
  do {                                                                         \
    WavesImage image;                                                          \
    __VA_ARGS__;                                                               \
    image.sign();                                                              \
    EXPECT_FAILS(text, image.load());                                          \
  } while (0)

TEST(ArtifactWaveDamage, TheIntactOneLoads) {
  WavesImage image;
  EXPECT_OK(image.load());
  EXPECT_EQ(image.header().flags, TENON_FILE_SCHEDULE);
  EXPECT_EQ(image.section(TENON_SECTION_SCHEDULE).size,
            8u + 2 * 8 + 2 * 40 + 5 * 4);
  EXPECT_EQ(image.time(4), 500u);
  image.sign();
  EXPECT_OK(image.load());
}

TEST(ArtifactWaveDamage, ThereIsNoSectionWithoutWaves) {
  ArtifactDesc desc = makeWavesDesc();
  for (auto [i, launch] : llvm::enumerate(desc.variants[0].launches)) {
    launch.wave = i;
    launch.refs.back().piece.reset();
  }
  Image image(desc);
  EXPECT_EQ(image.header().flags, 0u);
  EXPECT_EQ(llvm::count(image.kinds, uint32_t(TENON_SECTION_SCHEDULE)), 0);
  EXPECT_OK(image.load());
}

TEST(ArtifactWaveDamage, Layout) {
  EXPECT_DAMAGE("the header is damaged (section count)",
                image.header().flags = 0);
  EXPECT_DAMAGE("the header is damaged (flags)",
                image.header().flags |= TENON_FILE_GUARDED);
  EXPECT_DAMAGE("the schedule section has the wrong size",
                image.at<tenon_schedule_header>(13, 0).wave_count = ~0u);
  EXPECT_DAMAGE("the schedule section has the wrong size",
                image.at<tenon_schedule_header>(13, 0).piece_count = 1);
  EXPECT_DAMAGE("the schedule section has the wrong size",
                image.wave(0).launch_count = 3);
  EXPECT_DAMAGE("wave 1 is bad", image.wave(1).launch_count = ~0u);
}

TEST(ArtifactWaveDamage, Waves) {
  EXPECT_DAMAGE("wave 0 is bad", image.wave(0) = {0, 1},
                image.wave(1) = {1, 4});
  EXPECT_DAMAGE("wave 1 is bad", image.wave(1).first_launch = 1);
  EXPECT_DAMAGE("wave 1 is bad", image.wave(1).first_launch = 3);
  EXPECT_DAMAGE("wave 1 is bad", image.wave(1).first_launch = ~0u);
  EXPECT_DAMAGE("launch 1 of wave 0 has steps", image.launch(1).steps = 2);
  EXPECT_DAMAGE("a launch of a wave is expected to take no time",
                image.time(3) = 0);
}

TEST(ArtifactWaveDamage, Pieces) {
  const char *bad = "piece 0 of the schedule is bad";
  EXPECT_DAMAGE(bad, image.piece(0).ref = 999);
  EXPECT_DAMAGE(bad, image.piece(0).ref -= 1); // which is read
  EXPECT_DAMAGE(bad, image.piece(0).reserved = 1);
  EXPECT_DAMAGE(bad, image.piece(0).begin = -4);
  EXPECT_DAMAGE(bad, image.piece(0).begin = image.piece(0).end);
  EXPECT_DAMAGE(bad, image.piece(0).end = INT64_MAX);
  EXPECT_DAMAGE(bad, image.piece(0).run = 0);
  EXPECT_DAMAGE(bad, image.piece(0).run = INT64_MAX);
  for (int64_t pitch : {-1, 0, 52})
    EXPECT_DAMAGE(bad, image.piece(0).pitch = pitch);
  EXPECT_DAMAGE("piece 1 of the schedule is bad",
                image.piece(1).ref = image.piece(0).ref);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static std::set<int64_t> bytesOf(const tenon_reach &reach) {
  std::set<int64_t> bytes;
  for (int64_t row = reach.begin; row + reach.run <= reach.end;
       row += std::max<int64_t>(reach.pitch, 1))
    for (int64_t i = 0; i < reach.run; ++i)
      bytes.insert(row + i);
  return bytes;
}

static tenon_reach drawReach(std::mt19937 &random, int64_t pitch) {
  int64_t run = 1 + random() % 6, begin = random() % 30;
  int64_t end = begin + run + pitch * int64_t(random() % 8);
  return {begin, end, run, pitch};
}

TEST(Reach, IsNeverTakenForLessThanItIs) {
  std::mt19937 random(5);
  int apart = 0;
  for (int round = 0; round < 5000; ++round) {
    tenon_reach a = drawReach(random, random() % 20);
    tenon_reach b = drawReach(random, round % 2 ? a.pitch : random() % 20);
    ASSERT_TRUE(tenon_is_reach(&a));
    std::set<int64_t> first = bytesOf(a), second = bytesOf(b);
    bool share = llvm::any_of(
        first, [&](int64_t byte) { return second.count(byte) != 0; });
    EXPECT_EQ(tenon_reaches_meet(&a, &b), tenon_reaches_meet(&b, &a));
    if (share)
      ASSERT_TRUE(tenon_reaches_meet(&a, &b)) << "round " << round;
    apart += !tenon_reaches_meet(&a, &b);
  }
  EXPECT_GT(apart, 1000);
}

TEST(Reach, OfColumnsOfOneMatrixIsExact) {
  // Wherever the matrix begins: rows of 12 bytes, cut behind 5.
  for (int64_t at = 0; at < 40; ++at) {
    tenon_reach left = {at, at + 12 * 9 + 5, 5, 12};
    tenon_reach right = {at + 5, at + 12 * 10, 7, 12};
    EXPECT_FALSE(tenon_reaches_meet(&left, &right));
    right.begin -= 1, right.end -= 1;
    EXPECT_TRUE(tenon_reaches_meet(&left, &right));
  }
}

TEST(Reach, OfRowsFarApart) {
  constexpr int64_t pitch = INT64_MAX / 4 * 3;
  tenon_reach rows = {0, pitch + 8, 8, pitch};
  tenon_reach between = {pitch - 4, pitch - 2, 2, pitch};
  EXPECT_FALSE(tenon_reaches_meet(&rows, &between));
  between.end = pitch + 1, between.run = 5;
  EXPECT_TRUE(tenon_reaches_meet(&rows, &between));
}

//===----------------------------------------------------------------------===//
// Shared bytes
//===----------------------------------------------------------------------===//

static std::string refusal(int one, int other) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "launch " << one << " ('" << char('a' + one) << "') and launch "
      << other << " ('" << char('a' + other)
      << "') may run at once, but one of them writes bytes that the other "
         "one uses";
  return text;
}

TEST(ArtifactWaveDamage, WavesTooLargeAreRefused) {
  // c reads what a and b write.
  EXPECT_DAMAGE(refusal(0, 2), image.wave(0) = {0, 3}, image.wave(1) = {3, 2});
}

TEST(ArtifactWaveDamage, WrongPiecesAreRefused) {
  EXPECT_DAMAGE(refusal(3, 4), image.piece(0).run += 4,
                image.piece(0).end += 4);
  EXPECT_DAMAGE(refusal(3, 4), image.piece(1).begin -= 4,
                image.piece(1).end -= 4);
  EXPECT_DAMAGE(refusal(3, 4), image.piece(0).pitch = 44);
  EXPECT_DAMAGE(refusal(3, 4), image.ref(10).offset = 4,
                image.ref(10).size -= 4);
}

TEST(ArtifactWaveDamage, OverlappingReferencesAreRefused) {
  // References: x w t0 | x x t1 | t0 t1 y | t0 z | t1 z
  EXPECT_DAMAGE(refusal(0, 1), image.ref(5).offset -= 64);
  EXPECT_DAMAGE(refusal(0, 1), image.ref(3) = image.ref(2));
  EXPECT_DAMAGE(refusal(2, 3), image.ref(8) = image.ref(10));
  WavesImage image;
  image.ref(5).offset -= 32; // behind t0
  image.sign();
  EXPECT_OK(image.load());
}

TEST(ArtifactWaveDamage, TheWriterRefusesThemToo) {
  TemporaryFile file;
  auto write = [&](llvm::function_ref<void(std::vector<LaunchDesc> &)> change) {
    ArtifactDesc desc = makeWavesDesc();
    change(desc.variants[0].launches);
    return messageOf(writeArtifact(desc, file.path));
  };
  using Launches = std::vector<LaunchDesc>;
  EXPECT_EQ(write([](Launches &) {}), "");
  EXPECT_EQ(write([](Launches &l) { l[2].wave = 3; }),
            "artifact: launches 0 and 2 of a wave share bytes that one of them "
            "writes");
  EXPECT_EQ(write([](Launches &l) {
              l[3].refs[1].piece->run += 4;
              l[3].refs[1].piece->end += 4;
            }),
            "artifact: launches 3 and 4 of a wave share bytes that one of them "
            "writes");
  EXPECT_EQ(write([](Launches &l) { l[3].refs[1].piece->end += 4000; }),
            "artifact: launch 3 has a bad piece");
  EXPECT_EQ(write([](Launches &l) { l[3].steps = 2; }),
            "artifact: launch 3 of a wave has steps");
  EXPECT_EQ(write([](Launches &l) { l[3].wave = 3; }),
            "artifact: launch 3 is not beside those of its wave");
}

TEST(ArtifactWaveDamage, GuardsAndDevicesHaveNoWaves) {
  TemporaryFile file;
  ArtifactDesc guarded = makeGuardedDesc(), device = makeDeviceDesc();
  for (ArtifactDesc *desc : {&guarded, &device})
    for (LaunchDesc &launch : desc->variants[0].launches)
      launch.wave = 0;
  EXPECT_FAILS("launches of a guarded plan are in a wave",
               writeArtifact(guarded, file.path));
  EXPECT_FAILS("launches of a device are in a wave",
               writeArtifact(device, file.path));
}
