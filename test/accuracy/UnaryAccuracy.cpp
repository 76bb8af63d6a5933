//===- UnaryAccuracy.cpp - element-wise functions against libm ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs an artifact over bit patterns of f32 and holds each output
// against the function of its name in Functions.cpp:
//
//   unary-accuracy --model exp,log > m.onnxtxt     (no names: all functions)
//   tenon-compile m.onnxtxt -o m.tenon
//   unary-accuracy m.tenon --every 4096 --threads 2
//
// --domain X bounds the arguments of functions that have a bounded domain
// further: without fused multiplication it is smaller. One line per function;
// the status is 1 if one breaks its bound.
//===----------------------------------------------------------------------===//
#include "tenon-c/Runtime.h"
#include "test/accuracy/Functions.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace tenon::test;

namespace {

/// Patterns that go through the model at once.
constexpr uint32_t chunkSize = 1 << 18;

float fromBits(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

//===-- Errors ------------------------------------------------------------===//

double ulpOf(double magnitude) {
  int exponent = std::clamp(std::ilogb(magnitude), -126, 127);
  return std::ldexp(1.0, exponent - 23);
}

double errorOf(double got, double exact, double scale) {
  constexpr double end = 0x1p128;
  exact = std::clamp(exact, -end, end);
  double error = std::fabs(std::clamp(got, -end, end) - exact);
  return error == 0 ? 0 : error / ulpOf(std::max(std::fabs(exact), scale));
}

/// What no rounding excuses: NaN, infinity, or the sign.
bool isFault(const Function &f, double got, double exact) {
  if (std::isnan(got) || std::isnan(exact))
    return std::isnan(got) != std::isnan(exact);
  if (std::isinf(exact) && got != exact)
    return true;
  bool hasSign = f.scale == 0 || exact == 0;
  return hasSign && std::signbit(got) != std::signbit(exact);
}

/// An argument; of two that are as bad, the one with the smaller pattern.
struct Worst {
  double error = -1;
  uint32_t x = 0;

  void take(double e, uint32_t pattern) {
    if (e > error || (e == error && pattern < x)) {
      error = e;
      x = pattern;
    }
  }
};

struct Finding {
  Worst worst;
  Worst fault; ///< its error is 0 if there is one
  uint64_t faults = 0;

  void add(const Finding &other) {
    worst.take(other.worst.error, other.worst.x);
    if (other.faults)
      fault.take(0, other.fault.x);
    faults += other.faults;
  }
};

void compare(const Function &f, double domain, uint32_t pattern, float got,
             Finding &finding) {
  double x = fromBits(pattern), exact = f.exact(x);
  // What is rounded correctly is no worse than what was found before.
  if (got == float(exact) && got != 0 && finding.worst.error >= 0.5)
    return;
  bool isOutside = std::isfinite(x) && std::fabs(x) > domain;
  if (isOutside ? !std::isfinite(got) : isFault(f, got, exact)) {
    finding.fault.take(0, pattern);
    ++finding.faults;
  } else if (!isOutside && !std::isnan(exact)) {
    finding.worst.take(errorOf(got, exact, f.scale), pattern);
  }
}

//===-- Patterns ----------------------------------------------------------===//

/// The ends of each binade, zeros, infinities and NaNs among them.
std::vector<uint32_t> specialPatterns() {
  std::vector<uint32_t> patterns;
  for (uint32_t half = 0; half < 1024; ++half)
    for (uint32_t offset = 0; offset < 7; ++offset)
      patterns.push_back((half << 22) + offset - 3);
  return patterns;
}

/// Chunk 0 holds the special patterns; the others one of each `every` patterns,
/// at a place that depends on its number alone.
class Patterns {
public:
  explicit Patterns(uint64_t every) : every(every), special(specialPatterns()) {
    count = ((uint64_t(1) << 32) + every - 1) / every;
  }

  uint64_t chunks() const { return 1 + (count + chunkSize - 1) / chunkSize; }

  uint32_t at(uint64_t chunk, uint32_t i) const {
    if (chunk == 0)
      return special[i % special.size()];
    uint64_t number = std::min((chunk - 1) * chunkSize + i, count - 1);
    uint64_t spread = (number * 0x9E3779B97F4A7C15) >> 33;
    return uint32_t(number * every + spread % every);
  }

private:
  uint64_t every, count;
  std::vector<uint32_t> special;
};

//===-- The model ---------------------------------------------------------===//

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  std::exit(2);
}

void check(tenon_status *status) {
  if (status)
    fail(tenon_status_message(status));
}

struct Model {
  tenon_model *model = nullptr;
  tenon_tensor_info input = TENON_INIT(tenon_tensor_info);
  std::vector<tenon_tensor_info> outputs;
  std::vector<const Function *> functions;
  std::vector<double> domains;
};

void requireShape(const tenon_tensor_info &info) {
  if (info.dtype.code != TENON_FLOAT || info.dtype.bits != 32 ||
      info.byte_size != chunkSize * sizeof(float))
    fail(std::string("'") + info.name + "' is not made by --model");
}

/// Finite domains are cut at `domain`.
Model load(const char *path, double domain) {
  Model result;
  check(tenon_model_load_file(path, nullptr, &result.model));
  check(tenon_model_input(result.model, 0, &result.input));
  requireShape(result.input);
  size_t count = tenon_model_output_count(result.model);
  result.outputs.resize(count, TENON_INIT(tenon_tensor_info));
  for (size_t i = 0; i < count; ++i) {
    tenon_tensor_info &info = result.outputs[i];
    check(tenon_model_output(result.model, i, &info));
    requireShape(info);
    result.functions.push_back(findFunction(info.name));
    if (!result.functions.back())
      fail(std::string("there is no function '") + info.name + "'");
    double whole = result.functions.back()->domain;
    result.domains.push_back(std::isinf(whole) ? whole
                                               : std::min(whole, domain));
  }
  return result;
}

/// Takes chunks until none is left.
std::vector<Finding> work(const Model &model, const Patterns &patterns,
                          std::atomic<uint64_t> &next) {
  tenon_context_options options = TENON_INIT(tenon_context_options);
  tenon_context *context = nullptr;
  options.threads = 1;
  check(tenon_context_create(model.model, &options, &context));
  size_t count = model.outputs.size();
  std::vector<uint32_t> x(chunkSize);
  std::vector<std::vector<float>> y(count, std::vector<float>(chunkSize));
  tenon_tensor input = tenon_tensor_over(&model.input, x.data());
  std::vector<tenon_tensor> outputs;
  for (size_t f = 0; f < count; ++f)
    outputs.push_back(tenon_tensor_over(&model.outputs[f], y[f].data()));
  std::vector<Finding> findings(count);
  for (uint64_t chunk; (chunk = next++) < patterns.chunks();) {
    for (uint32_t i = 0; i < chunkSize; ++i)
      x[i] = patterns.at(chunk, i);
    check(tenon_run(context, &input, 1, outputs.data(), count));
    for (size_t f = 0; f < count; ++f)
      for (uint32_t i = 0; i < chunkSize; ++i)
        compare(*model.functions[f], model.domains[f], x[i], y[f][i],
                findings[f]);
  }
  tenon_context_destroy(context);
  return findings;
}

std::vector<Finding> workAll(const Model &model, const Patterns &patterns,
                             unsigned threads) {
  std::atomic<uint64_t> next = 0;
  std::vector<std::vector<Finding>> parts(threads);
  std::vector<std::thread> workers;
  for (std::vector<Finding> &part : parts)
    workers.emplace_back([&] { part = work(model, patterns, next); });
  for (std::thread &worker : workers)
    worker.join();
  for (unsigned i = 1; i < threads; ++i)
    for (size_t f = 0; f < parts[i].size(); ++f)
      parts[0][f].add(parts[i][f]);
  return parts[0];
}

//===-- Commands ----------------------------------------------------------===//

bool report(const Function &f, const Finding &finding) {
  bool isGood = finding.faults == 0 && finding.worst.error <= f.bound;
  std::printf("%-10s %.4g ULP at %a, bound %g", f.name, finding.worst.error,
              double(fromBits(finding.worst.x)), f.bound);
  if (finding.faults)
    std::printf(", %llu faults, first at %a (0x%08x)",
                static_cast<unsigned long long>(finding.faults),
                double(fromBits(finding.fault.x)), finding.fault.x);
  std::printf(": %s\n", isGood ? "ok" : "FAILED");
  std::fflush(stdout); // a row may have taken minutes
  return isGood;
}

/// The nodes of one function, with its name in place of '@'.
std::string nodesOf(const Function &f) {
  std::string text;
  for (const char *c = f.nodes; *c; ++c)
    *c == '@' ? text += f.name : text += *c;
  return text;
}

std::vector<const Function *> chosen(const std::string &names) {
  std::vector<const Function *> result;
  if (names.empty())
    for (const Function &f : functions())
      result.push_back(&f);
  for (size_t begin = 0; begin < names.size();) {
    size_t end = std::min(names.find(',', begin), names.size());
    std::string name = names.substr(begin, end - begin);
    result.push_back(findFunction(name));
    if (!result.back())
      fail("there is no function '" + name + "'");
    begin = end + 1;
  }
  return result;
}

int printModel(const std::string &names) {
  std::string outputs, nodes;
  std::string type = "float[" + std::to_string(chunkSize) + "] ";
  for (const Function *f : chosen(names)) {
    outputs += (outputs.empty() ? "" : ", ") + type + f->name;
    nodes += "  " + nodesOf(*f) + "\n";
  }
  std::printf("<ir_version: 10, opset_import: [\"\" : 22]>\n"
              "functions (%sx) => (%s) {\n%s}\n",
              type.c_str(), outputs.c_str(), nodes.c_str());
  return 0;
}

struct Options {
  uint64_t every = 1;
  unsigned long threads = 1;
  double domain = INFINITY;
};

bool parse(int argc, char **argv, Options &options) {
  for (int i = 2; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (std::strcmp(argv[i], "--every") == 0)
      options.every = std::strtoull(value, nullptr, 10);
    else if (std::strcmp(argv[i], "--threads") == 0)
      options.threads = std::strtoul(value, nullptr, 10);
    else if (std::strcmp(argv[i], "--domain") == 0)
      options.domain = std::strtod(value, nullptr);
    else
      return false;
  }
  return argc >= 2 && options.every >= 1 && options.threads >= 1 &&
         options.threads <= 1024 && options.domain > 0;
}

int measure(const char *path, const Options &options) {
  Model model = load(path, options.domain);
  std::vector<Finding> findings =
      workAll(model, Patterns(options.every), unsigned(options.threads));
  bool isGood = true;
  for (size_t f = 0; f < findings.size(); ++f)
    isGood &= report(*model.functions[f], findings[f]);
  tenon_model_destroy(model.model);
  return isGood ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  if (argc >= 2 && argc <= 3 && std::strcmp(argv[1], "--model") == 0)
    return printModel(argc == 3 ? argv[2] : "");
  Options options;
  if (!parse(argc, argv, options))
    fail("usage: unary-accuracy --model [NAME,...]\n"
         "       unary-accuracy ARTIFACT [--every N] [--threads N]"
         " [--domain X]");
  return measure(argv[1], options);
}
