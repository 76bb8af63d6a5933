//===- Report.cpp - what tenon-run prints ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file prints reports as text and as JSON.
//===----------------------------------------------------------------------===//
#include "lib/Run/Report.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

using namespace tenon::run;

__attribute__((format(printf, 1, 2))) static std::string
format(const char *pattern, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, pattern);
  vsnprintf(line, sizeof line, pattern, arguments);
  va_end(arguments);
  return line;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string sizeText(uint64_t bytes) {
  if (bytes < 10000)
    return std::to_string(bytes) + " B";
  if (bytes < 10000000)
    return format("%.1f KiB", bytes / 1024.0);
  return format("%.1f MiB", bytes / 1048576.0);
}

/// Nothing where there is no choice.
static std::string variantsText(const std::vector<Variant> &variants) {
  std::string text;
  for (const Variant &variant : variants)
    if (variants.size() > 1)
      text += "variant " + variant.cpu + ", code " +
              sizeText(variant.codeBytes) +
              (variant.isLoaded      ? ", loaded\n"
               : variant.isSupported ? ", supported\n"
                                     : ", not supported here\n");
  return text;
}

std::string tenon::run::signatureText(const Report &report) {
  std::string text;
  for (const TensorSpec &spec : report.inputs)
    text += "input   " + spec.name + ": " + spec.str() + "\n";
  for (const TensorSpec &spec : report.outputs)
    text += "output  " + spec.name + ": " + spec.str() + "\n";
  const Facts &facts = report.facts;
  if (!facts.fileBytes)
    return text;
  text += "model   " + facts.name + ", for " + facts.targetCpu + ", by " +
          facts.producer + "\n";
  text += "arena   " + sizeText(facts.arenaBytes) + " (at least " +
          sizeText(facts.arenaLowerBoundBytes) + " live at once)" +
          (facts.isGuarded ? ", guarded\n" : "\n");
  text += "file    " + sizeText(facts.fileBytes) + ": weights " +
          sizeText(facts.weightsBytes) + ", code " + sizeText(facts.codeBytes) +
          "\n";
  text += format("code    %llu kernels, %llu launches\n",
                 (unsigned long long)facts.kernels,
                 (unsigned long long)facts.launches);
  return text + variantsText(facts.variants);
}

static std::string join(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : " ") + name;
  return text;
}

static double rate(int64_t amount, const ProfileRow &row) {
  if (!row.nanoseconds)
    return 0;
  return double(amount) * double(row.calls) / double(row.nanoseconds);
}

static std::string profileText(const std::vector<ProfileRow> &rows) {
  int64_t total = 0;
  for (const ProfileRow &row : rows)
    total += row.nanoseconds;
  // Launches of equal time stay in program order.
  std::vector<const ProfileRow *> order;
  for (const ProfileRow &row : rows)
    order.push_back(&row);
  std::sort(order.begin(), order.end(),
            [](const ProfileRow *a, const ProfileRow *b) {
              return a->nanoseconds != b->nanoseconds
                         ? a->nanoseconds > b->nanoseconds
                         : a < b;
            });
  std::string text =
      "      us     %   GFLOP/s    GB/s   tiles  kernel  [nodes]\n";
  for (const ProfileRow *pointer : order) {
    const ProfileRow &row = *pointer;
    std::string nodes = join(row.nodes);
    if (nodes.size() > 120)
      nodes = nodes.substr(0, 117) + "...";
    text += format(
        "%8.1f %5.1f %9.2f %7.2f %7lld  %s  [%s]\n",
        double(row.nanoseconds) / 1e3 / double(std::max<int64_t>(row.calls, 1)),
        100.0 * double(row.nanoseconds) / double(std::max<int64_t>(total, 1)),
        rate(row.flops, row), rate(row.bytes, row), (long long)row.tiles,
        row.kernel.c_str(), nodes.c_str());
  }
  return text;
}

static std::string timingText(const Report &report) {
  const Timing &timing = *report.timing;
  return format("median %.4f ms   min %.4f ms   p99 %.4f ms   (%lld runs, %d "
                "threads, load %.2f ms, peak memory %s)\n",
                timing.median, timing.minimum, timing.p99,
                (long long)timing.runs, report.facts.threads,
                report.loadMilliseconds, sizeText(peakMemory()).c_str());
}

static std::string differenceText(const Difference &difference) {
  std::string text = format(
      "%s: %s, largest error %.3g absolute, %.3g relative (scale %.3g)",
      difference.name.c_str(), difference.mismatches ? "DIFFERS" : "agrees",
      difference.maxAbs, difference.maxRel, difference.scale);
  if (difference.mismatches)
    text +=
        format("; %lld of %lld elements out of tolerance, first at %lld: "
               "%.9g instead of %.9g",
               (long long)difference.mismatches, (long long)difference.elements,
               (long long)difference.firstIndex, difference.firstGot,
               difference.firstExpected);
  return text + "\n";
}

std::string tenon::run::reportText(const Report &report) {
  std::string text;
  if (!report.profile.empty())
    text += profileText(report.profile);
  if (report.timing)
    text += timingText(report);
  for (const Difference &difference : report.differences)
    text += differenceText(difference);
  for (const std::string &summary : report.summaries)
    text += summary + "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static std::string quote(const std::string &text) {
  std::string quoted = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      quoted += std::string("\\") + char(c);
    else if (c < 32)
      quoted += format("\\u%04x", c);
    else
      quoted += char(c);
  }
  return quoted + "\"";
}

/// JSON has no infinities and no NaN.
static std::string number(double value) {
  return std::isfinite(value) ? format("%.9g", value) : "null";
}

namespace {
/// Builds `{"key": value, ...}`.
struct Object {
  std::string text;

  Object &add(const char *key, const std::string &value) {
    text += (text.empty() ? "" : ", ") + quote(key) + ": " + value;
    return *this;
  }
  Object &add(const char *key, uint64_t value) {
    return add(key, std::to_string(value));
  }
  std::string str() const { return "{" + text + "}"; }
};
} // namespace

template <typename T, typename F>
static std::string array(const std::vector<T> &items, F print) {
  std::string text;
  for (const T &item : items)
    text += (text.empty() ? "" : ", ") + print(item);
  return "[" + text + "]";
}

static std::string specJson(const TensorSpec &spec) {
  return Object()
      .add("name", quote(spec.name))
      .add("type", quote(typeName(spec.type)))
      .add("shape",
           array(spec.shape, [](int64_t dim) { return std::to_string(dim); }))
      .str();
}

static std::string rowJson(const ProfileRow &row) {
  double calls = double(std::max<int64_t>(row.calls, 1));
  return Object()
      .add("kernel", quote(row.kernel))
      .add("nodes", array(row.nodes, quote))
      .add("us", number(double(row.nanoseconds) / 1e3 / calls))
      .add("tiles", uint64_t(row.tiles))
      .add("flops", uint64_t(row.flops))
      .add("bytes", uint64_t(row.bytes))
      .add("gflops", number(rate(row.flops, row)))
      .add("gbytes", number(rate(row.bytes, row)))
      .str();
}

static std::string differenceJson(const Difference &difference) {
  return Object()
      .add("name", quote(difference.name))
      .add("agrees", difference.mismatches ? "false" : "true")
      .add("max_abs", number(difference.maxAbs))
      .add("max_rel", number(difference.maxRel))
      .add("scale", number(difference.scale))
      .add("mismatches", uint64_t(difference.mismatches))
      .add("elements", uint64_t(difference.elements))
      .str();
}

static std::string variantJson(const Variant &variant) {
  return Object()
      .add("name", quote(variant.cpu))
      .add("supported", variant.isSupported ? "true" : "false")
      .add("loaded", variant.isLoaded ? "true" : "false")
      .add("code_bytes", variant.codeBytes)
      .str();
}

std::string tenon::run::reportJson(const Report &report) {
  const Facts &facts = report.facts;
  Object object;
  object.add("model", quote(facts.name)).add("target", quote(facts.targetCpu));
  if (report.timing)
    object.add("median_ms", number(report.timing->median))
        .add("min_ms", number(report.timing->minimum))
        .add("p99_ms", number(report.timing->p99))
        .add("mean_ms", number(report.timing->mean))
        .add("runs", uint64_t(report.timing->runs));
  object.add("threads", uint64_t(facts.threads))
      .add("load_ms", number(report.loadMilliseconds))
      .add("arena_bytes", facts.arenaBytes)
      .add("arena_lower_bound_bytes", facts.arenaLowerBoundBytes)
      .add("weights_bytes", facts.weightsBytes)
      .add("code_bytes", facts.codeBytes)
      .add("artifact_bytes", facts.fileBytes)
      .add("kernels", facts.kernels)
      .add("launches", facts.launches)
      .add("variants", array(facts.variants, variantJson))
      .add("peak_rss_bytes", peakMemory())
      .add("inputs", array(report.inputs, specJson))
      .add("outputs", array(report.outputs, specJson));
  if (!report.profile.empty())
    object.add("profile", array(report.profile, rowJson));
  if (!report.differences.empty())
    object.add("expected", array(report.differences, differenceJson));
  return object.str() + "\n";
}
