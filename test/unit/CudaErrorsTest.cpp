//===- CudaErrorsTest.cpp - what may fail on a GPU ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file asks for each error of models on GPUs. A driver is opened once in
// a process, and an error may be for good there, so each test has its own.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime tenon-cuda-emulator NO_PCH
#include "test/unit/CudaTestModel.h"

#include <cstdio>

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

/// What `body` says in a process of its own, with some variables set.
template <typename Body>
void expectIn(const std::vector<std::pair<const char *, const char *>> &set,
              const std::string &pattern, Body body) {
  EXPECT_EXIT(
      {
        for (auto [name, value] : set)
          setenv(name, value, 1);
        fprintf(stderr, "%s\n", std::string(body()).c_str());
        _Exit(0);
      },
      testing::ExitedWithCode(0), pattern);
}

std::string load(int32_t type = TENON_DEVICE_CUDA,
                 const char *variant = nullptr) {
  OnGpu gpu;
  return messageOf(gpu.load(type, variant));
}

/// The processor's variant was chosen, because of what is returned.
std::string whyNot(const ArtifactDesc &desc = makeCudaDesc()) {
  OnGpu gpu(desc);
  std::string message = messageOf(gpu.load(/*type=*/0));
  if (!message.empty())
    return message;
  tenon_variant_info info = TENON_INIT(tenon_variant_info);
  tenon_model_info model = TENON_INIT(tenon_model_info);
  tenon_status_destroy(tenon_model_variant(gpu.model, 0, &info));
  tenon_status_destroy(tenon_model_query(gpu.model, &model));
  if (info.is_supported || info.is_loaded)
    return "the variant is supported";
  return std::string(model.target_cpu) + " because " + info.reason;
}

std::string runOnce(const ArtifactDesc &desc = makeCudaDesc()) {
  OnGpu gpu(desc);
  std::string message = messageOf(gpu.open());
  return message.empty() ? messageOf(gpu.run()) : message;
}

/// The kernel `stray` in the place of the second launch's.
ArtifactDesc makeStray() {
  ArtifactDesc desc = makeCudaDesc();
  desc.variants[0].launches[1].kernel = Stray;
  desc.variants[0].device->launches[1].threads = 1;
  return desc;
}

} // namespace

//===----------------------------------------------------------------------===//
// Driver and GPUs
//===----------------------------------------------------------------------===//

TEST(CudaErrors, ThereMayBeNoDriver) {
  const char *text = "there is no CUDA driver \\(.*nowhere.so";
  expectIn({{"TENON_CUDA_LIBRARY", "/nowhere.so"}},
           std::string("the model cannot run on a GPU: ") + text,
           [] { return load(); });
  expectIn({{"TENON_CUDA_LIBRARY", "/nowhere.so"}},
           std::string("the variant 'cuda-sm_80' cannot run: ") + text,
           [] { return load(0, "cuda-sm_80"); });
#if defined(__x86_64__)
  expectIn({{"TENON_CUDA_LIBRARY", "/nowhere.so"}},
           std::string("x86-64 because ") + text, [] { return whyNot(); });
#endif
}

TEST(CudaErrors, TheDriverMayBeTooOld) {
  expectIn({{"TENON_CUDA_LIBRARY", "libc.so.6"}},
           "the CUDA driver is too old: it lacks cuInit",
           [] { return load(); });
}

TEST(CudaErrors, ThereMayBeNoGpu) {
  expectIn({{"TENON_EMULATE_GPUS", "0"}},
           "the CUDA driver does not start \\(no CUDA-capable device",
           [] { return load(); });
}

TEST(CudaErrors, TheGpuMayBeTooOld) {
  expectIn({{"TENON_EMULATE_ARCH", "75"}},
           "it needs a GPU of sm_80 or later; GPU 0 \\('emulated sm_75'\\) "
           "is sm_75",
           [] { return load(); });
  expectIn({{"TENON_EMULATE_ARCH", "100"}},
           "it needs a GPU of sm_80 and no other; GPU 0 .* is sm_100", [] {
             ArtifactDesc desc = makeCudaDesc();
             desc.variants[0].device->architecture.exact = true;
             return messageOf(OnGpu(desc).load());
           });
}

TEST(CudaErrors, CardsHaveNumbers) {
  auto loadOn = [](int32_t type, int32_t id) {
    OnGpu gpu;
    tenon_load_options options = TENON_INIT(tenon_load_options);
    options.device = {type, id};
    return messageOf(tenon_model_load_memory(gpu.image.data(), gpu.image.size,
                                             &options, &gpu.model));
  };
  expectIn({}, "there is no GPU 1: the CUDA driver finds 1",
           [&] { return loadOn(TENON_DEVICE_CUDA, 1); });
  expectIn({}, "there is no device -1",
           [&] { return loadOn(TENON_DEVICE_CUDA, -1); });
  expectIn({}, "there are no devices of type 7", [&] { return loadOn(7, 0); });
  expectIn({{"TENON_EMULATE_GPUS", "2"}}, "good, good", [&] {
    OnGpu gpu;
    std::string first = messageOf(gpu.load());
    gpu.options.device = {TENON_DEVICE_CUDA, 1};
    std::string second = messageOf(gpu.open());
    return (first.empty() ? "good, " : first) +
           (second.empty() ? "good" : second);
  });
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

TEST(CudaErrors, VariantsAreForOneKindOfDevice) {
  expectIn({}, "the variant 'x86-64' is for a processor, not for the device",
           [] { return load(TENON_DEVICE_CUDA, "x86-64"); });
  expectIn({}, "the variant 'cuda-sm_80' is for a GPU, not for the device",
           [] { return load(TENON_DEVICE_CPU, "cuda-sm_80"); });
  expectIn({}, "the artifact has no variant for a GPU, but 'x86-64'",
           [] { return messageOf(OnGpu(makeDesc()).load(TENON_DEVICE_CUDA)); });
}

TEST(CudaErrors, StatesAreKeptByProcessors) {
#if defined(__x86_64__)
  expectIn({}, "x86-64 because the model has states, which a processor keeps",
           [] {
             ArtifactDesc desc = makeCudaDesc();
             desc.entries[0].states = {{0, 0}};
             return whyNot(desc);
           });
#endif
}

TEST(CudaErrors, ContextsRunWhereTheModelIs) {
  auto create = [](int32_t type, auto change) {
    OnGpu gpu;
    std::string message = messageOf(gpu.load(type));
    change(gpu.options);
    return message.empty() ? messageOf(gpu.open()) : message;
  };
  expectIn({}, "the model was loaded for a GPU \\(variant 'cuda-sm_80'\\)",
           [&] {
             return create(TENON_DEVICE_CUDA, [](auto &options) {
               options.device.device_type = TENON_DEVICE_CPU;
             });
           });
  expectIn({}, "a model that runs on a GPU takes no arena", [&] {
    return create(TENON_DEVICE_CUDA, [](auto &options) {
      static char arena[64];
      options.arena = arena;
    });
  });
  expectIn({}, "there is no GPU 3", [&] {
    return create(TENON_DEVICE_CUDA, [](auto &options) {
      options.device = {TENON_DEVICE_CUDA, 3};
    });
  });
#if defined(__x86_64__)
  expectIn({}, "the model was loaded for the processor \\(variant 'x86-64'\\)",
           [&] {
             return create(TENON_DEVICE_CPU, [](auto &options) {
               options.device.device_type = TENON_DEVICE_CUDA;
             });
           });
  expectIn({}, "a model that runs on the processor takes no stream", [&] {
    return create(TENON_DEVICE_CPU,
                  [](auto &options) { options.device_stream = &options; });
  });
  expectIn({}, "there is no device 2", [&] {
    return create(TENON_DEVICE_CPU,
                  [](auto &options) { options.device.device_id = 2; });
  });
#endif
}

//===----------------------------------------------------------------------===//
// Loading on the GPU
//===----------------------------------------------------------------------===//

TEST(CudaErrors, MemoryMayBeShort) {
  expectIn({{"TENON_EMULATE_MEMORY", "100"}},
           "the weights take 4000 bytes on GPU 0 \\('emulated sm_90'\\), which "
           "has 100 free of 100",
           [] { return runOnce(); });
  expectIn({{"TENON_EMULATE_MEMORY", "5000"}},
           "the inputs and outputs take 8192 bytes on GPU 0 .* 1000 free",
           [] { return runOnce(); });
  expectIn({{"TENON_EMULATE_MEMORY", "13000"}},
           "the intermediate results take 4000 bytes on GPU 0 .* 808 free",
           [] { return runOnce(); });
}

TEST(CudaErrors, ModulesMayBeRefused) {
  expectIn({},
           "the CUDA driver does not take module 0: a PTX JIT compilation "
           "failed \\(CUDA_ERROR_INVALID_PTX\\): .*",
           [] {
             static const std::string text = ptxHead + ".visible nonsense";
             ArtifactDesc desc = makeCudaDesc();
             desc.variants[0].code = bytesOf(text);
             desc.variants[0].device->modules[0].size = text.size() + 1;
             return runOnce(desc);
           });
  expectIn({}, "module 0 has no kernel 'missing'", [] {
    ArtifactDesc desc = makeCudaDesc();
    desc.variants[0].kernels[0].name = "missing";
    return runOnce(desc);
  });
  expectIn({},
           "kernel 'add' runs with 512 threads in a block; GPU 0 "
           "\\('emulated sm_90'\\) has room for 256",
           [] {
             ArtifactDesc desc = makeCudaDesc();
             desc.variants[0].device->launches[1].threads = 512;
             return runOnce(desc);
           });
  expectIn({},
           "kernel 'add' needs 262144 bytes of shared memory; GPU 0 "
           "\\('emulated sm_90'\\) has 232448 for a block",
           [] {
             ArtifactDesc desc = makeCudaDesc();
             desc.variants[0].device->launches[1].sharedBytes = 1 << 18;
             return runOnce(desc);
           });
}

TEST(CudaErrors, PtxStandsInForCubins) {
  expectIn({}, "it ran", [] {
    ArtifactDesc desc = makeCudaDesc();
    VariantDesc &variant = desc.variants[0];
    std::string cubin = std::string("\x7f") + "ELF of a GPU";
    cubin.resize(moduleAlignment);
    static std::string code;
    code = cubin + ptx;
    variant.code = bytesOf(code);
    variant.device->modules = {
        {ModuleKind::Cubin, 0, {90}, 0, cubin.size()},
        {ModuleKind::Ptx, 0, {80}, cubin.size(), ptx.size() + 1}};
    std::string message = runOnce(desc);
    return message.empty() ? "it ran" : message;
  });
}

TEST(CudaErrors, MuchSharedMemoryIsAskedFor) {
  expectIn({}, "it ran", [] {
    ArtifactDesc desc = makeCudaDesc();
    desc.variants[0].device->launches[0].sharedBytes = 200 << 10;
    std::string message = runOnce(desc);
    return message.empty() ? "it ran" : message;
  });
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

TEST(CudaErrors, KernelsMayFail) {
  expectIn({},
           "a kernel failed: .*stray.* \\(CUDA_ERROR_LAUNCH_FAILED\\); with "
           "TENON_CUDA_STEPWISE=1 in the environment a run says which",
           [] { return runOnce(makeStray()); });
  expectIn({{"TENON_CUDA_STEPWISE", "1"}},
           "node 'second' \\(kernel 'stray'\\): the kernel failed: ", [] {
             return runOnce(makeStray());
           });
}

TEST(CudaErrors, AfterwardsNothingRuns) {
  expectIn({},
           "nothing runs on GPU 0 \\('emulated sm_90'\\) since an earlier "
           "error of this process: ",
           [] {
             OnGpu gpu(makeStray());
             messageOf(gpu.open());
             messageOf(gpu.run());
             tenon_status *status = gpu.run();
             return tenon_status_code_of(status) == TENON_DEVICE_LOST
                        ? messageOf(status)
                        : "another status";
           });
}

TEST(CudaErrors, TensorsMayBeElsewhere) {
  auto runWith = [](tenon_device device, uintptr_t data) {
    OnGpu gpu;
    std::string message = messageOf(gpu.open());
    gpu.y.resize(elements);
    tenon_tensor in = gpu.tensor(0, true, reinterpret_cast<void *>(data));
    tenon_tensor out = gpu.tensor(0, false, gpu.y.data());
    in.device = device;
    return message + messageOf(tenon_run(gpu.context, &in, 1, &out, 1));
  };
  expectIn({},
           "'x' is neither in CPU memory nor on GPU 0, where the model "
           "runs",
           [&] { return runWith({TENON_DEVICE_CUDA, 1}, 4096); });
  expectIn({}, "'x' is neither in CPU memory nor on GPU 0",
           [&] { return runWith({7, 0}, 4096); });
  expectIn({}, "'x' is not aligned to 16 bytes, as what is on a GPU must be",
           [&] { return runWith({TENON_DEVICE_CUDA, 0}, 4100); });
  expectIn({}, "'x' has no data",
           [&] { return runWith({TENON_DEVICE_CUDA, 0}, 0); });
  // Nothing is there.
  expectIn({}, "a kernel failed",
           [&] { return runWith({TENON_DEVICE_CUDA, 0}, 4096); });
}

TEST(CudaErrors, EdgesKeepTheOrder) {
  expectIn({{"TENON_EMULATE_REVERSE", "1"}}, "y is right", [] {
    OnGpu gpu;
    std::string message = messageOf(gpu.open()) + messageOf(gpu.run());
    return message.empty() && gpu.y.back() == 501.5f ? "y is right" : message;
  });
}

TEST(CudaErrors, ProgrammaticKernelsWait) {
  expectIn({}, "'add' has a programmatic edge and does not wait", [] {
    ArtifactDesc desc = makeCudaDesc();
    desc.variants[0].device->launches[1].programmatic = true;
    return runOnce(desc);
  });
}

TEST(CudaErrors, WaitsNeedAContext) {
  EXPECT_FAILS("a null context", tenon_wait(nullptr));
}
