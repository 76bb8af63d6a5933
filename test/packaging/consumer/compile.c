//===- compile.c - compile a model and run it, without a file -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "use.h"

#include "tenon-c/Compiler.h"

int main(int argc, char **argv) {
  tenon_source source = TENON_INIT(tenon_source);
  tenon_sink sink = TENON_INIT(tenon_sink);
  tenon_model *model = NULL;
  source.path = argc == 2 ? argv[1] : NULL;
  if (failed(tenon_compile(&source, &sink, NULL, NULL)) ||
      failed(tenon_model_load_memory(sink.data, sink.size, NULL, &model)))
    return 1;
  int wrong = use(model);
  tenon_sink_release(&sink);
  return wrong;
}
