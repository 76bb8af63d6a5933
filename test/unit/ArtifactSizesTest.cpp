//===- ArtifactSizesTest.cpp - size programs ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes sizes of all kinds, breaks each relation, and damages the
// parts of an artifact that hold size values.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestImage.h"
#include "test/unit/ArtifactTestSymbols.h"

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

constexpr int64_t a = registerValue(0), b = registerValue(1);

/// Inputs x [a, 0, 3] and k [b]; output n, the value of the program's last
/// instruction. Registers 0 and 3 are the extents a and b.
ArtifactDesc makeSizes(std::vector<SizeInstruction> program) {
  ArtifactDesc desc = makeKernels();
  for (SizeInstruction &instruction : program)
    for (int64_t *operand : {&instruction.a, &instruction.b})
      if (*operand < 0)
        *operand = *operand == a   ? registerValue(0)
                   : *operand == b ? registerValue(3)
                                   : *operand - 2;
  int64_t last = registerValue(3 + program.size());
  desc.entries[0].inputs = {
      {"x", dtype::i8, {registerValue(0), 0, 3}, {"rows", "", ""}, 0},
      {"k", dtype::i8, {registerValue(3)}, {"count"}, registerValue(3)}};
  desc.entries[0].outputs = {{"n", dtype::i64, {1}}};
  desc.sizePrograms = {program};
  LaunchDesc launch{1, 1, 0, {{Space::Output, 0, 0, 8}}, {"sizes"}};
  launch.sizes = {last};
  desc.variants[0].launches = {launch};
  return desc;
}

/// What makeSizes' instructions yield, counted from 1, as operands.
constexpr int64_t at(int64_t number) { return registerValue(1 + number); }

/// Runs the program for these extents: its last value, or the error.
std::string run(const ArtifactDesc &desc, int64_t rows, int64_t count) {
  Image image(desc);
  tenon_model *model = nullptr;
  tenon_context *context = nullptr;
  if (tenon_status *status =
          tenon_model_load_memory(image.data(), image.size, nullptr, &model))
    return messageOf(status);
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 1;
  tenon_status *status = tenon_context_create(model, &options, &context);
  int64_t xShape[] = {rows, 0, 3}, kShape[] = {count}, nShape[] = {1};
  int64_t n = -77;
  uint8_t data = 0;
  DType kType = desc.entries[0].inputs[1].type;
  tenon_dtype k = {kType.code, kType.bits, 1};
  tenon_dtype i8 = {TENON_INT, 8, 1}, i64 = {TENON_INT, 64, 1};
  tenon_device cpu = {TENON_DEVICE_CPU, 0};
  tenon_tensor inputs[] = {{&data, cpu, 3, i8, xShape, nullptr, 0},
                           {&data, cpu, 1, k, kShape, nullptr, 0}};
  tenon_tensor output = {&n, cpu, 1, i64, nShape, nullptr, 0};
  if (!status)
    status = tenon_run(context, inputs, 2, &output, 1);
  std::string message = messageOf(status);
  tenon_context_destroy(context);
  tenon_model_destroy(model);
  return message.empty() ? std::to_string(n) : message;
}

std::string run(std::vector<SizeInstruction> program, int64_t rows,
                int64_t count) {
  return run(makeSizes(std::move(program)), rows, count);
}

class SizePrograms : public testing::Test {
protected:
  void SetUp() override {
#if !defined(__x86_64__)
    GTEST_SKIP() << "the test's kernels are x86-64 code";
#endif
  }
};

} // namespace

TEST_F(SizePrograms, Arithmetic) {
  EXPECT_EQ(run({{SizeOp::Add, a, b}}, 7, 3), "10");
  EXPECT_EQ(run({{SizeOp::Sub, b, a}}, 7, 3), "-4");
  EXPECT_EQ(run({{SizeOp::Mul, a, 5}}, 7, 3), "35");
  EXPECT_EQ(run({{SizeOp::FloorDiv, a, b}}, 7, 3), "2");
  EXPECT_EQ(run({{SizeOp::Mod, a, b}}, 7, 3), "1");
  EXPECT_EQ(run({{SizeOp::Min, a, b}}, 7, 3), "3");
  EXPECT_EQ(run({{SizeOp::Max, a, b}}, 7, 3), "7");
  // -7 / 3 and -7 mod 3, and what divides evenly.
  EXPECT_EQ(run({{SizeOp::Sub, 0, a}, {SizeOp::FloorDiv, at(1), b}}, 7, 3),
            "-3");
  EXPECT_EQ(run({{SizeOp::Sub, 0, a}, {SizeOp::Mod, at(1), b}}, 7, 3), "2");
  EXPECT_EQ(run({{SizeOp::Sub, 0, a}, {SizeOp::FloorDiv, at(1), b}}, 6, 3),
            "-2");
  EXPECT_EQ(run({{SizeOp::Sub, 0, a}, {SizeOp::Mod, at(1), b}}, 6, 3), "0");
}

TEST_F(SizePrograms, Relations) {
  EXPECT_EQ(run({{SizeOp::Broadcast, a, b}}, 7, 7), "7");
  EXPECT_EQ(run({{SizeOp::Broadcast, a, b}}, 1, 7), "7");
  EXPECT_EQ(run({{SizeOp::Broadcast, a, b}}, 7, 1), "7");
  EXPECT_EQ(run({{SizeOp::Broadcast, a, b}}, 1, 0), "0");
  EXPECT_EQ(run({{SizeOp::CheckEqual, a, b}}, 4, 4), "4");
  EXPECT_EQ(run({{SizeOp::CheckAtLeast, a, b}}, 4, 4), "4");
  EXPECT_EQ(run({{SizeOp::CheckAtMost, a, b}}, 4, 4), "4");
  EXPECT_EQ(run({{SizeOp::CheckMultiple, a, b}}, 8, 4), "8");
  EXPECT_EQ(run({{SizeOp::CheckMultiple, a, b}}, 0, 4), "0");
}

TEST_F(SizePrograms, BrokenRelations) {
  const std::string count = "5 (dimension 0 of 'k')";
  const std::string rows = "'x': dimension 0 (rows) is 7, ";
  EXPECT_EQ(run({{SizeOp::Broadcast, a, b, "node 'add'"}}, 7, 5),
            rows + "but must broadcast with " + count + " (node 'add')");
  EXPECT_EQ(run({{SizeOp::CheckEqual, a, b}}, 7, 5),
            rows + "but must be equal to " + count);
  EXPECT_EQ(run({{SizeOp::CheckAtLeast, a, 8}}, 7, 5),
            rows + "but must be at least 8");
  EXPECT_EQ(run({{SizeOp::CheckAtMost, a, b, "--dim rows"}}, 7, 5),
            rows + "but must be at most " + count + " (--dim rows)");
  EXPECT_EQ(run({{SizeOp::CheckMultiple, a, b}}, 7, 5),
            rows + "but must be a multiple of " + count);
  EXPECT_EQ(run({{SizeOp::CheckMultiple, a, b}}, 7, 0),
            rows + "but must be a multiple of 0 (dimension 0 of 'k')");
  for (SizeOp op : {SizeOp::FloorDiv, SizeOp::Mod})
    EXPECT_EQ(run({{op, a, b, "node 'div'"}}, 7, 0),
              rows + "but cannot be divided by 0 (dimension 0 of 'k') "
                     "(node 'div')");
  // Of what is computed, the input that it comes from is named.
  EXPECT_EQ(run({{SizeOp::Add, 1, a}, {SizeOp::CheckEqual, at(1), 9}}, 7, 5),
            rows + "from which follows 8, which must be equal to 9");
  EXPECT_EQ(run({{SizeOp::CheckEqual, 9, a}}, 7, 5),
            rows + "from which follows 9, which must be equal to 7 (dimension "
                   "0 of 'x')");
  EXPECT_EQ(run({{SizeOp::CheckEqual, 9, 8}}, 7, 5),
            "the model's own sizes, from which follows 9, which must be equal "
            "to 8");
}

TEST_F(SizePrograms, OverflowIsAnError) {
  const int64_t most = INT64_MAX;
  const std::string rows = "'x': dimension 0 (rows) is 7, from which follows ",
                    large = ", a size that is too large";
  EXPECT_EQ(run({{SizeOp::Add, a, most, "node 'pad'"}}, 7, 5),
            rows + "7 (dimension 0 of 'x') + 9223372036854775807" + large +
                " (node 'pad')");
  EXPECT_EQ(run({{SizeOp::Mul, a, most}}, 7, 5),
            rows + "7 (dimension 0 of 'x') * 9223372036854775807" + large);
  EXPECT_EQ(run({{SizeOp::Sub, 0, a},
                 {SizeOp::Sub, at(1), most},
                 {SizeOp::Sub, at(2), 1}},
                7, 5),
            rows + "-7 - 9223372036854775807" + large);
  EXPECT_EQ(run({{SizeOp::Add, a, 1}}, INT64_MAX, 5),
            "'x': dimension 0 (rows) is 9223372036854775807, from which "
            "follows 9223372036854775807 (dimension 0 of 'x') + 1" +
                large);
}

TEST_F(SizePrograms, SizesThatCannotBe) {
  // Minus seven, where the artifact needs a size.
  const std::vector<SizeInstruction> minus = {{SizeOp::Sub, 0, a}};
  ArtifactDesc desc = makeSizes(minus);
  const int64_t value = registerValue(4);
  desc.variants[0].launches[0].tiles = value;
  EXPECT_EQ(run(desc, 7, 5), "launch 0 is bad for inputs of these shapes");
  EXPECT_EQ(run(desc, 0, 5), "-77"); // no tiles
  desc = makeSizes(minus);
  desc.variants[0].launches[0].steps = value;
  EXPECT_EQ(run(desc, 7, 5), "launch 0 is bad for inputs of these shapes");
  desc = makeSizes(minus);
  desc.variants[0].plan.arenaBytes = value;
  EXPECT_EQ(run(desc, 7, 5), "the arena is bad for inputs of these shapes");
  for (int64_t BufferRef::*member : {&BufferRef::offset, &BufferRef::size}) {
    desc = makeSizes(minus);
    desc.variants[0].launches[0].refs[0].*member = value;
    EXPECT_EQ(run(desc, 7, 5), "launch 0 is bad for inputs of these shapes");
    desc.variants[0].launches[0].tiles = 0;
    EXPECT_EQ(run(desc, 7, 5), "-77"); // nothing is read
  }
  desc = makeSizes({{SizeOp::Add, a, 2}});
  desc.variants[0].launches[0].refs[0].size = value;
  EXPECT_EQ(run(desc, 6, 5), "8");
  EXPECT_EQ(run(desc, 7, 5), "launch 0 is bad for inputs of these shapes");
  desc = makeSizes({{SizeOp::Mul, a, INT64_MAX / 4}});
  desc.variants[0].launches[0].tiles = value;
  desc.variants[0].launches[0].steps = registerValue(3);
  EXPECT_EQ(run(desc, 1, 5), "launch 0 is bad for inputs of these shapes");
  desc = makeSizes(minus);
  desc.entries[0].outputs[0] = {"n", dtype::i64, {value}, {}, 8};
  EXPECT_EQ(run(desc, 7, 5), "'n' would have -7 elements in dimension 0 for "
                             "inputs of these shapes");
  desc = makeSizes(minus);
  desc.entries[0].inputs[1].byteSize = 1;
  EXPECT_EQ(run(desc, 7, 5), "'k' has 5 bytes, which the model computes as 1");
  desc = makeSizes(minus);
  desc.entries[0].inputs[1].type = dtype::i64;
  EXPECT_EQ(run(desc, 7, INT64_MAX), "'k' has more bytes than can be counted");
}

TEST_F(SizePrograms, StepsMayDependOnInputs) {
  ArtifactDesc desc = makeSizes({{SizeOp::Add, a, 1}});
  // Step s copies size s, and the output has one element.
  desc.variants[0].launches[0].steps = registerValue(0);
  EXPECT_EQ(run(desc, 1, 5), "2");
  EXPECT_EQ(run(desc, 0, 5), "-77");
  // Any number of steps of no tiles takes no time.
  desc.variants[0].launches[0].tiles = registerValue(0);
  desc.variants[0].launches[0].steps = registerValue(3);
  EXPECT_EQ(run(desc, 0, INT64_MAX), "-77");
}

TEST_F(SizePrograms, FaultWordsAreChecked) {
  ArtifactDesc desc = makeSizes({{SizeOp::Add, a, 0}});
  desc.variants[0].kernels[1].checked = true;
  desc.variants[0].plan.arenaBytes = 64;
  std::vector<BufferRef> &refs = desc.variants[0].launches[0].refs;
  refs.push_back({Space::Arena, 0, registerValue(4), 8});
  EXPECT_EQ(run(desc, 8, 5), "8");
  EXPECT_EQ(run(desc, 4, 5), "launch 0 is bad for inputs of these shapes");
  refs[1] = {Space::Arena, 0, 0, registerValue(4)};
  EXPECT_EQ(run(desc, 8, 5), "8");
  EXPECT_EQ(run(desc, 4, 5), "launch 0 is bad for inputs of these shapes");
}

//===----------------------------------------------------------------------===//
// Descriptions and damage
//===----------------------------------------------------------------------===//

/// Why a description is not written; "" when it is.
static std::string refusal(const ArtifactDesc &desc) {
  TemporaryFile file;
  return messageOf(writeArtifact(desc, file.path));
}

TEST(SizeProgramErrors, Programs) {
  ArtifactDesc desc = makeSymbolic();
  EXPECT_EQ("", refusal(desc));
  desc.sizePrograms.push_back({});
  EXPECT_FAILS("2 size programs for 1 entries", refusal(desc));
  desc = makeSymbolic();
  desc.sizePrograms[0][2].op = SizeOp(13);
  EXPECT_FAILS("instruction 2 of the sizes of 'main' is bad", refusal(desc));
  for (int64_t SizeInstruction::*operand :
       {&SizeInstruction::a, &SizeInstruction::b}) {
    desc = makeSymbolic();
    desc.sizePrograms[0][3].*operand = registerValue(7); // itself
    EXPECT_FAILS("instruction 3 of the sizes of 'main' is bad", refusal(desc));
  }
  desc = makeSymbolic();
  desc.sizePrograms[0][2].text = std::string("a\0b", 3);
  EXPECT_FAILS("has a zero byte in it", refusal(desc));
}

TEST(SizeProgramErrors, Tensors) {
  ArtifactDesc desc = makeSymbolic();
  desc.entries[0].inputs[1].shape[0] = registerValue(0);
  EXPECT_FAILS("input 'z' has a dimension that is the register of another",
               refusal(desc));
  desc = makeSymbolic();
  desc.entries[0].outputs[0].shape[0] = registerValue(11);
  EXPECT_FAILS("output 'y' has a negative or too large shape", refusal(desc));
  desc = makeSymbolic();
  desc.entries[0].outputs[0].byteSize = std::nullopt;
  EXPECT_FAILS("output 'y' has a negative or too large shape", refusal(desc));
  desc = makeSymbolic();
  desc.entries[0].outputs[1].byteSize = 15;
  EXPECT_FAILS("output 'n' has a negative or too large shape", refusal(desc));
  desc = makeSymbolic();
  desc.entries[0].outputs[0].dimNames.pop_back();
  EXPECT_FAILS("output 'y' has names for 1 of 2 dimensions", refusal(desc));
  desc = makeSymbolic();
  desc.entries[0].outputs[0].dimNames[0] = std::string("a\0b", 3);
  EXPECT_FAILS("has a zero byte in it", refusal(desc));
}

TEST(SizeProgramErrors, PlanAndLaunches) {
  const int64_t none = registerValue(11);
  ArtifactDesc desc = makeSymbolic();
  desc.variants[0].plan.arenaBytes = none;
  EXPECT_FAILS("the arena's size is bad", refusal(desc));
  desc = makeSymbolic();
  desc.entries.push_back({"other"});
  desc.sizePrograms.push_back({});
  EXPECT_FAILS("the arena's size is bad", refusal(desc));
  desc = makeDesc();
  desc.variants[0].plan.boundBytes = bytes - 1;
  EXPECT_FAILS("the arena is larger than its bound", refusal(desc));
  desc = makeSymbolic();
  desc.variants[0].plan.buffers[1].size = none;
  EXPECT_FAILS("buffer 1 of the memory plan is bad", refusal(desc));
  desc = makeSymbolic();
  desc.variants[0].launches[1].tiles = none;
  EXPECT_FAILS("launch 1 of 'add' has negative tiles", refusal(desc));
  desc = makeSymbolic();
  desc.variants[0].launches[1].steps = none;
  EXPECT_FAILS("launch 1 of 'add' has a bad number of steps", refusal(desc));
  desc = makeSymbolic();
  desc.variants[0].launches[2].sizes[1] = none;
  EXPECT_FAILS("launch 2 of 'sizes' has a size that does not exist",
               refusal(desc));
  desc = makeSymbolic();
  desc.variants[0].launches[0].refs[1].offset = none;
  EXPECT_FAILS("operand 1", refusal(desc));
  desc = makeSymbolic();
  desc.variants[0].launches[2].refs[0].offset = 17; // of 16, size unknown
  desc.variants[0].launches[2].refs[0].size = registerValue(0);
  EXPECT_FAILS("is outside its space (16 bytes)", refusal(desc));
  desc = makeSymbolic();
  desc.variants[0].plan = makeGuardedDesc().variants[0].plan;
  EXPECT_FAILS("a guarded artifact has symbols", refusal(desc));
}

TEST(SizeProgramHeaders, StaticHeadersShowSymbols) {
  std::string weights;
  llvm::raw_string_ostream os(weights);
  ArtifactDesc desc = makeSymbolic();
  desc.entries[0].outputs[0].dimNames.clear();
  llvm::Expected<StaticParts> parts = writeStaticParts(desc, "net", os);
  ASSERT_TRUE(bool(parts));
  EXPECT_NE(parts->header.find("input:  float32 [batch, 100] x"),
            std::string::npos);
  EXPECT_NE(parts->header.find("output: float32 [?, 100] y"),
            std::string::npos);
}

namespace {

constexpr uint32_t sizes = TENON_SECTION_SIZES;
constexpr uint64_t programAt = sizeof(tenon_sizes_header);
constexpr uint64_t instructionAt =
    programAt + sizeof(tenon_size_program_record);
constexpr uint64_t dimAt =
    sizeof(tenon_signature_header) + 4 * sizeof(tenon_tensor_record);
constexpr uint64_t launchAt =
    sizeof(tenon_launches_header) + 2 * sizeof(tenon_kernel_record);
constexpr uint64_t refAt = launchAt + 3 * sizeof(tenon_launch_record);
constexpr uint64_t sizeAt = refAt + 8 * sizeof(tenon_ref_record);

} // namespace

#define EXPECT_DAMAGE(text, ...)                                               \
  do {                                                                         \
    Image image(makeSymbolic());                                               \
    auto &header = image.at<tenon_sizes_header>(sizes, 0);                     \
    auto &program = image.at<tenon_size_program_record>(sizes, programAt);     \
    auto &first = image.at<tenon_size_instruction>(sizes, instructionAt);      \
    auto &launch = image.at<tenon_launch_record>(3, launchAt);                 \
    (void)header, (void)program, (void)first, (void)launch;                    \
    __VA_ARGS__;                                                               \
    image.sign();                                                              \
    EXPECT_FAILS(text, image.load());                                          \
  } while (0)

TEST(SizeProgramDamage, Programs) {
  Image empty(ArtifactDesc{});
  empty.section(sizes).size = 4;
  empty.sign();
  EXPECT_FAILS("the sizes section is too small", empty.load());
  EXPECT_DAMAGE("the sizes section has the wrong size",
                header.instruction_count = ~0u);
  EXPECT_DAMAGE("the sizes section has the wrong size",
                header.program_count = 2);
  EXPECT_DAMAGE("the size programs are not those of the entries",
                program.instruction_count = 6);
  EXPECT_DAMAGE("the size programs are not those of the entries",
                program.first_instruction = 1);
  // Three more programs take the bytes of an instruction.
  EXPECT_DAMAGE("the size programs are not those of the entries",
                header.program_count = 4, header.instruction_count = 6);
  for (uint32_t op : {0u, 13u, ~0u})
    EXPECT_DAMAGE("instruction 0 of the sizes is bad", first.op = op);
  for (int64_t value : {int64_t(-5), INT64_MIN}) {
    EXPECT_DAMAGE("instruction 0 of the sizes is bad", first.a = value);
    EXPECT_DAMAGE("instruction 0 of the sizes is bad", first.b = value);
  }
  EXPECT_DAMAGE("a name is outside the names section", first.text = 9999);
}

TEST(SizeProgramDamage, Tensors) {
  EXPECT_DAMAGE("'x' has a bad shape", image.at<int64_t>(2, dimAt) = -2);
  EXPECT_DAMAGE("'z' has a bad shape", image.at<int64_t>(2, dimAt + 16) = -1);
  EXPECT_DAMAGE("'y' has a bad shape", image.at<int64_t>(2, dimAt + 32) = -12);
  EXPECT_DAMAGE(
      "'y' has a bad shape",
      image
          .at<tenon_tensor_record>(2, sizeof(tenon_signature_header) +
                                          2 * sizeof(tenon_tensor_record))
          .byte_size = -12);
  EXPECT_DAMAGE("a name is outside the names section",
                image.at<uint32_t>(2, dimAt + 7 * 8) = 9999);
}

TEST(SizeProgramDamage, PlanAndLaunches) {
  EXPECT_DAMAGE("the memory plan has a bad arena",
                image.at<tenon_plan_header>(4, 0).arena_bytes = -12);
  EXPECT_DAMAGE(
      "buffer 0 of the memory plan is bad",
      image.at<tenon_buffer_record>(4, sizeof(tenon_plan_header)).size = -12);
  EXPECT_DAMAGE("launch 0 is bad", launch.tiles = -12);
  EXPECT_DAMAGE("launch 0 is bad", launch.steps = -12);
  EXPECT_DAMAGE("launch 0 is bad", launch.size_count = 3);
  EXPECT_DAMAGE("launch 2 is bad", image.at<int64_t>(3, sizeAt) = -12);
  EXPECT_DAMAGE("launch 0 refers to bytes outside of their space",
                image.at<tenon_ref_record>(3, refAt).offset = -12);
  EXPECT_DAMAGE("launch 0 refers to bytes outside of their space",
                image.at<tenon_ref_record>(3, refAt).size = INT64_MIN);
  EXPECT_DAMAGE("the launches section has the wrong size",
                image.at<tenon_launches_header>(3, 0).reserved = 1);
  EXPECT_DAMAGE("a guarded artifact has symbols",
                image.header().flags = TENON_FILE_GUARDED,
                image.at<tenon_plan_header>(4, 0).guard = 1,
                image.at<tenon_plan_header>(4, 0).arena_alignment =
                    TENON_GUARD_BYTES);
}
