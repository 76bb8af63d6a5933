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
/// Writes options as words until one is missing.
class Writer {
public:
  std::vector<std::string> words;
  std::string wrong;

  void set(llvm::StringRef name, const char *value) {
    if (value)
      words.push_back(("--" + name + "=" + value).str());
  }

  void setFlag(llvm::StringRef name, bool isSet) {
    if (isSet)
      words.push_back(("--" + name).str());
  }

  void setAll(llvm::StringRef name, const char *const *values, size_t count) {
    for (const char *value : list(values, count))
      set(name, value);
  }

  void add(const char *const *arguments, size_t count) {
    llvm::append_range(words, list(arguments, count));
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

std::vector<std::string> capi::optionWords(const tenon_compile_options &given,
                                           std::string &wrong) {
  Writer writer;
  writer.set("emit", emitName(given.emit));
  writer.set("mcpu", given.cpu);
  writer.set("mtriple", given.triple);
  writer.set("device", given.device);
  writer.set("precision", given.precision);
  writer.set("kernel-cache", given.kernel_cache);
  writer.set("fusion", given.fusion);
  writer.set("winograd", given.winograd);
  writer.set("weights", given.weights);
  writer.setFlag("guard-memory", given.guard_memory);
  writer.setFlag("no-bf16x6", given.no_bf16x6);
  writer.setFlag("unchecked-indices", given.unchecked_indices);
  writer.setFlag("strict", given.strict);
  writer.setAll("state", given.states, given.state_count);
  writer.setAll("shape", given.shapes, given.shape_count);
  writer.setAll("dim", given.dims, given.dim_count);
  writer.setAll("const", given.constants, given.constant_count);
  writer.add(given.arguments, given.argument_count);
  wrong = writer.wrong;
  return writer.words;
}

std::string capi::readOptions(const tenon_compile_options &given,
                              CompileOptions &options) {
  OptionWords reader;
  reader.options.jobs = given.jobs;
  if (given.kernel_cache_bytes)
    reader.options.kernelCacheBytes = given.kernel_cache_bytes;
  std::string wrong;
  std::vector<std::string> words = optionWords(given, wrong);
  if (wrong.empty())
    wrong =
        reader.read(std::vector<llvm::StringRef>(words.begin(), words.end()));
  if (wrong.empty())
    wrong = reader.finish();
  options = std::move(reader.options);
  return wrong;
}
