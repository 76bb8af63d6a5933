//===- MakeArtifact.cpp - write the hand-made artifact --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file writes y = (x + w) + x to the path it is given, for tests of the
// run time and of tenon-run that need no compiler.
//===----------------------------------------------------------------------===//
#include "test/unit/ArtifactTestModel.h"

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  auto sizes = tenon::artifact::writeArtifact(tenon::test::makeDesc(), argv[1]);
  if (sizes)
    return 0;
  llvm::errs() << llvm::toString(sizes.takeError()) << "\n";
  return 1;
}
