//===- Report.cpp - what tenon-run prints ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file prints reports as text and as JSON.
//===----------------------------------------------------------------------===//
#include "lib/Run/Report.h"

#include "lib/Run/Text.h"

using namespace tenon::run;

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

static std::string scratchText(const Facts &facts) {
  return facts.scratchBytes
             ? format("; scratch of %d threads: ", facts.threads) +
                   sizeText(facts.threads * facts.scratchBytes)
             : "";
}

/// The memory for intermediate results. Before a run a model with symbols has
/// none.
static std::string arenaText(const Facts &facts) {
  if (facts.isSymbolic)
    return "depends on the shapes of inputs" + scratchText(facts);
  return sizeText(facts.arenaBytes) + " (at least " +
         sizeText(facts.arenaLowerBoundBytes) + " live at once" +
         scratchText(facts) + ")";
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
  for (const std::string &state : facts.states)
    text += "state   " + state + "\n";
  for (const std::string &entry : facts.entries)
    text += "entry   " + entry + "\n";
  text += "model   " + facts.name + ", for " + facts.targetCpu + ", by " +
          facts.producer + "\n";
  text +=
      "arena   " + arenaText(facts) + (facts.isGuarded ? ", guarded\n" : "\n");
  text += "file    " + sizeText(facts.fileBytes) + ": weights " +
          sizeText(facts.weightsBytes) + ", code " + sizeText(facts.codeBytes) +
          "\n";
  text += format("code    %llu kernels, %llu launches\n",
                 (unsigned long long)facts.kernels,
                 (unsigned long long)facts.launches);
  return text + variantsText(facts.variants);
}

static std::string timingText(const Report &report) {
  const Timing &timing = *report.timing;
  return format("median %.4f ms   min %.4f ms   p99 %.4f ms   (%lld runs, %d "
                "threads, load %.2f ms, peak memory %s)\n",
                timing.median, timing.minimum, timing.p99,
                (long long)timing.runs, report.facts.threads,
                report.loadMilliseconds, sizeText(report.peakBytes).c_str());
}

static std::string differenceText(const Difference &difference) {
  std::string text = format(
      "%s: %s, largest error %.3g absolute, %.3g relative (scale %.3g)",
      difference.name.c_str(), difference.mismatches ? "DIFFERS" : "agrees",
      difference.maxAbs, difference.maxRel, difference.scale);
  if (difference.mismatches)
    text +=
        format("; %lld of %lld elements out of tolerance, first at %lld: ",
               (long long)difference.mismatches, (long long)difference.elements,
               (long long)difference.firstIndex) +
        (difference.firstStrings.empty()
             ? format("%.9g instead of %.9g", difference.firstGot,
                      difference.firstExpected)
             : difference.firstStrings);
  return text + "\n";
}

std::string tenon::run::reportText(const Report &report) {
  std::string text;
  if (report.profile)
    text += profileText(*report.profile, report.byLaunch);
  if (report.timing)
    text += timingText(report);
  if (report.timing && report.timing->deviceMedian > 0)
    text += format("device  median %.3f ms on '%s'\n",
                   report.timing->deviceMedian, report.facts.device.c_str());
  for (const Difference &difference : report.differences)
    text += differenceText(difference);
  for (const std::string &summary : report.summaries)
    text += summary + "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static std::string specJson(const TensorSpec &spec) {
  Object object;
  object.add("name", quote(spec.name))
      .add("type", quote(typeName(spec.type)))
      .add("shape",
           array(spec.shape, [](int64_t dim) { return std::to_string(dim); }));
  if (spec.kind != TENON_VALUE_TENSOR)
    object.add("kind", quote(spec.kind == TENON_VALUE_OPTIONAL_SEQUENCE
                                 ? "optional sequence"
                                 : kindName(spec.kind)));
  if (spec.isOpen())
    object.add("dims", array(spec.dimNames, quote));
  return object.str();
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

static void addProfile(Object &object, const Profile &profile) {
  object.add("roof", roofJson(profile.roof))
      .add("profile", array(profile.launches, [&](const ProfileRow &row) {
             return launchJson(profile, row);
           }));
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
  object.add("device", quote(facts.device));
  if (report.timing)
    object.add("median_ms", number(report.timing->median))
        .add("min_ms", number(report.timing->minimum))
        .add("p99_ms", number(report.timing->p99))
        .add("mean_ms", number(report.timing->mean))
        .add("device_ms", number(report.timing->deviceMedian))
        .add("runs", uint64_t(report.timing->runs));
  object.add("threads", uint64_t(facts.threads))
      .add("load_ms", number(report.loadMilliseconds))
      .add("arena_bytes", facts.arenaBytes)
      .add("scratch_bytes", facts.scratchBytes)
      .add("arena_lower_bound_bytes", facts.arenaLowerBoundBytes)
      .add("weights_bytes", facts.weightsBytes)
      .add("code_bytes", facts.codeBytes)
      .add("artifact_bytes", facts.fileBytes)
      .add("kernels", facts.kernels)
      .add("launches", facts.launches)
      .add("variants", array(facts.variants, variantJson))
      .add("peak_rss_bytes", report.peakBytes)
      .add("inputs", array(report.inputs, specJson))
      .add("outputs", array(report.outputs, specJson));
  if (report.profile)
    addProfile(object, *report.profile);
  if (!report.differences.empty())
    object.add("expected", array(report.differences, differenceJson));
  return object.str() + "\n";
}
