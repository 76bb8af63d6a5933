//===- DeviceArtifactTest.cpp - artifacts with variants for devices -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests what is written of devices, and what is refused: rules D1 to
// D5 of docs/spec/artifact.md.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestDevice.h"
#include "test/unit/ArtifactTestImage.h"

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

/// What the writer says of a description that `change` has spoilt.
template <typename Change> std::string refusal(Change change) {
  ArtifactDesc desc = makeDeviceDesc();
  change(desc, *desc.variants[0].device);
  TemporaryFile file;
  return messageOf(writeArtifact(desc, file.path));
}

#define EXPECT_REFUSED(text, ...)                                              \
  EXPECT_PRED_FORMAT2(                                                         \
      testing::IsSubstring, text,                                              \
      refusal([](ArtifactDesc &desc, DeviceDesc &device) { __VA_ARGS__; }))

/// The records behind one another in the first section DEVICE.
template <typename Record> Record recordAt(Image &image, uint64_t offset) {
  return image.at<Record>(TENON_SECTION_DEVICE, offset);
}

constexpr uint64_t launchesAt = sizeof(tenon_device_header);
constexpr uint64_t mapsAt = launchesAt + 2 * sizeof(tenon_device_launch_record);
constexpr uint64_t modulesAt = mapsAt + sizeof(tenon_device_map_record);

} // namespace

TEST(DeviceArtifact, HasASectionForEachVariant) {
  Image image(makeDeviceDesc());
  EXPECT_EQ(image.header().flags, TENON_FILE_VARIANTS | TENON_FILE_DEVICE);
  EXPECT_EQ(image.count, tenon_section_count(2, TENON_FILE_DEVICE));
  std::vector<uint32_t> own(image.kinds.begin() + 6, image.kinds.begin() + 12);
  EXPECT_EQ(own,
            (std::vector<uint32_t>{TENON_SECTION_LAUNCHES, TENON_SECTION_PLAN,
                                   TENON_SECTION_DEVICE, TENON_SECTION_LAUNCHES,
                                   TENON_SECTION_PLAN, TENON_SECTION_DEVICE}));
  EXPECT_EQ(image.section(TENON_SECTION_DEVICE).size,
            modulesAt + 3 * sizeof(tenon_device_module_record));
  EXPECT_EQ(image.table()[11].size, 0u);
}

TEST(DeviceArtifact, SaysWhichDeviceAVariantIsFor) {
  Image image(makeDeviceDesc());
  auto device = image.at<tenon_variant_record>(TENON_SECTION_VARIANTS, 0);
  EXPECT_EQ(device.kind, uint32_t(TENON_VARIANT_CUDA));
  EXPECT_EQ(device.features, 90 | TENON_CUDA_EXACT);
  auto processor = image.at<tenon_variant_record>(TENON_SECTION_VARIANTS,
                                                  sizeof(tenon_variant_record));
  EXPECT_EQ(processor.kind, uint32_t(TENON_VARIANT_CPU));
  EXPECT_EQ(processor.features, 1u); // sse3
}

TEST(DeviceArtifact, HasLaunchesMapsAndModules) {
  Image image(makeDeviceDesc());
  auto header = recordAt<tenon_device_header>(image, 0);
  EXPECT_EQ(header.launch_count, 2u);
  EXPECT_EQ(header.map_count, 1u);
  EXPECT_EQ(header.module_count, 3u);
  auto first = recordAt<tenon_device_launch_record>(image, launchesAt);
  EXPECT_EQ(first.grid_y, 3u);
  EXPECT_EQ(first.grid_z, 2u);
  EXPECT_EQ(first.threads, 128u);
  EXPECT_EQ(first.shared_bytes, 1024u);
  EXPECT_EQ(first.cluster, 2u);
  EXPECT_EQ(first.flags, TENON_DEVICE_COOPERATIVE | TENON_DEVICE_PROGRAMMATIC);
  EXPECT_EQ(first.first_map, 0u);
  EXPECT_EQ(first.map_count, 1u);
  auto second = recordAt<tenon_device_launch_record>(
      image, launchesAt + sizeof(tenon_device_launch_record));
  EXPECT_EQ(second.flags, 0u);
  EXPECT_EQ(second.first_map, 1u);
  EXPECT_EQ(second.map_count, 0u);
  auto map = recordAt<tenon_device_map_record>(image, mapsAt);
  EXPECT_EQ(map.rank, 2u);
  EXPECT_EQ(map.swizzle, 128u);
  EXPECT_EQ(map.dims[1], 20u);
  EXPECT_EQ(map.strides[0], 160u);
  EXPECT_EQ(map.box[0], 32u);
  EXPECT_EQ(map.steps[1], 2u);
  EXPECT_EQ(map.dims[2], 0u);
}

TEST(DeviceArtifact, HasTheFormsOfAUnit) {
  Image image(makeDeviceDesc());
  const uint64_t code = image.section(TENON_SECTION_CODE).offset;
  const uint32_t units[] = {0, 0, 1};
  const uint32_t kinds[] = {TENON_MODULE_CUBIN, TENON_MODULE_PTX,
                            TENON_MODULE_PTX};
  for (int i = 0; i < 3; ++i) {
    auto module = recordAt<tenon_device_module_record>(
        image, modulesAt + i * sizeof(tenon_device_module_record));
    EXPECT_EQ(module.unit, units[i]);
    EXPECT_EQ(module.kind, kinds[i]);
    EXPECT_EQ(module.architecture, 90 | TENON_CUDA_EXACT);
    EXPECT_EQ(module.offset % moduleAlignment, 0u);
    if (module.kind == TENON_MODULE_PTX)
      EXPECT_EQ(image.data()[code + module.offset + module.size - 1], 0);
  }
}

TEST(DeviceArtifact, IsForAProcessorToo) {
  EXPECT_REFUSED("no variant for a processor is behind those of devices",
                 std::swap(desc.variants[0], desc.variants[1]));
  EXPECT_REFUSED("programs for devices cannot be guarded",
                 for (VariantDesc &variant : desc.variants) variant.plan.guard =
                     Guard::Above);
  EXPECT_REFUSED("programs for devices cannot have bytecode",
                 desc.functions.emplace_back());
  std::string weights;
  llvm::raw_string_ostream stream(weights);
  EXPECT_FAILS("cannot be linked statically",
               writeStaticParts(makeDeviceDesc(), "model", stream));
}

TEST(DeviceArtifact, HasAnArenaThatDevicesAlign) {
  EXPECT_REFUSED("is aligned to more than devices align memory to",
                 desc.variants[0].plan.arenaAlignment = 512);
}

TEST(DeviceArtifact, RefusesGrids) {
  constexpr const char *grid = "has a grid that devices do not have";
  EXPECT_REFUSED("3 descriptions of 2 launches", device.launches.push_back({}));
  EXPECT_REFUSED(grid, device.launches[0].threads = 0);
  EXPECT_REFUSED(grid, device.launches[0].threads = 1025);
  EXPECT_REFUSED(grid, device.launches[0].gridY = 0);
  EXPECT_REFUSED(grid, device.launches[0].gridZ = 65536);
  EXPECT_REFUSED(grid, device.launches[0].sharedBytes = (1 << 20) + 1);
  EXPECT_REFUSED(grid, device.launches[0].cluster = 0);
  EXPECT_REFUSED(grid, device.launches[0].cluster = 3);
  EXPECT_REFUSED(grid, device.launches[0].cluster = 20);
  EXPECT_REFUSED(grid, desc.variants[0].launches[1].tiles = 0);
  EXPECT_REFUSED(grid, desc.variants[0].launches[1].tiles = int64_t(1) << 31);
  EXPECT_REFUSED("wants scratch of threads on a device",
                 desc.variants[0].launches[1].scratchBytes = 8);
}

TEST(DeviceArtifact, CountsParameters) {
  // A map, three operands, and sizes: 128 + 24 + 8 * 493 = 4096.
  constexpr size_t most = 493;
  EXPECT_EQ("", refusal([](ArtifactDesc &desc, DeviceDesc &) {
              desc.variants[0].launches[0].sizes.assign(most, 1);
            }));
  EXPECT_REFUSED("has too many parameters",
                 desc.variants[0].launches[0].sizes.assign(most + 1, 1));
}

TEST(DeviceArtifact, RefusesMaps) {
  constexpr const char *type = "map 0 has an unknown type or swizzle";
  constexpr const char *shape = "map 0 has bad dimensions or strides";
  constexpr const char *box = "map 0 has a bad box";
  constexpr const char *place = "map 0 does not lie in its operand";
  EXPECT_REFUSED("map 0 is of an operand that does not exist",
                 device.launches[0].maps[0].ref = 3);
  EXPECT_REFUSED(type, device.launches[0].maps[0].swizzle = 16);
  EXPECT_REFUSED(type, device.launches[0].maps[0].type = MapType(5));
  EXPECT_REFUSED(shape, device.launches[0].maps[0].dims[0] = 0);
  EXPECT_REFUSED(shape, device.launches[0].maps[0].dims.clear());
  EXPECT_REFUSED(shape, device.launches[0].maps[0].dims.resize(6, 1));
  EXPECT_REFUSED(shape, device.launches[0].maps[0].strides[0] = 168);
  EXPECT_REFUSED(shape, device.launches[0].maps[0].strides.clear());
  EXPECT_REFUSED(box, device.launches[0].maps[0].box[1] = 257);
  EXPECT_REFUSED(box, device.launches[0].maps[0].box[0] = 31);
  EXPECT_REFUSED(box, device.launches[0].maps[0].box[0] = 64);
  EXPECT_REFUSED(box, device.launches[0].maps[0].box.pop_back());
  EXPECT_REFUSED(box, device.launches[0].maps[0].steps[0] = 2);
  EXPECT_REFUSED(box, device.launches[0].maps[0].steps[1] = 9);
  EXPECT_REFUSED(place, device.launches[0].maps[0].offset = -16);
  EXPECT_REFUSED(place, device.launches[0].maps[0].offset = 8);
  EXPECT_REFUSED(place, device.launches[0].maps[0].dims[1] = 26);
  EXPECT_REFUSED(place, device.launches[0].maps[0].offset = 4000);
}

TEST(DeviceArtifact, RefusesModules) {
  constexpr const char *module = "module 1 of 'cuda-sm_90a' is bad";
  EXPECT_REFUSED("'cuda-sm_90a' has a bad architecture",
                 device.architecture.number = 42);
  EXPECT_REFUSED("kernel 'second' is in no module",
                 desc.variants[0].kernels[1].entry = 2);
  EXPECT_REFUSED(module, device.modules[1].unit = 1);
  EXPECT_REFUSED(module, device.modules[1].offset = 0);
  EXPECT_REFUSED(module, device.modules[1].offset += 1);
  EXPECT_REFUSED(module, device.modules[1].size = 0);
  EXPECT_REFUSED(module, device.modules[1].size -= 1);
  EXPECT_REFUSED(module, device.modules[1].size = 1 << 20);
  EXPECT_REFUSED(module, device.modules[1].kind = ModuleKind(3));
  EXPECT_REFUSED(module, device.modules[1].architecture.number = 0);
  EXPECT_REFUSED("the last unit of 'cuda-sm_90a' has no PTX",
                 device.modules[2].kind = ModuleKind::Cubin);
}
