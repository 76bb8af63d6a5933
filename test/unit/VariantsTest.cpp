//===- VariantsTest.cpp - artifacts for several processors ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests which variant of an artifact runs, and what is refused.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestImage.h"

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

/// An extension that no processor has.
constexpr uint64_t unknown = uint64_t(1) << 62;

/// The artifact of two variants; `lacking` of them, from the first on, need
/// what no processor has.
Image makeImage(int lacking) {
  Image image(makeVariantsDesc());
  for (int i = 0; i < lacking; ++i)
    image
        .at<tenon_variant_record>(TENON_SECTION_VARIANTS,
                                  i * sizeof(tenon_variant_record))
        .features |= unknown;
  image.sign();
  return image;
}

/// The model of a file or of linked data, freed at the end.
struct Loaded {
  ~Loaded() { tenon_model_destroy(model); }

  tenon_status *load(Image &image, const char *variant = nullptr) {
    tenon_load_options options = TENON_INIT(tenon_load_options);
    options.variant = variant;
    return tenon_model_load_memory(image.data(), image.size, &options, &model);
  }

  /// The last element of the output for x = 1.
  float run() {
    tenon_context *context = nullptr;
    tenon_tensor_info in = TENON_INIT(tenon_tensor_info), out = in;
    EXPECT_OK(tenon_context_create(model, nullptr, &context));
    EXPECT_OK(tenon_model_input(model, 0, &in));
    EXPECT_OK(tenon_model_output(model, 0, &out));
    std::vector<float> x(elements, 1), y(elements);
    tenon_tensor input = tenon_tensor_over(&in, x.data());
    tenon_tensor output = tenon_tensor_over(&out, y.data());
    EXPECT_OK(tenon_run(context, &input, 1, &output, 1));
    tenon_context_destroy(context);
    return y.back();
  }

  std::string cpu() {
    tenon_model_info info = TENON_INIT(tenon_model_info);
    EXPECT_OK(tenon_model_query(model, &info));
    return info.target_cpu;
  }

  tenon_model *model = nullptr;
};

const float weight = weightAt(elements - 1);

} // namespace

TEST(Variants, TheFirstThatIsSupportedRuns) {
#if defined(__x86_64__)
  for (int lacking : {0, 1}) {
    Image image = makeImage(lacking);
    Loaded model;
    ASSERT_OK(model.load(image));
    EXPECT_EQ(model.cpu(), lacking ? "two" : "one");
    EXPECT_EQ(model.run(), lacking ? -weight : 2 + weight);
  }
#endif
}

TEST(Variants, TheCallerMayChoose) {
#if defined(__x86_64__)
  Image image = makeImage(0);
  for (const char *name : {"one", "two"}) {
    Loaded model;
    ASSERT_OK(model.load(image, name));
    EXPECT_EQ(model.cpu(), name);
    EXPECT_EQ(model.run(), name == std::string("two") ? -weight : 2 + weight);
  }
  EXPECT_FAILS("the artifact has no variant 'six', but 'one', 'two'",
               image.load("six"));
  EXPECT_FAILS("the variant 'one' needs the processor extension 'an unknown "
               "extension', which this processor lacks",
               makeImage(1).load("one"));
#endif
}

TEST(Variants, AnArtifactOfOneHasAName) {
  Image image;
  EXPECT_OK(image.load("x86-64"));
  EXPECT_FAILS("the artifact has no variant 'znver4', but 'x86-64'",
               image.load("znver4"));
}

TEST(Variants, NoneMayBeSupported) {
  EXPECT_FAILS("this processor supports no variant of the artifact ('one' "
               "needs an unknown extension, 'two' needs an unknown "
               "extension); compile it with another --mcpu",
               makeImage(2).load());
}

TEST(Variants, AreListed) {
  Image image = makeImage(1);
  Loaded loaded;
  ASSERT_OK(loaded.load(image));
  ASSERT_EQ(tenon_model_variant_count(loaded.model), 2u);
  tenon_variant_info info = TENON_INIT(tenon_variant_info);
  ASSERT_OK(tenon_model_variant(loaded.model, 0, &info));
  EXPECT_STREQ(info.name, "one");
  EXPECT_FALSE(info.is_supported);
  EXPECT_FALSE(info.is_loaded);
  ASSERT_OK(tenon_model_variant(loaded.model, 1, &info));
  EXPECT_STREQ(info.name, "two");
  EXPECT_TRUE(info.is_supported);
  EXPECT_TRUE(info.is_loaded);
  EXPECT_EQ(info.code_bytes, sizeof addCode);
  EXPECT_FAILS("there is no variant 2",
               tenon_model_variant(loaded.model, 2, &info));
}

TEST(Variants, ManyNamesAreCut) {
  ArtifactDesc desc = makeDesc();
  desc.variants.resize(TENON_MAX_VARIANTS, desc.variants[0]);
  for (VariantDesc &variant : desc.variants)
    variant.targetCpu =
        std::string(100, 'x') + std::to_string(&variant - desc.variants.data());
  EXPECT_FAILS("the artifact has no variant 'six', but 'xxx",
               Image(desc).load("six"));
}

static void add(const tenon_call *call) {
  auto *const *b = reinterpret_cast<float *const *>(call->buffers);
  for (int64_t i = call->begin; i < call->end; ++i)
    b[2][i] = b[0][i] + b[1][i];
}

static void subtract(const tenon_call *call) {
  auto *const *b = reinterpret_cast<float *const *>(call->buffers);
  for (int64_t i = call->begin; i < call->end; ++i)
    b[2][i] = b[0][i] - b[1][i];
}

TEST(Variants, LinkedModelsHaveThemToo) {
  ArtifactDesc desc = makeVariantsDesc();
  for (const char *lacks : {"", "amx-tile"}) {
    std::string weights;
    llvm::raw_string_ostream os(weights);
    auto parts = writeStaticParts(desc, "net", os);
    ASSERT_TRUE(bool(parts));
    tenon_kernel_fn kernels[] = {add, subtract};
    tenon_static_model source = {sizeof(tenon_static_model),
                                 parts->meta.data(),
                                 parts->meta.size(),
                                 weights.data(),
                                 weights.size(),
                                 kernels,
                                 2};
    Loaded loaded;
    ASSERT_OK(tenon_model_load_static(&source, &loaded.model));
    bool isFirst = loaded.cpu() == "one";
    EXPECT_TRUE(isFirst || *lacks);
    EXPECT_EQ(loaded.run(), isFirst ? 2 + weight : -weight);
    desc.variants[0].features.push_back("amx-tile");
  }
}

#define EXPECT_DAMAGE(text, ...)                                               \
  do {                                                                         \
    Image image(makeVariantsDesc());                                           \
    __VA_ARGS__;                                                               \
    image.sign();                                                              \
    EXPECT_FAILS(text, image.load());                                          \
  } while (0)

TEST(VariantsDamage, IsFound) {
  auto second = [](Image &image) -> tenon_variant_record & {
    return image.at<tenon_variant_record>(TENON_SECTION_VARIANTS,
                                          sizeof(tenon_variant_record));
  };
  EXPECT_DAMAGE("variant 1 is bad", second(image).target_cpu = 9999);
  EXPECT_DAMAGE("variant 1 is bad", second(image).kind = 1);
  EXPECT_DAMAGE("the variants section has the wrong size",
                image.section(TENON_SECTION_VARIANTS).size += 8);
  EXPECT_DAMAGE("the header has the features that variants have",
                image.header().features = 1);
  EXPECT_DAMAGE("section 5 is of kind 3 instead of variants",
                image.table()[5].kind = TENON_SECTION_LAUNCHES);
  for (uint32_t count : {0u, 5u, 8u, 11u, 13u, 15u, 8u + 3 * 17, ~0u})
    EXPECT_DAMAGE("the header is damaged (section count)",
                  image.header().section_count = count);
  EXPECT_DAMAGE("the header is damaged (section count)",
                image.header().flags = 0);
  Image one;
  one.header().flags = TENON_FILE_VARIANTS;
  one.sign();
  EXPECT_FAILS("the header is damaged (section count)", one.load());
}

static std::string refusal(const ArtifactDesc &desc) {
  TemporaryFile file;
  return messageOf(writeArtifact(desc, file.path));
}

TEST(VariantsErrors, AreRefusedByTheWriter) {
  ArtifactDesc desc = makeVariantsDesc();
  desc.variants[1].targetCpu = "one";
  EXPECT_FAILS("two variants are for 'one'", refusal(desc));
  desc = makeVariantsDesc();
  desc.variants[1].plan = makeGuardedDesc().variants[0].plan;
  EXPECT_FAILS("some variants are guarded, others are not", refusal(desc));
  desc = makeVariantsDesc();
  desc.variants[1].launches[1].kernel = 1;
  EXPECT_FAILS("launch 1 calls a kernel that does not exist", refusal(desc));
  desc.variants.clear();
  EXPECT_FAILS("0 variants instead of 1 to 16", refusal(desc));
  desc.variants.resize(17);
  EXPECT_FAILS("17 variants instead of 1 to 16", refusal(desc));
}
