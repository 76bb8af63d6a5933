//===- Image.cpp - modules one after the other ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Cuda.h"

#include "llvm/Support/MathExtras.h"

using namespace tenon;

cuda::Image cuda::layOut(llvm::ArrayRef<Module> modules, uint64_t alignment) {
  Image image;
  auto add = [&](llvm::ArrayRef<char> bytes, uint32_t unit, bool isCubin) {
    image.bytes.resize(llvm::alignTo(image.bytes.size(), alignment), '\0');
    image.modules.push_back({isCubin, unit, image.bytes.size(), bytes.size()});
    image.bytes.insert(image.bytes.end(), bytes.begin(), bytes.end());
  };
  for (auto [i, module] : llvm::enumerate(modules)) {
    if (!module.cubin.empty())
      add(module.cubin, i, /*isCubin=*/true);
    // With the zero byte that ends it.
    add({module.ptx.c_str(), module.ptx.size() + 1}, i, /*isCubin=*/false);
  }
  return image;
}
