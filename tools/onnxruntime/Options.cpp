//===- Options.cpp - what a session asks of its provider ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/onnxruntime/Options.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

using namespace tenon::ort;

/// Where tenon-compile has its kernels.
static std::string defaultCache() {
  if (const char *folder = std::getenv("TENON_KERNEL_CACHE"))
    return folder;
  for (auto [variable, rest] : {std::pair("TENON_CACHE", "/kernels"),
                                std::pair("XDG_CACHE_HOME", "/tenon/kernels"),
                                std::pair("HOME", "/.cache/tenon/kernels")})
    if (const char *folder = std::getenv(variable); folder && *folder)
      return std::string(folder) + rest;
  return "";
}

static bool readCount(const std::string &text, int32_t &count) {
  char *end = nullptr;
  long value = std::strtol(text.c_str(), &end, 10);
  count = int32_t(value);
  return !text.empty() && !*end && value >= 0 && value <= 1024;
}

static bool readFlag(const std::string &text, bool &flag) {
  flag = text == "1";
  return flag || text == "0";
}

bool Options::set(const std::string &key, const std::string &value) {
  if (key == "threads")
    return readCount(value, threads);
  if (key == "isolate")
    return readFlag(value, isolate);
  if (key == "mcpu")
    cpu = value;
  else if (key == "kernel_cache")
    cache = value;
  else if (key == "arguments") {
    std::istringstream stream(value);
    for (std::string word; stream >> word;)
      words.push_back(word);
  } else
    return false;
  return true;
}

/// ONNX Runtime writes "ep.", the name in small letters, and a dot in front.
static std::string prefix() {
  std::string name = std::string("ep.") + providerName + ".";
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return std::tolower(letter); });
  return name;
}

OrtStatus *Options::read(const Api &api, const OrtSessionOptions *session) {
  OrtKeyValuePairs *pairs = nullptr;
  if (OrtStatus *status = api.GetSessionOptionsConfigEntries(session, &pairs))
    return status;
  cache = defaultCache();
  const char *const *keys, *const *values;
  size_t count = 0;
  api.GetKeyValuePairs(pairs, &keys, &values, &count);
  std::string ours = prefix(), wrong;
  for (size_t each = 0; each < count; ++each) {
    std::string key = keys[each];
    if (key == "ep.context_enable")
      writesContext = std::string(values[each]) == "1";
    if (key.rfind(ours, 0) != 0)
      continue;
    key = key.substr(ours.size());
    if (!set(key, values[each]))
      wrong = "option '" + key + "' cannot be '" + values[each] + "'";
  }
  api.ReleaseKeyValuePairs(pairs);
  for (const std::string &word : words)
    pointers.push_back(word.c_str());
  if (wrong.empty())
    return nullptr;
  return api.fail(wrong + "; there are threads=N, mcpu=NAME, isolate=0 or 1, "
                          "kernel_cache=FOLDER, arguments=WORDS",
                  invalidArgument);
}

tenon_compile_options Options::compileOptions() const {
  tenon_compile_options options = TENON_INIT(tenon_compile_options);
  options.cpu = cpu.empty() ? nullptr : cpu.c_str();
  options.kernel_cache = cache.empty() ? nullptr : cache.c_str();
  options.isolate = isolate;
  options.arguments = pointers.data();
  options.argument_count = pointers.size();
  return options;
}
