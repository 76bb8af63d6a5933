//===- JitLink.cpp - the assembler in a library ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file opens libnvJitLink, if it is installed. The few declarations are
// our own: no header of CUDA is needed to build.
//===----------------------------------------------------------------------===//
#include "lib/Target/Cuda/Assembler.h"

#include <dlfcn.h>

using namespace tenon;
using llvm::Expected;
using llvm::StringRef;

namespace {
using Handle = void *;

/// The functions of the library, by their names there.
struct Functions {
  int (*version)(unsigned *, unsigned *);
  int (*create)(Handle *, uint32_t, const char **);
  int (*destroy)(Handle *);
  int (*addData)(Handle, int, const void *, size_t, const char *);
  int (*complete)(Handle);
  int (*cubinSize)(Handle, size_t *);
  int (*cubin)(Handle, void *);
  int (*errorSize)(Handle, size_t *);
  int (*error)(Handle, char *);
  int (*infoSize)(Handle, size_t *);
  int (*info)(Handle, char *);
};

/// What `addData` calls text of PTX.
constexpr int ptxInput = 2;

class JitLink : public cuda::Assembler {
public:
  explicit JitLink(const Functions &functions) : functions(functions) {
    unsigned major = 0, minor = 0;
    functions.version(&major, &minor);
    version =
        "libnvJitLink " + std::to_string(major) + "." + std::to_string(minor);
  }

  StringRef name() const override { return version; }

  Expected<cuda::Assembled>
  assemble(StringRef ptx, const tile::GpuTarget &target) const override {
    std::string device = ("-arch=" + target.name).str();
    const char *options[] = {device.c_str(), "-verbose"};
    Handle handle = nullptr;
    if (functions.create(&handle, 2, options))
      return llvm::createStringError("%s refuses '%s'", version.c_str(),
                                     device.c_str());
    Expected<cuda::Assembled> result = assemble(handle, ptx.str());
    functions.destroy(&handle);
    return result;
  }

private:
  Expected<cuda::Assembled> assemble(Handle handle,
                                     const std::string &ptx) const {
    size_t bytes = 0;
    if (functions.addData(handle, ptxInput, ptx.c_str(), ptx.size() + 1,
                          "kernels") ||
        functions.complete(handle) || functions.cubinSize(handle, &bytes))
      return llvm::createStringError(
          version + ": " +
          textOf(handle, functions.errorSize, functions.error));
    cuda::Assembled result{CodeBytes(bytes),
                           textOf(handle, functions.infoSize, functions.info)};
    if (functions.cubin(handle, result.cubin.data()))
      return llvm::createStringError("%s gives no code", version.c_str());
    return result;
  }

  static std::string textOf(Handle handle, int (*size)(Handle, size_t *),
                            int (*get)(Handle, char *)) {
    size_t bytes = 0;
    if (size(handle, &bytes) || !bytes)
      return "";
    std::string text(bytes, '\0');
    get(handle, text.data());
    return text.c_str();
  }

  Functions functions;
  std::string version;
};
} // namespace

/// The library, which then stays open.
static void *openLibrary() {
  static constexpr const char *names[] = {
      "libnvJitLink.so", "libnvJitLink.so.13", "libnvJitLink.so.12",
      "/usr/local/cuda/lib64/libnvJitLink.so"};
  for (const char *name : names)
    if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return library;
  return nullptr;
}

template <typename Function>
static bool find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

std::unique_ptr<cuda::Assembler> cuda::openJitLink() {
  void *library = openLibrary();
  Functions f;
  if (!library || !find(library, "nvJitLinkVersion", f.version) ||
      !find(library, "nvJitLinkCreate", f.create) ||
      !find(library, "nvJitLinkDestroy", f.destroy) ||
      !find(library, "nvJitLinkAddData", f.addData) ||
      !find(library, "nvJitLinkComplete", f.complete) ||
      !find(library, "nvJitLinkGetLinkedCubinSize", f.cubinSize) ||
      !find(library, "nvJitLinkGetLinkedCubin", f.cubin) ||
      !find(library, "nvJitLinkGetErrorLogSize", f.errorSize) ||
      !find(library, "nvJitLinkGetErrorLog", f.error) ||
      !find(library, "nvJitLinkGetInfoLogSize", f.infoSize) ||
      !find(library, "nvJitLinkGetInfoLog", f.info))
    return nullptr;
  return std::make_unique<JitLink>(f);
}
