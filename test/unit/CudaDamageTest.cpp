//===- CudaDamageTest.cpp - damaged variants for GPUs ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file breaks each rule of section DEVICE, and of what belongs to it, with
// checksums made right again.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime tenon-cuda-emulator NO_PCH
#include "test/unit/CudaTestModel.h"

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

/// With two maps for the first launch.
ArtifactDesc makeMaps() {
  ArtifactDesc desc = makeCudaDesc();
  MapDesc map;
  map.dims = {100, 10};
  map.strides = {400};
  map.box = {32, 2};
  map.steps = {1, 1};
  map.swizzle = 128;
  desc.variants[0].device->launches[0].maps = {map, map};
  return desc;
}

constexpr uint64_t launchAt = sizeof(tenon_device_header);
constexpr uint64_t mapAt = launchAt + 2 * sizeof(tenon_device_launch_record);
constexpr uint64_t moduleAt = mapAt + 2 * sizeof(tenon_device_map_record);

struct Damaged : Image {
  Damaged() : Image(makeMaps()) {}

  tenon_device_header &device() {
    return at<tenon_device_header>(TENON_SECTION_DEVICE, 0);
  }
  tenon_device_launch_record &launch(int index = 0) {
    return at<tenon_device_launch_record>(
        TENON_SECTION_DEVICE,
        launchAt + index * sizeof(tenon_device_launch_record));
  }
  tenon_device_map_record &map() {
    return at<tenon_device_map_record>(TENON_SECTION_DEVICE, mapAt);
  }
  tenon_device_module_record &module() {
    return at<tenon_device_module_record>(TENON_SECTION_DEVICE, moduleAt);
  }
  tenon_variant_record &variant(int index) {
    return at<tenon_variant_record>(TENON_SECTION_VARIANTS,
                                    index * sizeof(tenon_variant_record));
  }
  tenon_kernel_record &kernel() {
    return at<tenon_kernel_record>(TENON_SECTION_LAUNCHES,
                                   sizeof(tenon_launches_header));
  }
  tenon_launch_record &program() {
    return at<tenon_launch_record>(TENON_SECTION_LAUNCHES,
                                   sizeof(tenon_launches_header) +
                                       kernelNames.size() *
                                           sizeof(tenon_kernel_record));
  }
};

} // namespace

#define EXPECT_DAMAGE(text, ...)                                               \
  do {                                                                         \
    Damaged image;                                                             \
    __VA_ARGS__;                                                               \
    image.sign();                                                              \
    EXPECT_FAILS(text, image.load("cuda-sm_80"));                              \
  } while (0)

TEST(CudaDamage, TheIntactOneLoads) { EXPECT_OK(Damaged().load("cuda-sm_80")); }

TEST(CudaDamage, OfTheHeader) {
  EXPECT_DAMAGE("the header is damaged (flags)",
                image.header().flags |= TENON_FILE_GUARDED);
  EXPECT_DAMAGE("the header is damaged (section count)",
                image.header().flags &= ~TENON_FILE_DEVICE);
  EXPECT_DAMAGE("the header is damaged (section count)",
                image.header().section_count += 1);
  EXPECT_DAMAGE("instead of device",
                image.section(TENON_SECTION_DEVICE).kind = 2);
}

TEST(CudaDamage, OfVariants) {
  EXPECT_DAMAGE("variant 0 is bad", image.variant(0).kind = 2);
  EXPECT_DAMAGE("variant 0 is bad", image.variant(0).kind = 0);
  EXPECT_DAMAGE("variant 0 is bad", image.variant(0).features = 49);
  EXPECT_DAMAGE("variant 0 is bad", image.variant(0).features = 1 << 17 | 80);
  EXPECT_DAMAGE("variant 1 is bad", image.variant(1).kind = 1);
  EXPECT_DAMAGE("the last variant is not for a processor",
                image.variant(1) = image.variant(0));
}

TEST(CudaDamage, OfTheSection) {
  EXPECT_DAMAGE("the device section has the wrong size",
                ++image.device().map_count);
  EXPECT_DAMAGE("the device section has the wrong size",
                image.device().module_count = ~0u);
  // As many bytes, but other records: a launch has fewer than a map.
  EXPECT_DAMAGE("the device section", image.device().launch_count = 1);
}

namespace {

/// Loads t = x + w on stream 0 and what reads it, y = t + x and z = t + x, on
/// streams of their own, which wait for these launches.
std::string loadStreams(std::vector<uint32_t> y, std::vector<uint32_t> z) {
  ArtifactDesc desc = makeCudaDesc();
  desc.entries[0].outputs.push_back({"z", dtype::f32, {10, 100}});
  for (VariantDesc &variant : desc.variants)
    variant.launches.push_back(variant.launches[1]);
  VariantDesc &variant = desc.variants[0];
  variant.device->launches.push_back(variant.device->launches[1]);
  std::vector<LaunchDesc> &launches = variant.launches;
  launches[2].refs[2].index = 1;
  launches[2].nodes = {"fourth"};
  launches[1].stream = 1, launches[1].waits = std::move(y);
  launches[2].stream = 2, launches[2].waits = std::move(z);
  return messageOf(Image(desc).load("cuda-sm_80"));
}

} // namespace

TEST(CudaDamage, OfStreams) {
  const std::string first = "launch 0 ('first') and launch ";
  const std::string both = " may run at once, but one of them writes bytes "
                           "that the other one uses";
  EXPECT_EQ(loadStreams({0}, {0}), "");
  EXPECT_EQ(loadStreams({0}, {1}), ""); // and so for what that waited for
  EXPECT_EQ(loadStreams({}, {0}), first + "1 ('second')" + both);
  EXPECT_EQ(loadStreams({0}, {}), first + "2 ('fourth')" + both);
  EXPECT_EQ(loadStreams({}, {1}), first + "1 ('second')" + both);
}

TEST(CudaDamage, OfModules) {
  EXPECT_DAMAGE("module 0 is bad", image.module().kind = 3);
  EXPECT_DAMAGE("module 0 is bad", image.module().unit = 1);
  EXPECT_DAMAGE("module 0 is bad", image.module().size = 0);
  EXPECT_DAMAGE("module 0 is bad", image.module().size += 64);
  EXPECT_DAMAGE("module 0 is bad", image.module().size -= 1);
  EXPECT_DAMAGE("module 0 is bad", image.module().offset = 8);
  EXPECT_DAMAGE("module 0 is bad", image.module().offset = ~63ull);
  EXPECT_DAMAGE("module 0 is bad", image.module().architecture = 0);
  EXPECT_DAMAGE("module 0 is bad", image.module().architecture = ~0u);
  EXPECT_DAMAGE("module 0 is bad", image.module().reserved = 1);
  EXPECT_DAMAGE("the last module is no PTX",
                image.module().kind = TENON_MODULE_CUBIN);
  EXPECT_DAMAGE("kernel 0 is in a module that does not exist",
                image.kernel().entry = 1);
}

TEST(CudaDamage, OfLaunches) {
  EXPECT_DAMAGE("launch 0 is bad for a GPU", image.launch().grid_y = 0);
  EXPECT_DAMAGE("launch 0 is bad for a GPU", image.launch().grid_z = 65536);
  EXPECT_DAMAGE("launch 1 is bad for a GPU", image.launch(1).threads = 0);
  EXPECT_DAMAGE("launch 1 is bad for a GPU", image.launch(1).threads = 1025);
  EXPECT_DAMAGE("launch 0 is bad for a GPU",
                image.launch().shared_bytes = (1 << 20) + 1);
  EXPECT_DAMAGE("launch 0 is bad for a GPU", image.launch().cluster = 0);
  EXPECT_DAMAGE("launch 0 is bad for a GPU", image.launch().cluster = 3);
  EXPECT_DAMAGE("launch 0 is bad for a GPU", image.launch().cluster = 32);
  EXPECT_DAMAGE("launch 0 is bad for a GPU", image.launch().flags = 4);
  EXPECT_DAMAGE("launch 0 is bad for a GPU", image.program().tiles = 0);
  EXPECT_DAMAGE("launch 0 is bad for a GPU", image.program().tiles = int64_t(1)
                                                                     << 31);
  EXPECT_DAMAGE("launch 0 is bad for a GPU",
                image.program().scratch_bytes = 64);
  EXPECT_DAMAGE("launch 0 is in a stream that does not exist",
                image.program().stream = 2);
  EXPECT_DAMAGE("launch 0 runs on a condition", image.program().guard = 1);
}

TEST(CudaDamage, OfParameters) {
  ArtifactDesc desc = makeCudaDesc();
  LaunchDesc &launch = desc.variants[0].launches[0];
  launch.sizes.assign(509, 1);
  EXPECT_OK(Image(desc).load("cuda-sm_80"));
  Image image(desc);
  image
      .at<tenon_launch_record>(TENON_SECTION_LAUNCHES,
                               sizeof(tenon_launches_header) +
                                   kernelNames.size() *
                                       sizeof(tenon_kernel_record))
      .steps = 2;
  image.sign();
  EXPECT_FAILS("launch 0 has too many parameters", image.load("cuda-sm_80"));
}

TEST(CudaDamage, OfMaps) {
  EXPECT_DAMAGE("launch 0 has tensor maps that are not its own",
                image.launch().first_map = 1);
  EXPECT_DAMAGE("launch 0 has tensor maps that are not its own",
                image.launch().map_count = 3);
  EXPECT_DAMAGE("some tensor maps are in no launch",
                image.launch().map_count = 1;
                image.launch(1).first_map = 1);
  const char *bad = "tensor map 0 of launch 0 is bad";
  EXPECT_DAMAGE(bad, image.map().ref = 3);
  EXPECT_DAMAGE(bad, image.map().type = 1);
  EXPECT_DAMAGE(bad, image.map().rank = 0);
  EXPECT_DAMAGE(bad, image.map().rank = 6);
  EXPECT_DAMAGE(bad, image.map().rank = 1);
  EXPECT_DAMAGE(bad, image.map().rank = 3);
  EXPECT_DAMAGE(bad, image.map().swizzle = 16);
  EXPECT_DAMAGE(bad, image.map().swizzle = 64);
  EXPECT_DAMAGE(bad, image.map().offset = -16);
  EXPECT_DAMAGE(bad, image.map().offset = 4);
  EXPECT_DAMAGE(bad, image.map().dims[0] = 0);
  EXPECT_DAMAGE(bad, image.map().dims[1] = (uint64_t(1) << 32) + 1);
  EXPECT_DAMAGE(bad, image.map().dims[2] = 1);
  EXPECT_DAMAGE(bad, image.map().strides[0] = 404);
  EXPECT_DAMAGE(bad, image.map().strides[0] = uint64_t(1) << 40);
  EXPECT_DAMAGE(bad, image.map().strides[1] = 16);
  EXPECT_DAMAGE(bad, image.map().box[0] = 0);
  EXPECT_DAMAGE(bad, image.map().box[0] = 31);
  EXPECT_DAMAGE(bad, image.map().box[1] = 257);
  EXPECT_DAMAGE(bad, image.map().steps[0] = 2);
  EXPECT_DAMAGE(bad, image.map().steps[1] = 9);
  EXPECT_DAMAGE(bad, image.map().steps[4] = 1);
  const char *outside = "launch 0 has a tensor map outside of its reference";
  EXPECT_DAMAGE(outside, image.map().dims[0] = 101);
  EXPECT_DAMAGE(outside, image.map().dims[1] = uint64_t(1) << 32);
  EXPECT_DAMAGE(outside, image.map().strides[0] = 416);
  EXPECT_DAMAGE(outside, image.map().offset = 16);
}

TEST(CudaDamage, OfArenas) {
  EXPECT_DAMAGE(
      "the arena of a GPU is aligned to more than 256 bytes",
      image.at<tenon_plan_header>(TENON_SECTION_PLAN, 0).arena_alignment = 512);
}

TEST(CudaDamage, EveryFlippedByteIsAnError) {
  Damaged image;
  for (size_t i = 0; i < image.section(TENON_SECTION_CODE).offset; ++i) {
    image.data()[i] ^= 0x80;
    ASSERT_NE("", messageOf(image.load("cuda-sm_80"))) << "byte " << i;
    image.data()[i] ^= 0x80;
  }
}

TEST(CudaDamage, SignedNonsenseDoesNotCrash) {
  const Damaged intact;
  Damaged image;
  const size_t end = image.section(TENON_SECTION_CODE).offset;
  for (size_t i = 0; i < end; ++i)
    for (uint8_t mask : {0x01, 0x80, 0xff}) {
      image.words = intact.words;
      image.data()[i] ^= mask;
      image.sign();
      messageOf(image.load());
      messageOf(image.load("cuda-sm_80"));
    }
}
