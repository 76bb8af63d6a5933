//===- Compiler.h - compile models from C -------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the compiler's whole C API. The artifact it writes is loaded
// with Runtime.h, in this process or another.
//
//   tenon_compile_options options = TENON_INIT(tenon_compile_options);
//   const char *shapes[] = {"x=1x3x224x224"};
//   options.shapes = shapes;
//   options.shape_count = 1;
//   tenon_compile_report report = TENON_INIT(tenon_compile_report);
//   tenon_status *status =
//       tenon_compile_file("m.onnx", "m.tenon", &options, &report);
//
// tenon_compile does the same from and to memory; tenon_check says of each node
// whether it can be compiled. Importing a model runs nothing of it and reads
// nothing outside its folder.
//===----------------------------------------------------------------------===//
#ifndef TENON_C_COMPILER_H
#define TENON_C_COMPILER_H

#include "tenon-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is written. Since 0.1.
typedef enum tenon_emit_kind {
  /// One file for the run time.
  TENON_EMIT_ARTIFACT = 0,
  /// An object file, and a header beside it, for static linking.
  TENON_EMIT_OBJECT = 1,
  /// The kernels as assembly.
  TENON_EMIT_ASSEMBLY = 2
} tenon_emit_kind;

typedef enum tenon_severity {
  TENON_NOTE = 0,
  TENON_WARNING = 1,
  TENON_ERROR = 2
} tenon_severity;

/// What the compiler has to say. Texts live for the call.
typedef struct tenon_diagnostic {
  size_t struct_size;
  tenon_severity severity;
  /// The first ONNX node that it is about, or "".
  const char *node;
  const char *text;
  /// The kind of error, see tenon_status_number; 0 of warnings and notes.
  int32_t number;
} tenon_diagnostic;

/// All strings are borrowed for the call; NULL and zero mean the default.
/// Since 0.1.
typedef struct tenon_compile_options {
  size_t struct_size;
  /// "native" (default), or a CPU name that LLVM knows, for example "haswell".
  /// A comma-separated list: see tenon_load_options' `variant`.
  const char *cpu;
  /// Fixed input shapes, each "name=1x3x224x224".
  const char *const *shapes;
  size_t shape_count;
  /// Symbolic dimensions: fixed ones, each "batch=1", or what one may be,
  /// "seq=1..512" or, of multiples, "seq=8..512:8".
  const char *const *dims;
  size_t dim_count;
  tenon_emit_kind emit;
  /// Threads that compile; 0 is one per CPU. The result does not depend on it.
  uint32_t jobs;
  /// Catch out-of-bounds accesses of kernels when the model runs; slow.
  bool guard_memory;
  /// Folder of the kernel cache, created if needed; NULL disables it. Threads
  /// and processes may share it. A folder that cannot be used is not an error.
  /// The result does not depend on it.
  const char *kernel_cache;
  /// The least recently used kernels above so many bytes are removed; 0 is
  /// 512 MiB.
  uint64_t kernel_cache_bytes;
  /// Where to use Winograd convolutions, by how much rounding errors may grow:
  /// "off", "exact" (not at all), "safe" (default: at most three times) or
  /// "max".
  const char *winograd;
  /// Storage type of the constants of products and recurrences: "f32"
  /// (default), "f16" or "bf16".
  const char *weights;
  /// The machine that `cpu` is of, for example "aarch64-linux-gnu": needed
  /// where several have a CPU of that name. NULL: this one, else the one that
  /// has it; without `cpu` code is made for all of its processors.
  const char *triple;
  /// Do not compute f32 products as six bf16 products on a matrix unit (AMX);
  /// errors are no larger there, but infinities become NaN.
  bool no_bf16x6;
  /// Change results by no more than the order of sums; see tenon-compile
  /// --help. Contradicts `winograd` (but "off") and `weights` (but "f32").
  bool strict;
  /// Fixed values of inputs, each "mask=1", "axes=2,3" or "table=@table.npy".
  const char *const *constants;
  size_t constant_count;
  /// Clamp out-of-range indices of Gather, Scatter and similar operators
  /// instead of stopping with TENON_INDEX_OUT_OF_RANGE.
  bool unchecked_indices;
  /// Outputs that are inputs of the next run (tenon_state in States.h), each
  /// "past_k=present_k", or "past_*=present_*" for all that match.
  const char *const *states;
  size_t state_count;
  /// Which operations become one kernel: "off" (none), "atoms" (an operation
  /// and its only user, if that is element-wise on the same shape), "greedy"
  /// or "full" (default).
  const char *fusion;
  /// Devices to compile for beside the CPU: "cuda", or "cuda:" and a list of
  /// architectures, "cuda:sm_90a,sm_80". NULL: none.
  const char *device;
  /// What products on devices compute with: "f32" (default), "tf32", or "f16"
  /// or "bf16", in which values between kernels lie, too.
  const char *precision;
  /// Options in the words of tenon-compile, each "--dim", "batch=1" or
  /// "--dim=batch=1", after those above: all but -o and those that print or
  /// measure.
  const char *const *arguments;
  size_t argument_count;
  /// Called with errors, warnings and notes as they come, one at a time, in
  /// whichever thread has them.
  void (*diagnostic)(void *user, const tenon_diagnostic *diagnostic);
  /// Called before each phase, with its name, in the calling thread. Where it
  /// returns false the call ends with TENON_CANCELLED.
  bool (*progress)(void *user, const char *phase);
  /// What both callbacks get.
  void *user;
  /// A number that another thread may make other than zero, atomically: then
  /// the call ends with TENON_CANCELLED before the next pass or kernel.
  const int *cancel;
  /// Compile in a process of its own, so that one which is killed, or in which
  /// LLVM gives up, is a status, TENON_CHILD_ENDED. A model in memory is copied
  /// for it. `progress` is called some twenty times a second then, with the
  /// phase at hand, and a call that is cancelled ends at once.
  bool isolate;
  /// The program that does: tenon-compile of this build. NULL: the one in the
  /// folder `bin` beside, or one or two above that of the library.
  const char *program;
} tenon_compile_options;

/// What a compilation made, in bytes and seconds. Since 0.1.
typedef struct tenon_compile_report {
  size_t struct_size;
  uint64_t arena_bytes;
  /// The most bytes that live at once: no arena can be smaller.
  uint64_t arena_lower_bound_bytes;
  uint64_t weights_bytes;
  uint64_t artifact_bytes;
  uint64_t kernel_count;
  double compile_seconds;
  /// Kernels that the cache had; equal kernels count once.
  uint64_t cached_kernel_count;
  /// What each thread of a context needs beside the arena.
  uint64_t scratch_bytes;
} tenon_compile_report;

/// A model: a file, or bytes, which are borrowed for the call. Since 0.1.
typedef struct tenon_source {
  size_t struct_size;
  /// `.onnx`, `.onnxtxt`, or `.mlir` of any phase. NULL: there are bytes.
  const char *path;
  const void *data;
  size_t size;
  /// Stands for the file's name in messages and in the artifact, and says of
  /// which kind bytes are. NULL: "model.onnx".
  const char *name;
  /// The bytes that a model in memory calls by a file's name; they are borrowed
  /// for the call, and NULL where there are none of that name. Without it,
  /// models with external data are refused.
  const void *(*external)(void *user, const char *location, size_t *size);
  void *user;
} tenon_source;

/// Where what is compiled goes: a file, or memory. Since 0.1.
typedef struct tenon_sink {
  size_t struct_size;
  /// NULL: `data` and `size` are set to bytes which tenon_sink_release frees.
  /// They are aligned for tenon_model_load_memory. Objects need a path, since a
  /// header lies beside them.
  const char *path;
  void *data;
  size_t size;
} tenon_sink;

/// Frees what was compiled to memory; NULL and empty sinks are allowed.
TENON_API void tenon_sink_release(tenon_sink *sink);

/// As tenon_compile_file, from `source` to `sink`.
TENON_API tenon_status *tenon_compile(const tenon_source *source,
                                      tenon_sink *sink,
                                      const tenon_compile_options *options,
                                      tenon_compile_report *report);

/// Whether a node can be compiled. Texts live for the call. Since 0.1.
typedef struct tenon_node_support {
  size_t struct_size;
  /// Its first output's where it has none.
  const char *name;
  /// "Conv", with the domain, "com.microsoft::Gelu", where it is not ONNX's.
  const char *op;
  /// Why it cannot; NULL: it can.
  const char *reason;
  /// The kind of error that the reason is, see tenon_status_number; or 0.
  int32_t number;
} tenon_node_support;

/// Calls `node` with each node of a model, those of subgraphs too, in an order
/// in which they can run, before anything is planned or compiled: sizes that
/// devices cannot have are met later, by tenon_compile. A node behind one that
/// cannot be compiled counts as one that can while nothing says otherwise.
/// Fails where the model cannot be read.
TENON_API tenon_status *
tenon_check(const tenon_source *source, const tenon_compile_options *options,
            void (*node)(void *user, const tenon_node_support *node),
            void *user);

/// Compiles the model at `model_path` (`.onnx`, or `.mlir` of any phase) and
/// writes `output_path`. `options` and `report` may be NULL; `report` is filled
/// on success only. The status' message holds every diagnostic, its node the
/// first ONNX node that one names. Thread-safe: calls share nothing.
TENON_API tenon_status *tenon_compile_file(const char *model_path,
                                           const char *output_path,
                                           const tenon_compile_options *options,
                                           tenon_compile_report *report);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // TENON_C_COMPILER_H
