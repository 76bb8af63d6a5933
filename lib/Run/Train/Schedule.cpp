//===- Schedule.cpp - learning rates over steps ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/Train/Schedule.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

using namespace tenon;
using namespace tenon::run;

double Schedule::at(int64_t step, int64_t total) const {
  if (double(step) < warmup)
    return peak * double(step + 1) / warmup;
  double past = double(step) - warmup;
  if (kind == Kind::Constant)
    return peak;
  if (kind == Kind::Step)
    return peak * std::pow(factor, std::floor(past / every));
  double last = std::max(double(total) - 1 - warmup, 1.0);
  double part = std::min(past / last, 1.0);
  double left =
      kind == Kind::Linear ? 1 - part : (1 + std::cos(M_PI * part)) / 2;
  return end + (peak - end) * left;
}

static Error refuse(const std::string &why) {
  return Error{"--lr: " + why +
               "; a rate is as 1e-3, constant(1e-3), step(1e-3, every=1000, "
               "factor=0.1), linear(1e-3, end=0) or cosine(1e-3, warmup=100)"};
}

static std::string trim(const std::string &text) {
  size_t begin = text.find_first_not_of(' ');
  size_t end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

static bool parseNumber(const std::string &text, double &number) {
  char *end;
  number = std::strtod(text.c_str(), &end);
  return !text.empty() && !*end && std::isfinite(number) && number >= 0;
}

/// The words between commas.
static std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= text.size();) {
    size_t comma = std::min(text.find(',', at), text.size());
    words.push_back(trim(text.substr(at, comma - at)));
    at = comma + 1;
  }
  return words;
}

static double Schedule::*fieldOf(Schedule::Kind kind, const std::string &key) {
  using Kind = Schedule::Kind;
  if (key == "warmup")
    return &Schedule::warmup;
  if (key == "end" && (kind == Kind::Linear || kind == Kind::Cosine))
    return &Schedule::end;
  if (kind == Kind::Step && key == "every")
    return &Schedule::every;
  return kind == Kind::Step && key == "factor" ? &Schedule::factor : nullptr;
}

static Status takeWord(const std::string &word, Schedule &schedule) {
  size_t equals = word.find('=');
  double Schedule::*field = &Schedule::peak;
  if (equals != std::string::npos)
    field = fieldOf(schedule.kind, trim(word.substr(0, equals)));
  if (!field)
    return refuse("'" + word + "' is not known here");
  std::string value =
      equals == std::string::npos ? word : trim(word.substr(equals + 1));
  if (!parseNumber(value, schedule.*field))
    return refuse("'" + value + "' is no number from 0 on");
  return Done{};
}

static bool parseKind(const std::string &name, Schedule::Kind &kind) {
  static const char *const names[] = {"constant", "step", "linear", "cosine"};
  for (size_t i = 0; i < std::size(names); ++i)
    if (name == names[i]) {
      kind = Schedule::Kind(i);
      return true;
    }
  return false;
}

Result<Schedule> tenon::run::parseSchedule(const std::string &text) {
  Schedule schedule;
  std::string name = trim(text);
  if (parseNumber(name, schedule.peak))
    return schedule;
  size_t open = name.find('(');
  if (open == std::string::npos || name.back() != ')')
    return refuse("'" + text + "' is no rate");
  if (!parseKind(trim(name.substr(0, open)), schedule.kind))
    return refuse("there is no '" + name.substr(0, open) + "'");
  schedule.peak = -1;
  for (const std::string &word :
       split(name.substr(open + 1, name.size() - open - 2)))
    if (Status status = takeWord(word, schedule); !status)
      return status.error();
  if (schedule.peak < 0)
    return refuse("'" + text + "' says no rate");
  if (schedule.kind == Schedule::Kind::Step && schedule.every < 1)
    return refuse("'step' needs an every of 1 at least");
  return schedule;
}
