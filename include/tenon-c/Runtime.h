//===- Runtime.h - load and run compiled models -------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the run time's whole API, with what it includes at its end: C11,
// libc and pthreads only.
//
//   tenon_model *model;
//   tenon_context *context;
//   tenon_status *status = tenon_model_load_file("m.tenon", NULL, &model);
//   if (!status) status = tenon_context_create(model, NULL, &context);
//   if (!status) status = tenon_run(context, inputs, 1, outputs, 1);
//   if (status) { puts(tenon_status_message(status)); ... }
//
// An artifact is native code: loading one from a stranger is running his
// program. The loader checks every field, so a *damaged* file is an error and
// never a crash; it cannot tell whether the machine code means well.
//
// Conventions. A function that can fail returns a status: NULL is success;
// anything else is the caller's to destroy. On failure no out-parameter is
// touched. Structs that the caller fills start with `struct_size`, to be set
// to sizeof the struct (TENON_INIT does it): the library never reads or
// writes beyond it, and takes absent fields as zero.
//===----------------------------------------------------------------------===//
#ifndef TENON_C_RUNTIME_H
#define TENON_C_RUNTIME_H

#include "tenon-c/Version.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Zeroes a caller-filled struct and states its size:
///   tenon_context_options options = TENON_INIT(tenon_context_options);
#ifdef __cplusplus
#define TENON_INIT(type)                                                       \
  ([] {                                                                        \
    type zeroed = type();                                                      \
    zeroed.struct_size = sizeof(type);                                         \
    return zeroed;                                                             \
  }())
#else
#define TENON_INIT(type) ((type){.struct_size = sizeof(type)})
#endif

//===----------------------------------------------------------------------===//
// Status
//===----------------------------------------------------------------------===//

/// Why a call failed. NULL stands for success. Immutable: any thread may read
/// one. Owned by whoever got it.
typedef struct tenon_status tenon_status;

typedef enum tenon_status_code {
  TENON_OK = 0,
  /// The call itself is wrong: a null pointer, a wrong count, a bad option.
  TENON_INVALID_ARGUMENT = 1,
  /// The file cannot be opened or read.
  TENON_IO_ERROR = 2,
  /// The bytes are not an artifact, or are damaged.
  TENON_BAD_ARTIFACT = 3,
  /// A sound artifact that this library or this processor cannot run.
  TENON_UNSUPPORTED = 4,
  TENON_OUT_OF_MEMORY = 5,
  /// A tensor's element type, shape or layout is not the signature's.
  TENON_TENSOR_MISMATCH = 6,
  /// The context is running in another thread.
  TENON_BUSY = 7,
  /// A kernel of a guarded model touched memory that is not its own.
  TENON_MEMORY_FAULT = 8,
  /// An index that was given or computed lies outside of what it picks from.
  TENON_INDEX_OUT_OF_RANGE = 9,
  /// More is to be kept than there is room for: a state is full, or an output's
  /// buffer is too small.
  TENON_CAPACITY_EXCEEDED = 10,
  /// More instructions than tenon_context_options' `max_steps`.
  TENON_STEP_LIMIT = 11,
  /// A shape that is known when the model has run, not before.
  TENON_DATA_DEPENDENT = 12,
  /// The driver of a GPU refused something, or a kernel failed there.
  TENON_DEVICE_ERROR = 13,
  /// Nothing runs on the GPU any more in this process, since an earlier error:
  /// a kernel that failed takes all with it.
  TENON_DEVICE_LOST = 14,
  /// The caller asked for it.
  TENON_CANCELLED = 15,
  /// The process that compiled ended: see `isolate` of tenon_compile_options.
  TENON_CHILD_ENDED = 16
} tenon_status_code;

/// TENON_OK for NULL.
TENON_API tenon_status_code tenon_status_code_of(const tenon_status *status);

/// The kind of error, more exact than the code where the compiler failed: 206
/// is TN0206 in docs/errors.md, of which `tenon-compile --explain TN0206`
/// prints a section. Numbers below 100 are the codes. 0 for NULL.
TENON_API int32_t tenon_status_number(const tenon_status *status);

/// One sentence in English; "" for NULL. Lives as long as the status.
TENON_API const char *tenon_status_message(const tenon_status *status);

/// The input, output or ONNX node that the status is about, or "".
TENON_API const char *tenon_status_node(const tenon_status *status);

/// A new status, for libraries beside this one that report as it does; the
/// texts are copied, and cut where they are long. `node` is "" where it is
/// about none. When memory is short, one that says so: never NULL.
TENON_API tenon_status *tenon_status_create(tenon_status_code code,
                                            const char *node,
                                            const char *message);

/// The same, with a number of its own.
TENON_API tenon_status *tenon_status_create_numbered(tenon_status_code code,
                                                     int32_t number,
                                                     const char *node,
                                                     const char *message);

/// Frees a status; NULL is allowed.
TENON_API void tenon_status_destroy(tenon_status *status);

//===----------------------------------------------------------------------===//
// Tensors: laid out as DLPack's DLTensor, which may be passed by a cast
//===----------------------------------------------------------------------===//

/// DLPack's DLDataTypeCode.
typedef enum tenon_type_code {
  TENON_INT = 0,
  TENON_UINT = 1,
  TENON_FLOAT = 2,
  TENON_BFLOAT = 4,
  TENON_COMPLEX = 5,
  /// One byte per element, 0 or 1.
  TENON_BOOL = 6,
  TENON_FLOAT8_E4M3FN = 10,
  TENON_FLOAT8_E4M3FNUZ = 11,
  TENON_FLOAT8_E5M2 = 12,
  TENON_FLOAT8_E5M2FNUZ = 13,
  TENON_FLOAT8_E8M0FNU = 14,
  TENON_FLOAT4_E2M1FN = 17,
  /// Strings of bytes, 64 bits to DLPack, which has no such code: see
  /// tenon_value_strings.
  TENON_STRING = 200
} tenon_type_code;

/// DLPack's DLDataType. `lanes` is 1. Elements of 4 and 2 bits (integers and
/// TENON_FLOAT4_E2M1FN) take one byte each, as with DLPack's
/// DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED: they lie in the low bits. What
/// lies above is ignored in inputs and may be anything in outputs that inputs
/// are copied to; what is computed has zeros there.
typedef struct tenon_dtype {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} tenon_dtype;

/// DLPack's DLDevice: type 1 (CPU), identifier 0, or type 2 (CUDA) and the
/// number of the GPU.
typedef struct tenon_device {
  int32_t device_type;
  int32_t device_id;
} tenon_device;

#define TENON_DEVICE_CPU 1
#define TENON_DEVICE_CUDA 2

/// DLPack's DLTensor: a view, owning nothing. `strides` counts elements and
/// may be NULL; only contiguous row-major tensors are taken. The data needs
/// the alignment of its elements, no more. A tensor of no elements may have
/// NULL data.
typedef struct tenon_tensor {
  void *data;
  tenon_device device;
  int32_t ndim;
  tenon_dtype dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} tenon_tensor;

/// What an input or output is. The numbers are the artifact format's.
typedef enum tenon_value_kind {
  TENON_VALUE_TENSOR = 0,
  /// Tensors of one element type.
  TENON_VALUE_SEQUENCE = 1,
  /// A tensor, or nothing.
  TENON_VALUE_OPTIONAL = 2,
  /// A sequence, or nothing.
  TENON_VALUE_OPTIONAL_SEQUENCE = 3
} tenon_value_kind;

/// What the model says of one input or output. The pointers live as long as
/// the model.
typedef struct tenon_tensor_info {
  size_t struct_size;
  const char *name;
  tenon_dtype dtype;
  /// -1: it may have any number of dimensions.
  int32_t rank;
  /// -1 for an extent that the inputs' shapes, or their data, decide.
  const int64_t *shape;
  /// Of the contiguous tensor; 0 where an extent is -1.
  size_t byte_size;
  /// Of what is no tensor, the rest says what holds for the tensors in it.
  tenon_value_kind kind;
} tenon_tensor_info;

/// A tensor of the given type and shape over `data`. Borrows both: valid as
/// long as the shape and the data are.
TENON_API tenon_tensor tenon_tensor_over(const tenon_tensor_info *info,
                                         void *data);

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// A loaded artifact. Immutable: all functions on a const model may be called
/// from any number of threads at once. Must outlive its contexts.
typedef struct tenon_model tenon_model;

typedef struct tenon_load_options {
  size_t struct_size;
  /// Weights of more than 64 MiB are checksummed only when this is set:
  /// reading them all would defeat mapping them. All else always is.
  bool verify_weights;
  /// An artifact may hold the program several times, each compiled for another
  /// processor. NULL takes the first that this processor supports; a name (of
  /// tenon_variant_info) takes that one or fails. Borrowed for the call.
  const char *variant;
  /// Type 0 takes the first variant that can run, on a GPU or on the
  /// processor. TENON_DEVICE_CPU takes none for a GPU, TENON_DEVICE_CUDA one
  /// that GPU `device_id` runs, or fails. See tenon-c/Device.h.
  tenon_device device;
} tenon_load_options;

/// Loads the artifact at `path`: maps the file, so that weights are read on
/// demand and shared between processes. The file must not be written to while
/// the model lives (replacing it by a rename is fine). `options` may be NULL.
TENON_API tenon_status *tenon_model_load_file(const char *path,
                                              const tenon_load_options *options,
                                              tenon_model **model);

/// Loads an artifact that lies in memory. The bytes are borrowed and must
/// outlive the model, unchanged; when `data` is not aligned to 64 bytes they
/// are copied instead. The code is always copied, to executable pages.
TENON_API tenon_status *
tenon_model_load_memory(const void *data, size_t size,
                        const tenon_load_options *options, tenon_model **model);

/// What one call of a kernel gets.
typedef struct tenon_call {
  /// The operands: those that are only read first.
  void *const *buffers;
  /// The values of the program's symbols; NULL where it has none.
  const int64_t *sizes;
  /// Memory of the thread that runs, aligned to 64 bytes, holding anything;
  /// NULL unless the launch asks for it.
  void *scratch;
  /// The tiles to run: [begin, end).
  int64_t begin;
  int64_t end;
} tenon_call;

/// A kernel: runs tiles on its buffers. In any thread; it changes nothing but
/// what it writes to and its scratch.
typedef void (*tenon_kernel_fn)(const tenon_call *call);

/// A model linked into the program. `tenon-compile --emit=object` writes it as
/// an object file, and a header that declares its name; there is nothing here
/// to fill by hand.
typedef struct tenon_static_model {
  size_t struct_size;
  const void *meta;
  size_t meta_size;
  const void *weights;
  size_t weights_size;
  const tenon_kernel_fn *kernels;
  size_t kernel_count;
} tenon_static_model;

/// Loads a linked model: no file system, no mapping, no executable pages.
/// `source` and what it points to must outlive the model.
TENON_API tenon_status *
tenon_model_load_static(const tenon_static_model *source, tenon_model **model);

/// Frees a model; NULL is allowed. Its contexts must be gone.
TENON_API void tenon_model_destroy(tenon_model *model);

/// What can be run: an entry has a name, inputs and outputs. Today's models
/// have one, `main`. Parts of it that only bytecode calls are not listed. All
/// functions that name no entry are about the first.
typedef struct tenon_entry_info {
  size_t struct_size;
  /// Lives as long as the model.
  const char *name;
  size_t input_count;
  size_t output_count;
  /// Whether it has control flow, or something else that the run time computes
  /// itself.
  bool has_bytecode;
} tenon_entry_info;

/// At least 1.
TENON_API size_t tenon_model_entry_count(const tenon_model *model);

/// Describes entry `index`. `info->struct_size` must be set.
TENON_API tenon_status *tenon_model_entry(const tenon_model *model,
                                          size_t index, tenon_entry_info *info);

/// Describes input or output `index` of an entry, by its number.
TENON_API tenon_status *tenon_model_entry_input(const tenon_model *model,
                                                size_t entry, size_t index,
                                                tenon_tensor_info *info);
TENON_API tenon_status *tenon_model_entry_output(const tenon_model *model,
                                                 size_t entry, size_t index,
                                                 tenon_tensor_info *info);

/// What the model calls dimension `dim` of an entry's tensor, "batch" or
/// "2 * length + 1"; tensors are numbered inputs first, then outputs. "" where
/// it has no name, or where there is no such dimension. Lives as long as the
/// model.
TENON_API const char *tenon_model_dim_name(const tenon_model *model,
                                           size_t entry, size_t tensor,
                                           size_t dim);

TENON_API size_t tenon_model_input_count(const tenon_model *model);
TENON_API size_t tenon_model_output_count(const tenon_model *model);

/// Describes input or output `index`. `info->struct_size` must be set.
TENON_API tenon_status *tenon_model_input(const tenon_model *model,
                                          size_t index,
                                          tenon_tensor_info *info);
TENON_API tenon_status *tenon_model_output(const tenon_model *model,
                                           size_t index,
                                           tenon_tensor_info *info);

/// Facts about the whole model. Strings live as long as it.
typedef struct tenon_model_info {
  size_t struct_size;
  const char *name;
  /// The processor that the loaded variant was compiled for, by LLVM's name.
  const char *target_cpu;
  /// The compiler and its version.
  const char *producer;
  /// What one context needs for intermediate results, without the scratch of
  /// its threads (see tenon_model_arena_bytes), and how aligned. 0 where it
  /// depends on the inputs' shapes.
  size_t arena_bytes;
  size_t arena_alignment;
  /// The most bytes that are live at once: no plan can need less.
  size_t arena_lower_bound_bytes;
  size_t weights_bytes;
  size_t code_bytes;
  size_t file_bytes;
  size_t kernel_count;
  size_t launch_count;
  /// Compiled with --guard-memory: see tenon_run.
  bool is_guarded;
  /// The width of the vectors that the code computes with.
  int32_t vector_bits;
  /// What each thread of a context needs in addition to the arena.
  size_t scratch_bytes;
  /// What the loaded variant runs on, and the name of that GPU ("": none).
  tenon_device device;
  const char *device_name;
  /// What a GPU can do in a second: operations of products in the precision
  /// that the model was compiled for, and bytes from and to its memory. 0 where
  /// it is not known, and for the processor.
  double device_flops;
  double device_rate;
} tenon_model_info;

/// Fills `info`; `info->struct_size` must be set.
TENON_API tenon_status *tenon_model_query(const tenon_model *model,
                                          tenon_model_info *info);

/// The memory of a context of so many threads: intermediate results, and
/// scratch for each thread. Where it depends on the inputs' shapes, the most
/// that they make of it, if the ranges of their dimensions (`tenon-compile
/// --dim seq=1..512`) are known; else 0: then tenon_context_arena_bytes says
/// what a context has come to.
TENON_API size_t tenon_model_arena_bytes(const tenon_model *model,
                                         int32_t threads);

/// One of the processors and GPUs that the artifact has code for.
typedef struct tenon_variant_info {
  size_t struct_size;
  /// The processor, by LLVM's name. Lives as long as the model.
  const char *name;
  /// Whether the processor that this runs on could run it.
  bool is_supported;
  /// Whether the model runs it: true for exactly one.
  bool is_loaded;
  size_t code_bytes;
  /// TENON_DEVICE_CPU or TENON_DEVICE_CUDA.
  int32_t device_type;
  /// Why it is not supported, or "".
  char reason[256];
} tenon_variant_info;

/// At least 1.
TENON_API size_t tenon_model_variant_count(const tenon_model *model);

/// Describes variant `index`, in the order of preference. `info->struct_size`
/// must be set.
TENON_API tenon_status *tenon_model_variant(const tenon_model *model,
                                            size_t index,
                                            tenon_variant_info *info);

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// What one run at a time needs: an arena and threads. Contexts of one model
/// are independent; one context serves one thread at a time (a second gets
/// TENON_BUSY).
typedef struct tenon_context tenon_context;

/// Memory from the caller. Both functions may be called in the thread that
/// creates or destroys a context, and in one that gives it inputs of shapes
/// that it has not met: see tenon_run.
typedef struct tenon_allocator {
  /// Returns NULL when there is none. `alignment` is a power of two.
  void *(*allocate)(void *user, size_t size, size_t alignment);
  void (*release)(void *user, void *pointer);
  void *user;
} tenon_allocator;

/// Threads from the caller. `parallel_for` calls `body(argument, i)` exactly
/// once for each i in [0, count), in any threads and order, and returns when
/// all calls have.
typedef struct tenon_executor {
  void (*parallel_for)(void *user, int64_t count,
                       void (*body)(void *argument, int64_t index),
                       void *argument);
  void *user;
  /// How many calls run at once, to choose how finely to split; 0 means 1.
  int32_t concurrency;
} tenon_executor;

typedef struct tenon_context_options {
  size_t struct_size;
  /// Threads of a run, the caller's among them. 0: as many as processors that
  /// this process may use (affinity, cgroup quota). 1: no thread is started.
  int32_t threads;
  /// Count the time of each launch (about 50 ns more per launch).
  bool profile;
  /// Used when `allocate` is set.
  tenon_allocator allocator;
  /// Used when `parallel_for` is set; no thread is started then.
  tenon_executor executor;
  /// Used when set: the arena, of at least tenon_model_arena_bytes for the
  /// context's threads, aligned to the model's `arena_alignment`. Borrowed
  /// until the context is destroyed; the caller may use it between runs, its
  /// contents are not kept. Refused for a guarded model, whose arena is pages
  /// with protections of their own. Where the size depends on the inputs'
  /// shapes, a run fails that needs more.
  void *arena;
  size_t arena_size;
  /// The entry to run, by its name; NULL is the first. Borrowed for the call.
  const char *entry;
  /// Used when set, for entries with bytecode: called after each instruction,
  /// in the thread that runs, with what it did, "call nonzero(r1: f32 [3x4]) ->
  /// r2: i64 [2x5]", and what it took. `text` lives for the call.
  void (*trace)(void *user, const char *text, int64_t nanoseconds);
  void *trace_user;
  /// The most instructions of bytecode that a run may take, or it ends with
  /// TENON_STEP_LIMIT; 0: any number.
  uint64_t max_steps;
  /// Of a model that runs on a GPU: which; type 0 is the one that it was
  /// loaded for. Threads and executor are not used there.
  tenon_device device;
  /// Used when set: the CUstream (cudaStream_t) that runs are put on. It must
  /// outlive the context. NULL: a stream of the context's own.
  void *device_stream;
  /// Take the time of runs on the GPU: see tenon_device_nanoseconds.
  bool device_clock;
} tenon_context_options;

/// Makes a context. `options` may be NULL; the struct is copied. All memory
/// and threads are taken here. Worker threads block all signals.
TENON_API tenon_status *
tenon_context_create(tenon_model *model, const tenon_context_options *options,
                     tenon_context **context);

/// Stops the threads and frees the context; NULL is allowed. It must not be
/// running.
TENON_API void tenon_context_destroy(tenon_context *context);

/// The threads that a run uses.
TENON_API int32_t tenon_context_threads(const tenon_context *context);

/// The memory that a context has for intermediate results and scratch. Where
/// it depends on the inputs' shapes, it is 0 at first and grows with them. Not
/// during a run.
TENON_API size_t tenon_context_arena_bytes(const tenon_context *context);

/// Describes output `index` for inputs of these shapes, whose data may be NULL:
/// the type, and the exact shape and size. Inputs are checked as tenon_run
/// does. TENON_DATA_DEPENDENT: only a run can tell; tenon_run_values makes its
/// outputs. `info->shape` is valid until the context is given inputs of other
/// shapes. `info->struct_size` must be set.
TENON_API tenon_status *tenon_context_output(tenon_context *context,
                                             const tenon_tensor *inputs,
                                             size_t input_count, size_t index,
                                             tenon_tensor_info *info);

/// Runs the model. `inputs` and `outputs` are in the signature's order, all of
/// them, with data allocated by the caller; outputs must not overlap inputs or
/// each other. Types, shapes and layouts are checked first: when they are wrong
/// nothing was computed and the outputs' bytes are untouched. Allocates
/// nothing.
///
/// Where sizes depend on the inputs' shapes, their relations are checked, too:
/// the message names the input and its dimension, what is expected and what was
/// found. A shape that is new to the context takes some microseconds and
/// perhaps memory. The context remembers 32 of them, and allocates nothing for
/// one of these; nor for a further one, which replaces the one not used for
/// longest, unless it needs a larger arena.
///
/// An index that lies outside of what a Gather, Scatter or one of their kin
/// picks from ends the run with TENON_INDEX_OUT_OF_RANGE, at the end of the
/// operator that met it; the outputs then hold unspecified bytes. Models of
/// `tenon-compile --unchecked-indices` take the nearest valid index instead.
///
/// A guarded model (`tenon-compile --guard-memory`) runs on copies of inputs,
/// outputs and weights, each in pages of its own. While it runs, handlers of
/// SIGSEGV and SIGBUS turn a kernel's stray access into TENON_MEMORY_FAULT,
/// with untouched outputs; they hand on every other signal, and are gone when
/// no guarded model runs. Other models never touch signals.
///
/// An entry with bytecode copies its outputs, and may make them first: when one
/// has another shape than the caller's, the message says which.
TENON_API tenon_status *
tenon_run(tenon_context *context, const tenon_tensor *inputs,
          size_t input_count, const tenon_tensor *outputs, size_t output_count);

/// Where a run puts an output whose size the caller need not know before. No
/// struct_size: like tenon_tensor, it comes in arrays.
typedef struct tenon_output_buffer {
  void *data;
  /// The bytes that there are.
  size_t capacity;
  /// Room for as many extents as the output has dimensions; the run sets them.
  /// May be NULL.
  int64_t *shape;
  /// Set by the run: the bytes that the output takes.
  size_t byte_size;
} tenon_output_buffer;

/// As tenon_run, with buffers that may be larger than the outputs. Where one is
/// too small nothing was computed and the error is TENON_CAPACITY_EXCEEDED;
/// then, too, `shape` and `byte_size` of all say what is needed. Where data
/// decide the sizes, it has been computed before that is known.
TENON_API tenon_status *tenon_run_into(tenon_context *context,
                                       const tenon_tensor *inputs,
                                       size_t input_count,
                                       tenon_output_buffer *outputs,
                                       size_t output_count);

#ifdef __cplusplus
}
#endif

#include "tenon-c/Device.h"
#include "tenon-c/Profiles.h"
#include "tenon-c/States.h"
#include "tenon-c/Value.h"

#endif // TENON_C_RUNTIME_H
