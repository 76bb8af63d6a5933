//===- SlotProbe.cpp - counts calls of ONNX Runtime's functions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A provider library that stands between ONNX Runtime and ours, the one in
// $TENON_PROBED: it hands on tables in which each slot in use counts its calls.
// When it is released it prints the slots that nobody called. With
// $TENON_PROBED_VERSION it plays an older version.
//===----------------------------------------------------------------------===//
#include "tools/onnxruntime/OrtTables.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace tenon::ort;

#define EXPORT extern "C" __attribute__((visibility("default")))

/// The function of a slot, and what stands in for it.
template <int table, size_t position, typename Function> struct Slot;
template <int table, size_t position, typename Result, typename... Parameters>
struct Slot<table, position, Result(Parameters...)> {
  static inline Result (*function)(Parameters...) = nullptr;
  static inline unsigned long calls = 0;

  static Result count(Parameters... parameters) {
    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    return function(parameters...);
  }

  static void replace(const void **slots) {
    std::memcpy(&function, slots + position, sizeof function);
    slots[position] = reinterpret_cast<const void *>(count);
  }

  static int report(const char *name) {
    if (calls == 0)
      std::printf("not called: %s\n", name);
    return calls > 0;
  }
};

static const ApiBase *real;
static const void *functions[391], *ofProviders[3], *ofEditor[7];

static const void *const *getEpApi() { return ofProviders; }
static const void *const *getModelEditorApi() { return ofEditor; }

static const char *versionOf() {
  const char *played = std::getenv("TENON_PROBED_VERSION");
  return played ? played : real->getVersionString();
}

/// Copies the table that a slot's function returns, and lets it return the
/// copy. This one call is what counts.
static void takeTable(size_t slot, const void **copy, size_t size,
                      const void *const *(*stand)()) {
  const void *const *(*get)();
  std::memcpy(&get, functions + slot, sizeof get);
  std::memcpy(copy, get(), size);
  functions[slot] = reinterpret_cast<const void *>(stand);
}

static const void *const *getApi(uint32_t version) {
  if (version > std::strtoul(versionOf() + std::strlen("1."), nullptr, 10))
    return nullptr;
  const void *const *table = real->getApi(version);
  if (!table || functions[0])
    return table ? functions : nullptr;
  std::memcpy(functions, table, sizeof functions);
#define REPLACE(position, name, result, parameters)                            \
  Slot<0, position, result parameters>::replace(functions);
  TENON_ORT_SLOTS(REPLACE)
  TENON_ORT_LATE_SLOTS(REPLACE)
#undef REPLACE
  takeTable(317, ofProviders, sizeof ofProviders, getEpApi);
  takeTable(291, ofEditor, sizeof ofEditor, getModelEditorApi);
#define REPLACE(position, name, result, parameters)                            \
  Slot<1, position, result parameters>::replace(ofProviders);
  TENON_ORT_PROVIDER_SLOTS(REPLACE)
#undef REPLACE
#define REPLACE(position, name, result, parameters)                            \
  Slot<2, position, result parameters>::replace(ofEditor);
  TENON_ORT_EDITOR_SLOTS(REPLACE)
#undef REPLACE
  return functions;
}

template <typename Function> static Function find(const char *name) {
  void *library = dlopen(std::getenv("TENON_PROBED"), RTLD_NOW);
  void *symbol = library ? dlsym(library, name) : nullptr;
  if (!symbol) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  Function function;
  std::memcpy(&function, &symbol, sizeof function);
  return function;
}

EXPORT OrtStatus *CreateEpFactories(const char *name, const ApiBase *base,
                                    const OrtLogger *logger,
                                    OrtEpFactory **factories, size_t room,
                                    size_t *count) {
  static ApiBase between;
  real = base;
  between = {getApi, versionOf};
  return find<decltype(&CreateEpFactories)>("CreateEpFactories")(
      name, &between, logger, factories, room, count);
}

EXPORT OrtStatus *ReleaseEpFactory(OrtEpFactory *factory) {
  OrtStatus *status =
      find<decltype(&ReleaseEpFactory)>("ReleaseEpFactory")(factory);
  int called = 0, slots = 0;
#define REPORT(position, name, result, parameters)                             \
  called += Slot<0, position, result parameters>::report(#name), ++slots;
  TENON_ORT_SLOTS(REPORT)
  TENON_ORT_LATE_SLOTS(REPORT)
#undef REPORT
#define REPORT(position, name, result, parameters)                             \
  called += Slot<1, position, result parameters>::report(#name), ++slots;
  TENON_ORT_PROVIDER_SLOTS(REPORT)
#undef REPORT
#define REPORT(position, name, result, parameters)                             \
  called += Slot<2, position, result parameters>::report(#name), ++slots;
  TENON_ORT_EDITOR_SLOTS(REPORT)
#undef REPORT
  std::printf("%d of %d slots were called\n", called, slots);
  std::fflush(stdout);
  return status;
}
