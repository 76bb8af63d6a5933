//===- deploy.c - a model that is part of the program ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "use.h"

#include "net.h"

int main(void) {
  tenon_model *model = NULL;
  return failed(tenon_model_load_static(&net_model, &model)) || use(model);
}
