//===- run.c - run an artifact --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "use.h"

int main(int argc, char **argv) {
  tenon_model *model = NULL;
  if (argc != 2 || failed(tenon_model_load_file(argv[1], NULL, &model)))
    return 1;
  return use(model);
}
