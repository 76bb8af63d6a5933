//===- MeasuredTimes.cpp - what plans took on a GPU -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Cost/MeasuredTimes.h"

#include "lib/Support/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace tenon::cost;
using llvm::StringRef;

/// Of the file; another one is another meaning of works or plans.
static constexpr int64_t formatVersion = 1;

static llvm::Error wrong(StringRef path, const llvm::Twine &what) {
  return llvm::createStringError("'" + path + "' is no file of times: " + what);
}

llvm::Expected<MeasuredTimes> MeasuredTimes::read(StringRef path) {
  MeasuredTimes result;
  if (!llvm::sys::fs::exists(path))
    return result;
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return llvm::createStringError("'" + path +
                                   "': " + text.getError().message());
  auto json = llvm::json::parse((*text)->getBuffer());
  if (!json)
    return wrong(path, llvm::toString(json.takeError()));
  const llvm::json::Object *root = json->getAsObject();
  if (!root || root->getInteger("version") != formatVersion)
    return wrong(path, "its version is not 1");
  const llvm::json::Object *works = root->getObject("microseconds");
  if (!works)
    return wrong(path, "it has no 'microseconds'");
  for (const auto &[work, plans] : *works) {
    const llvm::json::Object *list = plans.getAsObject();
    if (!list)
      return wrong(path, "'" + StringRef(work) + "' has no plans");
    for (const auto &[plan, time] : *list) {
      std::optional<double> number = time.getAsNumber();
      if (!number || !(*number > 0) || !std::isfinite(*number))
        return wrong(path, "'" + StringRef(plan) + "' has no time");
      result.add(work, plan, *number);
    }
  }
  return result;
}

llvm::Error MeasuredTimes::write(StringRef path) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("version", formatVersion);
    json.attributeObject("microseconds", [&] {
      for (const auto &[work, plans] : times)
        json.attributeObject(work, [&] {
          for (const auto &[plan, time] : plans)
            json.attribute(plan, time);
        });
    });
  });
  stream << '\n';
  return replaceFile(path, text);
}

std::optional<double> MeasuredTimes::find(StringRef work,
                                          StringRef plan) const {
  auto plans = times.find(work.str());
  if (plans == times.end())
    return std::nullopt;
  auto time = plans->second.find(plan.str());
  return time == plans->second.end() ? std::nullopt
                                     : std::optional(time->second);
}

void MeasuredTimes::add(StringRef work, StringRef plan, double microseconds) {
  auto [entry, isNew] = times[work.str()].try_emplace(plan.str(), microseconds);
  if (!isNew)
    entry->second = std::min(entry->second, microseconds);
}

size_t MeasuredTimes::size() const {
  size_t count = 0;
  for (const auto &[work, plans] : times)
    count += plans.size();
  return count;
}
