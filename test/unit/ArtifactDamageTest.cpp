//===- ArtifactDamageTest.cpp - damaged artifacts -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file damages an artifact in every byte, and in its fields with the
// checksums made right again: each time loading must fail, or at least not
// crash.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestImage.h"
#include "test/unit/ArtifactTestSymbols.h"
#include "test/unit/ArtifactTestWaves.h"

using namespace tenon::test;

namespace {

constexpr uint64_t kernelAt = sizeof(tenon_launches_header);
constexpr uint64_t launchAt = kernelAt + sizeof(tenon_kernel_record);
constexpr uint64_t refAt = launchAt + 2 * sizeof(tenon_launch_record);
constexpr uint64_t programAt = refAt + 6 * sizeof(tenon_ref_record);
constexpr uint64_t nodeAt = programAt + sizeof(tenon_program_record);
constexpr uint64_t tensorAt = sizeof(tenon_signature_header);

} // namespace

TEST(ArtifactDamage, TheIntactOneLoads) {
  Image image;
  EXPECT_OK(image.load());
  image.sign();
  EXPECT_OK(image.load());
}

static void flipEveryByte(Image image) {
  for (size_t i = 0; i < image.size; ++i)
    for (uint8_t mask : {0x01, 0x80, 0xff}) {
      image.data()[i] ^= mask;
      ASSERT_NE("", messageOf(image.load())) << "byte " << i;
      image.data()[i] ^= mask;
    }
}

TEST(ArtifactDamage, EveryFlippedByteIsAnError) {
  flipEveryByte(Image());
  flipEveryByte(Image(makeGuardedDesc()));
  flipEveryByte(Image(makeVariantsDesc()));
  flipEveryByte(Image(makeSymbolic()));
  flipEveryByte(Image(makeWavesDesc()));
}

TEST(ArtifactDamage, EveryTruncationIsAnError) {
  Image image;
  for (size_t size = 0; size < image.size; ++size)
    ASSERT_NE("", messageOf(image.loadFirst(size))) << size << " bytes";
}

/// Each byte of header, table and small sections, with right checksums.
static void signNonsense(Image image) {
  const size_t end = image.section(TENON_SECTION_CODE).offset;
  const Image intact = image;
  for (size_t i = 0; i < end; ++i)
    for (uint8_t mask : {0x01, 0x80, 0xff}) {
      image.words = intact.words;
      image.data()[i] ^= mask;
      image.sign();
      messageOf(image.load());
      messageOf(image.load("two"));
    }
}

TEST(ArtifactDamage, SignedNonsenseDoesNotCrash) {
  signNonsense(Image());
  signNonsense(Image(makeGuardedDesc()));
  signNonsense(Image(makeVariantsDesc()));
  signNonsense(Image(makeSymbolic()));
  signNonsense(Image(makeWavesDesc()));
}

#define EXPECT_DAMAGE(text, ...)                                               \
  do {                                                                         \
    Image image;                                                               \
    __VA_ARGS__;                                                               \
    EXPECT_FAILS(text, image.load());                                          \
  } while (0)

TEST(ArtifactDamageErrors, FirstBytes) {
  EXPECT_DAMAGE("this is not a Tenon artifact", image.data()[0] = 'x');
  EXPECT_DAMAGE("truncated: 63 bytes are less than a header", image.size = 63);
  EXPECT_DAMAGE("truncated or overlong", image.size -= 1);
  EXPECT_DAMAGE("the artifact has format version 5; this library reads version "
                "6: compile the model again",
                image.header().version = 5);
  EXPECT_DAMAGE("the artifact has format version 7; this library reads version "
                "6",
                image.header().version = 7);
  EXPECT_DAMAGE("the artifact is empty", image.size = 0);
}

TEST(ArtifactDamageErrors, Header) {
  EXPECT_DAMAGE("the header is damaged (section count)",
                image.header().section_count = 9);
  EXPECT_DAMAGE("the header is damaged (checksum)",
                image.section(1).offset += 64);
  EXPECT_DAMAGE("the artifact needs a newer version of this library",
                image.header().flags = 32, image.signHeader());
  EXPECT_DAMAGE("the artifact was compiled for an unknown architecture, but",
                image.header().architecture = 77, image.signHeader());
  EXPECT_DAMAGE("the artifact needs the processor extension 'an unknown",
                image.header().features |= uint64_t(1) << 63,
                image.signHeader());
}

TEST(ArtifactDamageErrors, Sections) {
  EXPECT_DAMAGE("the info section is damaged (checksum)",
                image.at<uint8_t>(1, 0) ^= 1);
  EXPECT_DAMAGE("the plan section is misplaced", image.section(4).offset += 64,
                image.sign());
  EXPECT_DAMAGE("the weights section is misplaced", image.section(7).size += 1,
                image.sign());
  EXPECT_DAMAGE("the bytes before the code section are not zero",
                image.data()[image.section(6).offset - 1] = 1);
  EXPECT_DAMAGE("section 1 is of kind 1 instead of signature",
                image.section(2).kind = 1, image.sign());
  EXPECT_DAMAGE("there are bytes after the last section",
                image.section(7).size -= 1, image.sign());
}

TEST(ArtifactDamageErrors, Contents) {
  EXPECT_DAMAGE("the names section does not end in a zero byte",
                image.at<char>(5, image.section(5).size - 1) = 'x',
                image.sign());
  EXPECT_DAMAGE("a name is outside the names section",
                image.at<uint32_t>(1, 0) = 9999, image.sign());
  EXPECT_DAMAGE("the info section has the wrong size",
                image.section(1).size += 8, image.sign());
  EXPECT_DAMAGE("the signature section has the wrong size",
                image.at<uint32_t>(2, 0) = 0xffffffff, image.sign());
  auto tensor = [](Image &image) -> tenon_tensor_record & {
    return image.at<tenon_tensor_record>(2, tensorAt);
  };
  EXPECT_DAMAGE("'x' has an element type that does not exist",
                tensor(image).type_bits = 33, image.sign());
  EXPECT_DAMAGE("'x' has a bad rank", tensor(image).first_dim = 3,
                image.sign());
  EXPECT_DAMAGE("'x' has a bad shape", tensor(image).byte_size = 3,
                image.sign());
}

TEST(ArtifactDamageErrors, Launches) {
  EXPECT_DAMAGE("the plan section has the wrong size",
                image.at<tenon_plan_header>(4, 0).buffer_count = 9,
                image.sign());
  EXPECT_DAMAGE("the memory plan has a bad arena",
                image.at<tenon_plan_header>(4, 0).arena_alignment = 3,
                image.sign());
  EXPECT_DAMAGE(
      "buffer 0 of the memory plan is bad",
      image.at<tenon_buffer_record>(4, sizeof(tenon_plan_header)).offset = 1,
      image.sign());
  EXPECT_DAMAGE("the launches section has the wrong size",
                image.at<tenon_launches_header>(3, 0).node_count = ~0u,
                image.sign());
  EXPECT_DAMAGE("kernel 0 is bad", image.at<uint64_t>(3, kernelAt) = 99,
                image.sign());
  EXPECT_DAMAGE("kernel 0 is bad",
                image.at<tenon_kernel_record>(3, kernelAt).flags = 4,
                image.sign());
  EXPECT_DAMAGE("launch 1 has no fault word in the arena",
                image.at<tenon_kernel_record>(3, kernelAt).flags = 2,
                image.sign());
  EXPECT_DAMAGE("launch 0 is bad", image.at<uint32_t>(3, launchAt) = 1,
                image.sign());
  for (int64_t steps : {int64_t(0), INT64_MAX})
    EXPECT_DAMAGE("launch 0 is bad",
                  image.at<tenon_launch_record>(3, launchAt).steps = steps,
                  image.sign());
  EXPECT_DAMAGE("launch 0 refers to bytes outside of their space",
                image.at<tenon_ref_record>(3, refAt).index = 1, image.sign());
  EXPECT_DAMAGE("launch 0 writes to an input or to weights",
                image.at<tenon_ref_record>(3, refAt + 2 * 24).space = 1,
                image.sign());
  EXPECT_DAMAGE("a node's name is outside the names section",
                image.at<uint32_t>(3, nodeAt) = 9999, image.sign());
}

#define EXPECT_GUARD_DAMAGE(text, ...)                                         \
  do {                                                                         \
    Image image(makeGuardedDesc());                                            \
    tenon_plan_header &plan = image.at<tenon_plan_header>(4, 0);               \
    tenon_buffer_record &buffer =                                              \
        image.at<tenon_buffer_record>(4, sizeof(tenon_plan_header));           \
    tenon_program_record &program =                                            \
        image.at<tenon_program_record>(3, programAt);                          \
    (void)plan, (void)buffer, (void)program;                                   \
    __VA_ARGS__;                                                               \
    image.sign();                                                              \
    EXPECT_FAILS(text, image.load());                                          \
  } while (0)

TEST(ArtifactDamageErrors, Guards) {
  EXPECT_GUARD_DAMAGE("the guards of the memory plan are bad", plan.guard = 0);
  EXPECT_GUARD_DAMAGE("the guards of the memory plan are bad", plan.guard = 3);
  EXPECT_GUARD_DAMAGE("the guards of the memory plan are bad",
                      plan.arena_alignment = 64);
  EXPECT_GUARD_DAMAGE("the guards of the memory plan are bad",
                      image.header().flags = 0);
  EXPECT_GUARD_DAMAGE("buffer 0 of the memory plan has no guard below it",
                      buffer.offset = 0);
  EXPECT_GUARD_DAMAGE("the last buffer of the memory plan has no guard above",
                      plan.arena_bytes -= 1, program.arena_bytes -= 1);
  EXPECT_GUARD_DAMAGE("launch 0 refers to bytes of no guarded buffer",
                      buffer.size -= 4);
  EXPECT_GUARD_DAMAGE("launch 0 refers to bytes of no guarded buffer",
                      buffer.offset -= 4);
}

TEST(ArtifactDamageErrors, EmptyModel) {
  tenon::artifact::ArtifactDesc empty;
  Image image(empty);
  EXPECT_OK(image.load());
  image.section(TENON_SECTION_SIGNATURE).size = 4;
  image.sign();
  EXPECT_FAILS("the signature section is too small", image.load());
  image = Image(empty);
  image.at<tenon_launches_header>(TENON_SECTION_LAUNCHES, 0) = {};
  image.section(TENON_SECTION_LAUNCHES).size = 4;
  image.sign();
  EXPECT_FAILS("the launches section is too small", image.load());
}

TEST(ArtifactDamageErrors, Files) {
  tenon_model *model = nullptr;
  EXPECT_FAILS("cannot open '/nonexistent/m.tenon'",
               tenon_model_load_file("/nonexistent/m.tenon", nullptr, &model));
  EXPECT_FAILS("'/tmp' is not a regular file",
               tenon_model_load_file("/tmp", nullptr, &model));
  TemporaryFile empty;
  EXPECT_FAILS("is empty",
               tenon_model_load_file(empty.path.c_str(), nullptr, &model));
  EXPECT_EQ(model, nullptr);
}

TEST(ArtifactDamage, LargeWeightsAreCheckedOnDemand) {
  tenon::artifact::ArtifactDesc desc = makeDesc();
  tenon::artifact::WeightDesc large;
  large.size = (uint64_t(64) << 20) + 1;
  large.stream = [size = large.size](tenon::artifact::WeightSink sink) {
    sink(std::vector<uint8_t>(size, 1));
    return llvm::Error::success();
  };
  desc.weights.push_back(large);
  layoutWeights(desc.weights);
  Image image(desc);
  image.data()[image.size - 1] ^= 1;
  EXPECT_OK(image.load());
  tenon_load_options options = TENON_INIT(tenon_load_options);
  options.verify_weights = true;
  tenon_model *model = nullptr;
  EXPECT_FAILS(
      "the weights section is damaged",
      tenon_model_load_memory(image.data(), image.size, &options, &model));
}
