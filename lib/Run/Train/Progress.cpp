//===- Progress.cpp - how a run goes --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/Train/Progress.h"

#include "lib/Run/Measure.h"

#include <cstdio>
#include <unistd.h>

using namespace tenon;
using namespace tenon::run;

Progress::Progress(int64_t total, int64_t samplesPerStep)
    : total(total), samples(samplesPerStep), isTerminal(isatty(fileno(stderr))),
      begin(now()), latest(begin) {}

Progress::~Progress() {
  if (isOpen)
    fputc('\n', stderr);
}

void Progress::show(int64_t step, double loss, double rate, int64_t skipped) {
  ++steps;
  double time = now(), pause = isTerminal ? 100 : 10000;
  if (time - latest < pause)
    return;
  latest = time;
  double perSecond = double(steps * samples) / (time - begin) * 1000;
  std::string lost = skipped ? std::to_string(skipped) + " skipped  " : "";
  fprintf(stderr,
          "%sstep %lld/%lld  loss %.4g  rate %.3g  %.0f samples/s  %s%s",
          isTerminal ? "\r" : "", (long long)step, (long long)total, loss, rate,
          perSecond, lost.c_str(), isTerminal ? "" : "\n");
  isOpen = isTerminal;
}
