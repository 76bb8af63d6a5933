//===- ArtifactEntriesTest.cpp - several programs in one artifact ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs the entries of an artifact that has two, and damages what
// tells them apart.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestImage.h"

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

/// `main` computes y = (x + w) + x; `twice` computes d = b + b of its second
/// input in one launch, and copies nothing else.
ArtifactDesc makeTwo() {
  ArtifactDesc desc = makeDesc();
  desc.entries.push_back({"twice",
                          {{"a", dtype::f32, {1}}, {"b", dtype::f32, {1000}}},
                          {{"d", dtype::f32, {1000}}}});
  BufferRef b{Space::Input, 1, 0, bytes}, d{Space::Output, 0, 0, bytes};
  LaunchDesc launch{0, elements, 2, {b, b, d}, {"double"}};
  launch.entry = 1;
  desc.variants[0].launches.push_back(launch);
  desc.variants[0].launches[1].waits = {0};
  return desc;
}

constexpr uint64_t entryAt = sizeof(tenon_entry_record); // of the second
constexpr uint64_t launchAt =
    sizeof(tenon_launches_header) + sizeof(tenon_kernel_record);
constexpr uint64_t programAt =
    launchAt + 3 * sizeof(tenon_launch_record) + 9 * sizeof(tenon_ref_record);

} // namespace

TEST(ArtifactEntries, AreListed) {
  Image image(makeTwo());
  tenon_model *model = nullptr;
  ASSERT_OK(tenon_model_load_memory(image.data(), image.size, nullptr, &model));
  ASSERT_EQ(tenon_model_entry_count(model), 2u);
  tenon_entry_info info = TENON_INIT(tenon_entry_info);
  ASSERT_OK(tenon_model_entry(model, 0, &info));
  EXPECT_STREQ(info.name, "main");
  ASSERT_OK(tenon_model_entry(model, 1, &info));
  EXPECT_STREQ(info.name, "twice");
  EXPECT_EQ(info.input_count, 2u);
  EXPECT_EQ(info.output_count, 1u);
  EXPECT_EQ(tenon_model_input_count(model), 1u); // of the first
  tenon_tensor_info tensor = TENON_INIT(tenon_tensor_info);
  ASSERT_OK(tenon_model_entry_input(model, 1, 1, &tensor));
  EXPECT_STREQ(tensor.name, "b");
  ASSERT_OK(tenon_model_entry_output(model, 1, 0, &tensor));
  EXPECT_STREQ(tensor.name, "d");
  EXPECT_FAILS("there is no entry 2", tenon_model_entry(model, 2, &info));
  EXPECT_FAILS("there is no entry 2",
               tenon_model_entry_input(model, 2, 0, &tensor));
  EXPECT_FAILS("there is no input 2",
               tenon_model_entry_input(model, 1, 2, &tensor));
  EXPECT_FAILS("there is no output 1",
               tenon_model_entry_output(model, 1, 1, &tensor));
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.entry = "thrice";
  tenon_context *context = nullptr;
  EXPECT_FAILS("the model has no entry 'thrice'",
               tenon_context_create(model, &options, &context));
  tenon_model_destroy(model);
}

/// Runs an entry of that image whose last input and only output are of 1000
/// floats; the input is 3.
static std::vector<float> runEntry(Image &image, const char *name) {
  tenon_model *model = nullptr;
  EXPECT_OK(tenon_model_load_memory(image.data(), image.size, nullptr, &model));
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.entry = name;
  options.threads = 2;
  options.profile = true;
  tenon_context *context = nullptr;
  EXPECT_OK(tenon_context_create(model, &options, &context));
  std::vector<float> in(elements, 3), out(elements, -1);
  bool isSecond = name && llvm::StringRef(name) == "twice";
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  tenon_tensor inputs[2], output;
  for (size_t i = 0; i <= size_t(isSecond); ++i) {
    EXPECT_OK(tenon_model_entry_input(model, isSecond, i, &info));
    inputs[i] = tenon_tensor_over(&info, in.data());
  }
  EXPECT_OK(tenon_model_entry_output(model, isSecond, 0, &info));
  output = tenon_tensor_over(&info, out.data());
  EXPECT_OK(tenon_run(context, inputs, 1 + isSecond, &output, 1));
  EXPECT_EQ(tenon_profile_count(context), isSecond ? 1u : 2u);
  tenon_profile_entry entry = TENON_INIT(tenon_profile_entry);
  EXPECT_OK(tenon_profile_get(context, 0, &entry));
  EXPECT_STREQ(entry.nodes[0], isSecond ? "double" : "first");
  tenon_context_destroy(context);
  tenon_model_destroy(model);
  return out;
}

static void runBoth(const ArtifactDesc &desc) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "the test's kernel is x86-64 code";
#endif
  Image image(desc);
  for (const char *name : {(const char *)nullptr, "main"}) {
    std::vector<float> y = runEntry(image, name);
    for (int64_t i = 0; i < elements; ++i)
      ASSERT_EQ(y[i], 3 + weightAt(i) + 3);
  }
  EXPECT_EQ(runEntry(image, "twice"), std::vector<float>(elements, 6));
}

TEST(ArtifactEntries, RunTheirOwnLaunches) { runBoth(makeTwo()); }

TEST(ArtifactEntries, AreGuarded) {
  ArtifactDesc guarded = makeGuardedDesc(), desc = makeTwo();
  desc.variants[0].plan = guarded.variants[0].plan;
  for (int i : {0, 1})
    desc.variants[0].launches[i].refs = guarded.variants[0].launches[i].refs;
  runBoth(desc);
}

TEST(ArtifactEntries, BelongToAllVariants) {
  ArtifactDesc desc = makeTwo(), variants = makeVariantsDesc();
  for (VariantDesc &variant : variants.variants)
    variant.launches = desc.variants[0].launches;
  desc.variants = variants.variants;
  Image image(desc);
  EXPECT_OK(image.load("one"));
  EXPECT_OK(image.load("two"));
}

#define EXPECT_DAMAGE(text, ...)                                               \
  do {                                                                         \
    Image image(makeTwo());                                                    \
    tenon_launch_record &second = image.at<tenon_launch_record>(               \
        TENON_SECTION_LAUNCHES, launchAt + sizeof(tenon_launch_record));       \
    (void)second;                                                              \
    __VA_ARGS__;                                                               \
    image.sign();                                                              \
    EXPECT_FAILS(text, image.load());                                          \
  } while (0)

TEST(ArtifactEntries, DamageIsAnError) {
  auto entry = [](Image &image) -> tenon_entry_record & {
    return image.at<tenon_entry_record>(TENON_SECTION_ENTRIES, entryAt);
  };
  auto program = [](Image &image) -> tenon_program_record & {
    return image.at<tenon_program_record>(TENON_SECTION_LAUNCHES, programAt);
  };
  EXPECT_DAMAGE("the entries section has the wrong size",
                entry(image).output_count = 0,
                image.section(TENON_SECTION_ENTRIES).size -= 4);
  EXPECT_DAMAGE("a name is outside the names section",
                entry(image).name = 9999);
  EXPECT_DAMAGE("the entry 'twice' has tensors outside of the signature",
                entry(image).output_count = 2);
  EXPECT_DAMAGE("two entries are called 'main'",
                entry(image).name = (&entry(image) - 1)->name);
  EXPECT_DAMAGE("the programs are not those of the entries",
                program(image).launch_count = 1);
  EXPECT_DAMAGE("launch 2 refers to bytes outside of their space",
                entry(image).first_tensor = 0, entry(image).input_count = 1);
}

TEST(ArtifactEntries, OnlyOneStreamRuns) {
  EXPECT_DAMAGE("launch 1 runs on a second stream, for which this library is "
                "too old",
                second.stream = 1);
  EXPECT_DAMAGE("launch 1 runs on a condition, for which this library is too "
                "old",
                second.guard = 1);
  EXPECT_DAMAGE("launch 1 is bad", second.wait_count = 2);
  EXPECT_DAMAGE("launch 1 is bad", second.scratch_bytes = ~uint64_t(0));
  // What waits for itself, and for a launch of another program.
  EXPECT_DAMAGE("launch 0 waits for launch 0, which does not come before it",
                (&second - 1)->wait_count = 1);
  EXPECT_DAMAGE("launch 2 waits for launch 0, which does not come before it",
                (&second + 1)->first_wait = 0, (&second + 1)->wait_count = 1);
}

TEST(ArtifactEntries, TheWriterRefusesTheSame) {
  auto errorOf = [](llvm::function_ref<void(ArtifactDesc &)> change) {
    ArtifactDesc desc = makeTwo();
    change(desc);
    TemporaryFile file;
    return messageOf(writeArtifact(desc, file.path));
  };
  EXPECT_FAILS("0 entries instead of 1 to 65536",
               errorOf([](ArtifactDesc &desc) { desc.entries.clear(); }));
  EXPECT_FAILS("two entries are called 'main'", errorOf([](ArtifactDesc &desc) {
                 desc.entries[1].name = "main";
               }));
  EXPECT_FAILS("launch 1 of 'add' is not among those of its entry",
               errorOf([](ArtifactDesc &desc) {
                 std::vector<LaunchDesc> &launches = desc.variants[0].launches;
                 std::swap(launches[0], launches[2]);
               }));
  EXPECT_FAILS("launch 1 of 'add' waits for launch 1, which does not come "
               "before it",
               errorOf([](ArtifactDesc &desc) {
                 desc.variants[0].launches[1].waits = {1};
               }));
  EXPECT_FAILS("launch 2 of 'add' waits for launch 0, which does not come "
               "before it",
               errorOf([](ArtifactDesc &desc) {
                 desc.variants[0].launches[2].waits = {0};
               }));
}
