//===- CudaTestModel.h - small artifacts with a variant for GPUs -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes artifacts whose first variant is PTX of a few lines, and runs
// them on the emulated driver, which it opens as the run time does.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_CUDATESTMODEL_H
#define TENON_TEST_UNIT_CUDATESTMODEL_H

#include "tenon/cuda_driver.h"
#include "test/unit/ArtifactTestDevice.h"
#include "test/unit/ArtifactTestImage.h"

#include <cstdlib>
#include <dlfcn.h>

extern "C" {
#define X(name, parameters) CUresult name parameters;
#include "tenon/cuda_functions.def"
}

namespace tenon::test {

/// Makes the run time open the library that this program is linked with.
inline const bool usesEmulator = [] {
  Dl_info info;
  return dladdr(reinterpret_cast<void *>(&cuInit), &info) &&
         !setenv("TENON_CUDA_LIBRARY", info.dli_fname, 1);
}();

inline const std::string ptxHead = ".version 8.0\n"
                                   ".target sm_80\n"
                                   ".address_size 64\n";

/// add: c = a + b, over 1000 elements in blocks of 256 threads.
/// addn: the same over so many elements as its size says.
/// step: after = before + w, a block for each element, from `first` on.
/// pick: out = data[index[0]] of 10 rows, or the fault word becomes 11.
/// stray: writes far behind its operand.
inline const std::string ptxBody = R"(
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c)
.maxntid 256
{
  .reg .pred %p1;
  .reg .b32 %r<4>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.s32 %r3, %r1, 256, %r2;
  setp.ge.s32 %p1, %r3, 1000;
  @%p1 bra $done;
  mul.wide.s32 %rd4, %r3, 4;
  add.s64 %rd5, %rd1, %rd4;
  add.s64 %rd6, %rd2, %rd4;
  add.s64 %rd7, %rd3, %rd4;
  ld.global.f32 %f1, [%rd5];
  ld.global.f32 %f2, [%rd6];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd7], %f3;
$done:
  ret;
}
.visible .entry addn(.param .u64 a, .param .u64 b, .param .u64 c,
                     .param .u64 n)
.maxntid 256
{
  .reg .pred %p1;
  .reg .b32 %r<4>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<10>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  ld.param.u64 %rd8, [n];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.s32 %r3, %r1, 256, %r2;
  cvt.s64.s32 %rd9, %r3;
  setp.ge.s64 %p1, %rd9, %rd8;
  @%p1 bra $done;
  mul.wide.s32 %rd4, %r3, 4;
  add.s64 %rd5, %rd1, %rd4;
  add.s64 %rd6, %rd2, %rd4;
  add.s64 %rd7, %rd3, %rd4;
  ld.global.f32 %f1, [%rd5];
  ld.global.f32 %f2, [%rd6];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd7], %f3;
$done:
  ret;
}
.visible .entry step(.param .u64 a, .param .u64 b, .param .u64 c,
                     .param .u64 first)
{
  .reg .b32 %r1;
  .reg .f32 %f<4>;
  .reg .b64 %rd<10>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  ld.param.u64 %rd8, [first];
  mov.u32 %r1, %ctaid.x;
  cvt.u64.u32 %rd9, %r1;
  add.s64 %rd9, %rd9, %rd8;
  shl.b64 %rd4, %rd9, 2;
  add.s64 %rd5, %rd1, %rd4;
  add.s64 %rd6, %rd2, %rd4;
  add.s64 %rd7, %rd3, %rd4;
  ld.global.f32 %f1, [%rd5];
  ld.global.f32 %f2, [%rd6];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd7], %f3;
  ret;
}
.visible .entry pick(.param .u64 index, .param .u64 data, .param .u64 out,
                     .param .u64 fault)
{
  .reg .pred %p1;
  .reg .f32 %f1;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [index];
  ld.param.u64 %rd2, [data];
  ld.param.u64 %rd3, [out];
  ld.param.u64 %rd4, [fault];
  ld.global.u64 %rd5, [%rd1];
  setp.lt.u64 %p1, %rd5, 10;
  @%p1 bra $good;
  mov.u64 %rd6, 11;
  st.global.u64 [%rd4], %rd6;
  mov.u64 %rd5, 0;
$good:
  shl.b64 %rd6, %rd5, 2;
  add.s64 %rd7, %rd2, %rd6;
  ld.global.f32 %f1, [%rd7];
  st.global.f32 [%rd3], %f1;
  ret;
}
.visible .entry stray(.param .u64 a, .param .u64 b, .param .u64 c)
{
  .reg .f32 %f1;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [c];
  mov.f32 %f1, 0f3F800000;
  st.global.f32 [%rd1+1048576], %f1;
  ret;
}
)";

inline const std::vector<std::string> kernelNames = {"add", "addn", "step",
                                                     "pick", "stray"};
enum Kernel : uint32_t { Add, AddN, Step, Pick, Stray };

/// The bytes of a module of PTX.
inline llvm::ArrayRef<uint8_t> bytesOf(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.c_str()), text.size() + 1};
}

inline const std::string ptx = ptxHead + ptxBody;

/// Makes the description's only variant that of GPUs, with a block of 256
/// threads for each tile, and puts a processor's behind it.
inline void addCuda(artifact::ArtifactDesc &desc) {
  using namespace artifact;
  VariantDesc &variant = addDevice(desc, {80});
  variant.features.clear();
  variant.kernels.clear();
  for (const std::string &name : kernelNames)
    variant.kernels.push_back({name, 0});
  variant.kernels[Pick].checked = true;
  variant.code = bytesOf(ptx);
  variant.device->launches.resize(variant.launches.size());
  for (DeviceLaunchDesc &launch : variant.device->launches)
    launch.threads = 256;
  variant.device->modules = {
      {ModuleKind::Ptx, 0, {80}, 0, variant.code.size()}};
}

/// y = (x + w) + x over 1000 floats, on a GPU.
inline artifact::ArtifactDesc makeCudaDesc() {
  artifact::ArtifactDesc desc = makeDesc();
  addCuda(desc);
  for (artifact::LaunchDesc &launch : desc.variants[0].launches)
    launch.tiles = (elements + 255) / 256;
  return desc;
}

/// A model and a context of it, freed at the end.
struct OnGpu {
  explicit OnGpu(artifact::ArtifactDesc desc = makeCudaDesc())
      : image(std::move(desc)) {}
  ~OnGpu() {
    tenon_context_destroy(context);
    tenon_model_destroy(model);
  }

  /// On a GPU, or not at all.
  tenon_status *load(int32_t type = TENON_DEVICE_CUDA,
                     const char *variant = nullptr) {
    tenon_load_options options = TENON_INIT(tenon_load_options);
    options.device.device_type = type;
    options.variant = variant;
    return tenon_model_load_memory(image.data(), image.size, &options, &model);
  }

  tenon_status *open() {
    tenon_status *status = model ? nullptr : load();
    return status ? status : tenon_context_create(model, &options, &context);
  }

  /// Of the first output for inputs that all have this value.
  tenon_tensor tensor(size_t index, bool isInput, void *data) {
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    EXPECT_OK(isInput ? tenon_model_input(model, index, &info)
                      : tenon_model_output(model, index, &info));
    return tenon_tensor_over(&info, data);
  }

  tenon_status *run(float value = 1) {
    x.assign(elements, value);
    y.assign(elements, -1);
    tenon_tensor in = tensor(0, true, x.data());
    tenon_tensor out = tensor(0, false, y.data());
    return tenon_run(context, &in, 1, &out, 1);
  }

  Image image;
  tenon_model *model = nullptr;
  tenon_context *context = nullptr;
  tenon_context_options options = TENON_INIT(tenon_context_options);
  std::vector<float> x, y;
};

/// Memory on the GPU, with what lies there.
struct CardFloats {
  explicit CardFloats(const std::vector<float> &values) : count(values.size()) {
    enter();
    EXPECT_EQ(cuMemAlloc_v2(&address, 4 * count + 64), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyHtoD_v2(address, values.data(), 4 * count), CUDA_SUCCESS);
    leave();
  }
  ~CardFloats() {
    enter();
    EXPECT_EQ(cuMemFree_v2(address), CUDA_SUCCESS);
    leave();
  }
  CardFloats(const CardFloats &) = delete;

  std::vector<float> read() {
    std::vector<float> values(count);
    enter();
    EXPECT_EQ(cuMemcpyDtoHAsync_v2(values.data(), address, 4 * count, nullptr),
              CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(nullptr), CUDA_SUCCESS);
    leave();
    return values;
  }

  /// The same tensor, here.
  tenon_tensor of(tenon_tensor tensor) const {
    tensor.data = reinterpret_cast<void *>(address);
    tensor.device = {TENON_DEVICE_CUDA, 0};
    return tensor;
  }

  CUdeviceptr address = 0;
  size_t count;

private:
  static void enter() {
    CUcontext context;
    EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
  }
  static void leave() {
    CUcontext context;
    EXPECT_EQ(cuCtxPopCurrent_v2(&context), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  }
};

} // namespace tenon::test

#endif // TENON_TEST_UNIT_CUDATESTMODEL_H
