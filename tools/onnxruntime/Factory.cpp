//===- Factory.cpp - what ONNX Runtime finds in the library ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/onnxruntime/Provider.h"

using namespace tenon::ort;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
struct Factory : OrtEpFactory {
  Factory();
  Api api;
};
} // namespace

/// The session's processor is one device; providers for it are asked for by it.
static OrtStatus *addDevice(OrtEpFactory *self,
                            const OrtHardwareDevice *const *devices,
                            size_t count, OrtEpDevice **added, size_t room,
                            size_t *size) {
  const Api &api = static_cast<Factory *>(self)->api;
  *size = 0;
  for (size_t each = 0; each < count && room > 0; ++each) {
    if (api.HardwareDevice_Type(devices[each]) != deviceCpu)
      continue;
    OrtStatus *status =
        api.CreateEpDevice(self, devices[each], nullptr, nullptr, &added[0]);
    *size = status ? 0 : 1;
    return status;
  }
  return nullptr;
}

static OrtStatus *createProvider(OrtEpFactory *self,
                                 const OrtHardwareDevice *const *,
                                 const OrtKeyValuePairs *const *, size_t,
                                 const OrtSessionOptions *session,
                                 const OrtLogger *logger, OrtEp **provider) {
  const Api &api = static_cast<Factory *>(self)->api;
  Options options;
  if (OrtStatus *status = options.read(api, session))
    return status;
  auto made = std::make_unique<Provider>(api, logger, std::move(options));
  if (OrtStatus *status = made->tryOptions())
    return status;
  *provider = made.release();
  return nullptr;
}

Factory::Factory() : OrtEpFactory{} {
  version = apiVersion;
  getName = [](const OrtEpFactory *) { return providerName; };
  getVendor = [](const OrtEpFactory *) { return "Tenon"; };
  getVendorId = [](const OrtEpFactory *) { return uint32_t(0); };
  getVersion = [](const OrtEpFactory *) { return TENON_VERSION_STRING; };
  getSupportedDevices = addDevice;
  createEp = createProvider;
  releaseEp = [](OrtEpFactory *, OrtEp *provider) {
    delete static_cast<Provider *>(provider);
  };
  createAllocator = [](OrtEpFactory *, const OrtMemoryInfo *,
                       const OrtKeyValuePairs *,
                       OrtAllocator **allocator) -> OrtStatus * {
    *allocator = nullptr;
    return nullptr;
  };
  releaseAllocator = [](OrtEpFactory *, OrtAllocator *) {};
  createDataTransfer = [](OrtEpFactory *,
                          OrtDataTransferImpl **transfer) -> OrtStatus * {
    *transfer = nullptr;
    return nullptr;
  };
  isStreamAware = [](const OrtEpFactory *) { return false; };
}

EXPORT OrtStatus *CreateEpFactories(const char *, const ApiBase *base,
                                    const OrtLogger *, OrtEpFactory **factories,
                                    size_t room, size_t *count) {
  auto factory = std::make_unique<Factory>();
  if (OrtStatus *status = factory->api.load(base))
    return status;
  if (room == 0)
    return factory->api.fail("there is no room for a provider",
                             invalidArgument);
  factories[0] = factory.release();
  *count = 1;
  return nullptr;
}

EXPORT OrtStatus *ReleaseEpFactory(OrtEpFactory *factory) {
  delete static_cast<Factory *>(factory);
  return nullptr;
}
