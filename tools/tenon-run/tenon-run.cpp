//===- tenon-run.cpp - run compiled models --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the program for artifacts. It links no LLVM; for --interpret it
// becomes tenon-interpret, the same program over the reference interpreter.
//===----------------------------------------------------------------------===//
#include "lib/Run/Driver.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace tenon::run;

/// The path of tenon-interpret: beside this program; without /proc any.
static std::string interpreterPath() {
  char path[PATH_MAX];
  ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  std::string self(path, size > 0 ? size : 0);
  return self.substr(0, self.rfind('/') + 1) + "tenon-interpret";
}

/// Returns only when it fails.
static int becomeInterpreter(char **argv) {
  std::string path = interpreterPath();
  execvp(path.c_str(), argv);
  fprintf(stderr,
          "tenon-run: error: cannot start '%s', which --interpret "
          "needs: %s\n",
          path.c_str(), strerror(errno));
  return 1;
}

int main(int argc, char **argv) {
  auto isInterpret = [](const char *argument) {
    return !strcmp(argument, "--interpret") || !strcmp(argument, "-interpret");
  };
  if (std::any_of(argv + 1, argv + argc, isInterpret))
    return becomeInterpreter(argv);
  return runMain(argc, argv, openArtifact);
}
