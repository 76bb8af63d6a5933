//===- ReportSlices.cpp - what runs slice by slice ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/ReportSlices.h"

#include "llvm/Support/Format.h"

using namespace tenon;

static std::string nodesText(const kernel::SlicedRange &range) {
  return range.first == range.last ? range.first
                                   : range.first + " ... " + range.last;
}

static void printPrices(llvm::raw_ostream &stream,
                        const kernel::Predicted &sliced,
                        const kernel::Predicted &whole) {
  stream << llvm::format(
      "  predicted: %.1f us with slices, %.1f without; %lld bytes in use, "
      "%lld without\n",
      double(sliced.nanoseconds) / 1e3, double(whole.nanoseconds) / 1e3,
      (long long)sliced.bytes, (long long)whole.bytes);
}

void tenon::printSlices(llvm::raw_ostream &stream,
                        const kernel::SliceFacts &slices) {
  stream << llvm::format("\n  slices of the batch of %lld\n",
                         (long long)slices.images);
  for (const kernel::SlicedRange &range : slices.ranges)
    stream << llvm::format("  %5lld of %lld: %lld operations, ",
                           (long long)range.slices, (long long)range.images,
                           (long long)range.operations)
           << nodesText(range) << '\n';
  if (slices.sliced && slices.whole)
    printPrices(stream, *slices.sliced, *slices.whole);
}

static llvm::json::Object priceJson(const kernel::Predicted &price) {
  return llvm::json::Object{{"nanoseconds", price.nanoseconds},
                            {"peak_bytes", price.bytes}};
}

llvm::json::Object tenon::slicesJson(const kernel::SliceFacts &slices) {
  llvm::json::Array ranges;
  for (const kernel::SlicedRange &range : slices.ranges)
    ranges.push_back(llvm::json::Object{{"first", range.first},
                                        {"last", range.last},
                                        {"operations", range.operations},
                                        {"slices", range.slices},
                                        {"images", range.images}});
  llvm::json::Object object{{"images", slices.images},
                            {"ranges", std::move(ranges)}};
  if (slices.sliced && slices.whole) {
    object["predicted"] = priceJson(*slices.sliced);
    object["predicted_whole"] = priceJson(*slices.whole);
  }
  return object;
}
