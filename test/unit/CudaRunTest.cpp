//===- CudaRunTest.cpp - models on an emulated GPU ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs artifacts with a variant for GPUs: on tensors here and there,
// at once and later, in every way that contexts have.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime tenon-cuda-emulator NO_PCH
#include "test/unit/CudaTestModel.h"

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

/// y = (x + w) + x.
std::vector<float> expected(float x) {
  std::vector<float> y(elements);
  for (int64_t i = 0; i < elements; ++i)
    y[i] = (x + weightAt(i)) + x;
  return y;
}

std::vector<float> all(float value) {
  return std::vector<float>(elements, value);
}

} // namespace

TEST(CudaRun, ComputesWhatTheProcessorDoes) {
  OnGpu gpu;
  ASSERT_OK(gpu.open());
  for (float x : {1.0f, 2.0f, -3.5f}) {
    ASSERT_OK(gpu.run(x));
    EXPECT_EQ(gpu.y, expected(x));
  }
}

TEST(CudaRun, IsChosenWhereAGpuIs) {
  OnGpu any;
  ASSERT_OK(any.load(/*type=*/0));
  tenon_model_info info = TENON_INIT(tenon_model_info);
  ASSERT_OK(tenon_model_query(any.model, &info));
  EXPECT_STREQ(info.target_cpu, "cuda-sm_80");
  EXPECT_EQ(info.device.device_type, TENON_DEVICE_CUDA);
  EXPECT_STREQ(info.device_name, "emulated sm_90");
  EXPECT_EQ(info.vector_bits, 0);
  tenon_variant_info variant = TENON_INIT(tenon_variant_info);
  ASSERT_OK(tenon_model_variant(any.model, 0, &variant));
  EXPECT_TRUE(variant.is_supported && variant.is_loaded);
  EXPECT_EQ(variant.device_type, TENON_DEVICE_CUDA);
  EXPECT_STREQ(variant.reason, "");
}

TEST(CudaRun, TheProcessorMayBeAskedFor) {
#if defined(__x86_64__)
  for (const char *name : {(const char *)nullptr, "x86-64"}) {
    OnGpu gpu;
    ASSERT_OK(gpu.load(TENON_DEVICE_CPU, name));
    tenon_model_info info = TENON_INIT(tenon_model_info);
    ASSERT_OK(tenon_model_query(gpu.model, &info));
    EXPECT_STREQ(info.target_cpu, "x86-64");
    EXPECT_EQ(info.device.device_type, TENON_DEVICE_CPU);
    EXPECT_STREQ(info.device_name, "");
    ASSERT_OK(gpu.open());
    ASSERT_OK(gpu.run(4));
    EXPECT_EQ(gpu.y, expected(4));
  }
#endif
}

TEST(CudaRun, TakesTensorsOnTheGpu) {
  OnGpu gpu;
  ASSERT_OK(gpu.open());
  // Memory that lies elsewhere in each run, and outputs here or there.
  for (float x : {1.0f, 2.0f, 3.0f}) {
    CardFloats in(all(x)), out(all(-1));
    tenon_tensor inputs[] = {in.of(gpu.tensor(0, true, nullptr))};
    tenon_tensor outputs[] = {out.of(gpu.tensor(0, false, nullptr))};
    ASSERT_OK(tenon_run(gpu.context, inputs, 1, outputs, 1));
    EXPECT_EQ(out.read(), expected(x));
    gpu.y.assign(elements, -1);
    outputs[0] = gpu.tensor(0, false, gpu.y.data());
    ASSERT_OK(tenon_run(gpu.context, inputs, 1, outputs, 1));
    EXPECT_EQ(gpu.y, expected(x));
    ASSERT_OK(gpu.run(x + 1));
    EXPECT_EQ(gpu.y, expected(x + 1));
  }
}

TEST(CudaRun, FollowsTensorsThatMove) {
  OnGpu gpu;
  ASSERT_OK(gpu.open());
  CardFloats a(all(1)), b(all(2)), c(all(-1)), d(all(-1));
  tenon_tensor in = gpu.tensor(0, true, nullptr);
  tenon_tensor out = gpu.tensor(0, false, nullptr);
  struct {
    CardFloats &in, &out;
    float value;
  } runs[] = {{a, c, 1}, {b, c, 2}, {b, d, 2}, {a, d, 1}, {a, c, 1}};
  for (auto &run : runs) {
    tenon_tensor input = run.in.of(in), output = run.out.of(out);
    ASSERT_OK(tenon_run(gpu.context, &input, 1, &output, 1));
    EXPECT_EQ(run.out.read(), expected(run.value));
  }
}

TEST(CudaRun, ReturnsBeforeItIsDone) {
  OnGpu gpu;
  ASSERT_OK(gpu.open());
  EXPECT_OK(tenon_wait(gpu.context));
  gpu.x = all(5);
  gpu.y = all(-1);
  tenon_tensor in = gpu.tensor(0, true, gpu.x.data());
  tenon_tensor out = gpu.tensor(0, false, gpu.y.data());
  ASSERT_OK(tenon_run_async(gpu.context, &in, 1, &out, 1));
  EXPECT_EQ(gpu.y, all(-1));
  EXPECT_FAILS("tenon_run_async", tenon_run(gpu.context, &in, 1, &out, 1));
  ASSERT_OK(tenon_wait(gpu.context));
  EXPECT_EQ(gpu.y, expected(5));
  EXPECT_OK(tenon_wait(gpu.context));
  ASSERT_OK(tenon_run_async(gpu.context, &in, 1, &out, 1));
  // Whoever destroys a context need not wait.
}

TEST(CudaRun, OnAProcessorIsDoneAtOnce) {
#if defined(__x86_64__)
  OnGpu gpu;
  ASSERT_OK(gpu.load(TENON_DEVICE_CPU));
  ASSERT_OK(gpu.open());
  gpu.x = all(5);
  gpu.y = all(-1);
  tenon_tensor in = gpu.tensor(0, true, gpu.x.data());
  tenon_tensor out = gpu.tensor(0, false, gpu.y.data());
  ASSERT_OK(tenon_run_async(gpu.context, &in, 1, &out, 1));
  EXPECT_EQ(gpu.y, expected(5));
  EXPECT_OK(tenon_wait(gpu.context));
  EXPECT_EQ(tenon_device_nanoseconds(gpu.context), 0);
#endif
}

TEST(CudaRun, ContextsShareWeights) {
  CardFloats keepsDriver(all(0));
  OnGpu gpu;
  ASSERT_OK(gpu.open());
  ASSERT_OK(gpu.run());
  tenon_context *other = nullptr;
  ASSERT_OK(tenon_context_create(gpu.model, nullptr, &other));
  gpu.y = all(-1);
  tenon_tensor in = gpu.tensor(0, true, gpu.x.data());
  tenon_tensor out = gpu.tensor(0, false, gpu.y.data());
  EXPECT_OK(tenon_run(other, &in, 1, &out, 1));
  EXPECT_EQ(gpu.y, expected(1));
  tenon_context_destroy(other);
  ASSERT_OK(gpu.run(2));
  EXPECT_EQ(gpu.y, expected(2));
}

TEST(CudaRun, TakesTheCallersStreamAndContext) {
  CUcontext context, now;
  CUstream stream;
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  {
    OnGpu gpu;
    gpu.options.device_stream = stream;
    ASSERT_OK(gpu.open());
    ASSERT_OK(gpu.run(7));
    EXPECT_EQ(gpu.y, expected(7));
  }
  EXPECT_EQ(cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxGetCurrent(&now), CUDA_SUCCESS);
  EXPECT_EQ(now, context);
  EXPECT_EQ(cuCtxPopCurrent_v2(&now), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
}

/// An event has the time if it was made to have it.
TEST(CudaRun, EventsHaveTimesWhereAskedFor) {
  OnGpu gpu;
  EXPECT_OK(gpu.open());
  CUcontext context;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
  for (unsigned flags : {0u, unsigned(CU_EVENT_DISABLE_TIMING)}) {
    CUevent event;
    float milliseconds;
    ASSERT_EQ(cuEventCreate(&event, flags), CUDA_SUCCESS);
    EXPECT_EQ(cuEventRecord(event, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
    EXPECT_EQ(cuEventElapsedTime(&milliseconds, event, event),
              flags ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
    EXPECT_EQ(cuEventDestroy_v2(event), CUDA_SUCCESS);
  }
  EXPECT_EQ(cuCtxPopCurrent_v2(&context), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
}

TEST(CudaRun, HasClocks) {
  OnGpu gpu;
  gpu.options.device_clock = true;
  ASSERT_OK(gpu.open());
  ASSERT_OK(gpu.run());
  EXPECT_GT(tenon_device_nanoseconds(gpu.context), 0);
}

TEST(CudaRun, HasProfiles) {
  OnGpu gpu;
  gpu.options.profile = true;
  ASSERT_OK(gpu.open());
  for (float x : {1.0f, 2.0f}) {
    ASSERT_OK(gpu.run(x));
    EXPECT_EQ(gpu.y, expected(x));
  }
  ASSERT_EQ(tenon_profile_count(gpu.context), 2u);
  tenon_profile_entry entry = TENON_INIT(tenon_profile_entry);
  int64_t before = 0;
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_OK(tenon_profile_get(gpu.context, i, &entry));
    EXPECT_STREQ(entry.kernel, "add");
    EXPECT_EQ(entry.calls, 2);
    EXPECT_EQ(entry.tiles, 4);
    // One after the other, without what is between them.
    EXPECT_EQ(entry.last_begin, before);
    EXPECT_GT(entry.last_nanoseconds, 0);
    EXPECT_GE(entry.nanoseconds, entry.last_nanoseconds);
    before += entry.last_nanoseconds;
  }
}

TEST(CudaRun, TellsWhatTheGpuCanDo) {
  ArtifactDesc desc = makeCudaDesc();
  desc.variants[0].device->gflops = 1000;
  OnGpu gpu(desc);
  ASSERT_OK(gpu.open());
  tenon_model_info info = TENON_INIT(tenon_model_info);
  ASSERT_OK(tenon_model_query(gpu.model, &info));
  EXPECT_EQ(info.device_flops, 1e12);
  // 2.6 GHz, twice, 5120 bits.
  EXPECT_EQ(info.device_rate, 3.328e12);
}

TEST(CudaRun, IntoLargerBuffers) {
  OnGpu gpu;
  ASSERT_OK(gpu.open());
  gpu.x = all(3);
  gpu.y = std::vector<float>(elements + 10, -1);
  tenon_tensor in = gpu.tensor(0, true, gpu.x.data());
  int64_t shape[2];
  tenon_output_buffer out = {gpu.y.data(), 4 * gpu.y.size(), shape, 0};
  ASSERT_OK(tenon_run_into(gpu.context, &in, 1, &out, 1));
  EXPECT_EQ(out.byte_size, size_t(bytes));
  EXPECT_EQ(gpu.y[elements], -1);
  gpu.y.resize(elements);
  EXPECT_EQ(gpu.y, expected(3));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The first row of y is x + w; each further one adds w to the one before.
static ArtifactDesc makeSteps() {
  constexpr int64_t width = 100, row = width * sizeof(float);
  ArtifactDesc desc = makeCudaDesc();
  VariantDesc &variant = desc.variants[0];
  BufferRef x{Space::Input, 0, 0, row}, w{Space::Weights, 0, 0, bytes};
  BufferRef first{Space::Output, 0, 0, row};
  BufferRef before{Space::Output, 0, 0, bytes - row};
  BufferRef after{Space::Output, 0, row, bytes - row};
  variant.plan = {};
  variant.launches[0] = {AddN, 1, 2, {x, w, first}, {"first"}};
  variant.launches[0].sizes = {width};
  variant.launches[1] = {Step, width, 2, {before, w, after}, {"rest"}};
  variant.launches[1].steps = elements / width - 1;
  variant.device->launches[1].threads = 1;
  return desc;
}

TEST(CudaRun, StepsFollowEachOther) {
  for (bool profile : {false, true}) {
    OnGpu gpu(makeSteps());
    gpu.options.profile = profile;
    ASSERT_OK(gpu.open());
    ASSERT_OK(gpu.run(2));
    for (int64_t i = 0; i < elements; ++i)
      ASSERT_EQ(gpu.y[i],
                i < 100 ? 2 + weightAt(i) : gpu.y[i - 100] + weightAt(i - 100))
          << i;
  }
}

/// out = data[index]; twice, so that each has a fault word.
static ArtifactDesc makePick() {
  ArtifactDesc desc = makeCudaDesc();
  desc.entries[0].inputs = {{"data", dtype::f32, {10}},
                            {"index", dtype::i64, {2}}};
  desc.entries[0].outputs = {{"y", dtype::f32, {2}}};
  BufferRef data{Space::Input, 0, 0, 40}, word{Space::Arena, 0, 0, 8};
  BufferRef i{Space::Input, 1, 0, 8}, j{Space::Input, 1, 8, 8};
  BufferRef a{Space::Output, 0, 0, 4}, b{Space::Output, 0, 4, 4};
  for (VariantDesc &variant : desc.variants) {
    variant.plan = {64, 64, 8, {{0, 0, 8, 0, 1}}};
    bool isCuda = variant.device.has_value();
    uint32_t kernel = isCuda ? Pick : 0;
    variant.launches = {{kernel, 1, 2, {i, data, a, word}, {"one"}},
                        {kernel, 1, 2, {j, data, b, word}, {"two"}}};
    if (isCuda)
      for (DeviceLaunchDesc &launch : variant.device->launches)
        launch.threads = 1;
  }
  return desc;
}

TEST(CudaRun, FindsIndicesThatAreOutOfRange) {
  for (bool profile : {false, true}) {
    OnGpu gpu(makePick());
    gpu.options.profile = profile;
    ASSERT_OK(gpu.open());
    std::vector<float> data = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, y(2);
    std::vector<int64_t> index = {3, 7};
    tenon_tensor in[] = {gpu.tensor(0, true, data.data()),
                         gpu.tensor(1, true, index.data())};
    tenon_tensor out = gpu.tensor(0, false, y.data());
    ASSERT_OK(tenon_run(gpu.context, in, 2, &out, 1));
    EXPECT_EQ(y, (std::vector<float>{3, 7}));
    index = {3, 10};
    tenon_status *status = tenon_run(gpu.context, in, 2, &out, 1);
    EXPECT_EQ(tenon_status_code_of(status), TENON_INDEX_OUT_OF_RANGE);
    EXPECT_STREQ(tenon_status_node(status), "two");
    EXPECT_FAILS("node 'two': an index is out of range: it selects from 10 "
                 "rows",
                 status);
    index = {-1, 10};
    EXPECT_FAILS("node 'one': an index",
                 tenon_run(gpu.context, in, 2, &out, 1));
    index = {9, 0};
    ASSERT_OK(tenon_run(gpu.context, in, 2, &out, 1));
    EXPECT_EQ(y, (std::vector<float>{9, 0}));
  }
}

/// Two independent sums in two streams, and one of both that waits.
static ArtifactDesc makeStreams() {
  ArtifactDesc desc = makeCudaDesc();
  VariantDesc &variant = desc.variants[0];
  BufferRef x{Space::Input, 0, 0, bytes}, y{Space::Output, 0, 0, bytes};
  BufferRef w{Space::Weights, 0, 0, bytes}, t{Space::Arena, 0, 0, bytes};
  BufferRef u{Space::Arena, 0, 4096, bytes};
  variant.plan = {8192, 64, bytes, {}};
  variant.launches = {{Add, 4, 2, {x, w, t}, {"left"}},
                      {Add, 4, 2, {x, x, u}, {"right"}},
                      {Add, 4, 2, {t, u, y}, {"both"}}};
  variant.launches[1].stream = 1;
  variant.launches[2].waits = {1, 1, 0};
  variant.device->launches.resize(3, variant.device->launches[0]);
  return desc;
}

TEST(CudaRun, StreamsWaitForEachOther) {
  OnGpu gpu(makeStreams());
  ASSERT_OK(gpu.open());
  ASSERT_OK(gpu.run(3));
  for (int64_t i = 0; i < elements; ++i)
    ASSERT_EQ(gpu.y[i], (3 + weightAt(i)) + (3.0f + 3));
}

TEST(CudaRun, MapsComeFirst) {
  // The kernel of the first launch gets a map that follows its operand.
  static const std::string text = [] {
    std::string mapped = ptx;
    std::string entry = ".entry add(";
    mapped.replace(mapped.find(entry), entry.size(),
                   ".entry mapped(.param .align 64 .b8 m[128], ");
    return mapped + ptxBody.substr(0, ptxBody.find(".visible .entry addn"));
  }();
  ArtifactDesc desc = makeCudaDesc();
  VariantDesc &variant = desc.variants[0];
  MapDesc map;
  map.dims = {100, 10};
  map.strides = {400};
  map.box = {32, 2};
  map.steps = {1, 1};
  map.swizzle = 128;
  variant.kernels.push_back({"mapped", 0});
  variant.launches[0].kernel = kernelNames.size();
  variant.device->launches[0].maps = {map};
  variant.code = bytesOf(text);
  variant.device->modules[0].size = text.size() + 1;
  OnGpu gpu(desc);
  ASSERT_OK(gpu.open());
  ASSERT_OK(gpu.run(6));
  EXPECT_EQ(gpu.y, expected(6));
  CardFloats in(all(2));
  tenon_tensor input = in.of(gpu.tensor(0, true, nullptr));
  tenon_tensor output = gpu.tensor(0, false, gpu.y.data());
  ASSERT_OK(tenon_run(gpu.context, &input, 1, &output, 1));
  EXPECT_EQ(gpu.y, expected(2));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// y = x + z over [batch, 100], where blocks and sizes follow from batch.
static ArtifactDesc makeBatches() {
  auto reg = registerValue;
  ArtifactDesc desc = makeDesc();
  addCuda(desc);
  desc.entries[0].inputs = {
      {"x", dtype::f32, {reg(0), 100}, {"batch", ""}, reg(6)},
      {"z", dtype::f32, {reg(2), 100}, {"batch", ""}, reg(6)}};
  desc.entries[0].outputs = {
      {"y", dtype::f32, {reg(0), 100}, {"batch", ""}, reg(6)}};
  desc.sizePrograms = {{{SizeOp::CheckEqual, reg(2), reg(0), "node 'plus'"},
                        {SizeOp::Mul, reg(0), 100, "elements"},
                        {SizeOp::Mul, reg(5), 4, "bytes"},
                        {SizeOp::Add, reg(5), 255},
                        {SizeOp::FloorDiv, reg(7), 256}}};
  BufferRef x{Space::Input, 0, 0, reg(6)}, z{Space::Input, 1, 0, reg(6)};
  BufferRef y{Space::Output, 0, 0, reg(6)}, t{Space::Arena, 0, 0, reg(6)};
  for (VariantDesc &variant : desc.variants) {
    variant.plan = {};
    variant.plan.arenaBytes = reg(6);
    bool isCuda = variant.device.has_value();
    LaunchDesc first{isCuda ? uint32_t(AddN) : 0, reg(8), 2, {x, z, t}, {"a"}};
    first.sizes = {reg(5)};
    LaunchDesc second = first;
    second.refs = {t, x, y};
    variant.launches = {first, second};
  }
  return desc;
}

TEST(CudaRun, ShapesHaveGraphs) {
  OnGpu gpu(makeBatches());
  ASSERT_OK(gpu.open());
  for (int64_t batch : {3, 1, 40, 0, 3, 41, 40, 1}) {
    std::vector<float> x(100 * batch), z(100 * batch), y(100 * batch, -1);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = float(i);
      z[i] = float(batch);
    }
    int64_t shape[] = {batch, 100};
    tenon_tensor tensors[] = {gpu.tensor(0, true, x.data()),
                              gpu.tensor(1, true, z.data()),
                              gpu.tensor(0, false, y.data())};
    for (tenon_tensor &tensor : tensors)
      tensor.shape = shape;
    ASSERT_OK(tenon_run(gpu.context, tensors, 2, tensors + 2, 1));
    for (size_t i = 0; i < y.size(); ++i)
      ASSERT_EQ(y[i], 2.0f * i + batch) << batch;
  }
}
