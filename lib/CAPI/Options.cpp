//===- Options.cpp - options of the C API ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file turns each field into the option of that name on a command line.
//===----------------------------------------------------------------------===//
#include "lib/CAPI/Options.h"

#include "lib/Compiler/OptionWords.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;

namespace {
/// Sets options until one is wrong.
class Reader {
public:
  OptionWords words;
  std::string wrong = {};

  void set(llvm::StringRef name, const char *value) {
    if (value && wrong.empty())
      wrong = words.set(name, value);
  }

  void setFlag(llvm::StringRef name, bool isSet) {
    set(name, isSet ? "" : nullptr);
  }

  void setAll(llvm::StringRef name, const char *const *values, size_t count) {
    for (const char *value : list(values, count))
      set(name, value);
  }

  void read(const char *const *arguments, size_t count) {
    std::vector<llvm::StringRef> texts;
    for (const char *argument : list(arguments, count))
      texts.push_back(argument);
    if (wrong.empty())
      wrong = words.read(texts);
  }

private:
  /// The texts; none where one is missing.
  llvm::ArrayRef<const char *> list(const char *const *texts, size_t count) {
    if (count &&
        (!texts || llvm::is_contained(llvm::ArrayRef(texts, count), nullptr))) {
      wrong = "an option string is NULL";
      return {};
    }
    return llvm::ArrayRef(texts, count);
  }
};
} // namespace

/// Of tenon_emit_kind; "" of no such kind.
static const char *emitName(tenon_emit_kind kind) {
  switch (kind) {
  case TENON_EMIT_ARTIFACT:
    return "artifact";
  case TENON_EMIT_OBJECT:
    return "object";
  case TENON_EMIT_ASSEMBLY:
    return "asm";
  }
  return "";
}

std::string capi::readOptions(const tenon_compile_options &given,
                              CompileOptions &options) {
  Reader reader;
  reader.words.options.jobs = given.jobs;
  if (given.kernel_cache_bytes)
    reader.words.options.kernelCacheBytes = given.kernel_cache_bytes;
  reader.set("emit", emitName(given.emit));
  reader.set("mcpu", given.cpu);
  reader.set("mtriple", given.triple);
  reader.set("device", given.device);
  reader.set("precision", given.precision);
  reader.set("kernel-cache", given.kernel_cache);
  reader.set("fusion", given.fusion);
  reader.set("winograd", given.winograd);
  reader.set("weights", given.weights);
  reader.setFlag("guard-memory", given.guard_memory);
  reader.setFlag("no-bf16x6", given.no_bf16x6);
  reader.setFlag("unchecked-indices", given.unchecked_indices);
  reader.setFlag("strict", given.strict);
  reader.setAll("state", given.states, given.state_count);
  reader.setAll("shape", given.shapes, given.shape_count);
  reader.setAll("dim", given.dims, given.dim_count);
  reader.setAll("const", given.constants, given.constant_count);
  reader.read(given.arguments, given.argument_count);
  if (reader.wrong.empty())
    reader.wrong = reader.words.finish();
  options = std::move(reader.words.options);
  return reader.wrong;
}
