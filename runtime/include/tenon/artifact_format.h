//===- artifact_format.h - the bytes of an artifact ---------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the artifact format as C structs and constants, shared by the
// writer (lib/Target/Artifact) and the reader (runtime). The prose is in
// docs/spec/artifact.md. Format version 6; little endian; no implicit padding.
//===----------------------------------------------------------------------===//
#ifndef TENON_ARTIFACT_FORMAT_H
#define TENON_ARTIFACT_FORMAT_H

#include "tenon/processor_features.h"

#include <stdint.h>

/// The first eight bytes. The high bit, the line ends and the end-of-file
/// character reveal a transfer that treated the file as text.
#define TENON_MAGIC "\x89TNN\r\n\x1a\n"
#define TENON_FORMAT_VERSION 6u

/// Code and weights start on such a boundary, so that they can be mapped.
#define TENON_PAGE_BYTES 4096u
/// Every other section, and the arena, is aligned to a cache line.
#define TENON_LINE_BYTES 64u
#define TENON_MAX_RANK 32u
#define TENON_MAX_VARIANTS 16u
#define TENON_MAX_ENTRIES 65536u
#define TENON_MAX_PUBLIC_ENTRIES 64u
/// Of what may have any number of dimensions; it has none in the signature.
#define TENON_RANK_ANY 0xffffffffu

/// The header's flags. STATIC: the file is the metadata of a model that is
/// linked into the program: there is no code section, and the weights section
/// (flag EXTERNAL) lies outside of these bytes.
/// GUARDED: each buffer of the arena lies in pages of its own between pages
/// that are never accessible, and the run time checks every access.
/// VARIANTS: the program is there once for each of several processors.
/// DEVICE: some of them are devices; then each variant has a DEVICE section.
/// SCHEDULE: launches of some variant run at once; then each variant has a
/// SCHEDULE section.
#define TENON_FILE_STATIC 1u
#define TENON_FILE_GUARDED 2u
#define TENON_FILE_VARIANTS 4u
#define TENON_FILE_DEVICE 8u
#define TENON_FILE_SCHEDULE 16u
#define TENON_SECTION_EXTERNAL 1u

/// The unit of a guarded arena, and the least distance between its buffers:
/// the largest page of any system.
#define TENON_GUARD_BYTES 65536u

enum tenon_architecture { TENON_ARCH_X86_64 = 1, TENON_ARCH_AARCH64 = 2 };

/// Section kinds. Each occurs exactly once, in the order of the numbers but for
/// ENTRIES, SIZES and BYTECODE, which follow SIGNATURE (CODE is absent from a
/// static artifact). When there are variants, VARIANTS follows BYTECODE, and
/// each variant has its own LAUNCHES and PLAN (one after the other, in place of
/// the one pair) and CODE. Behind its PLAN come SCHEDULE and DEVICE, each in a
/// file whose flags say that there is one.
enum tenon_section_kind {
  TENON_SECTION_INFO = 1,
  TENON_SECTION_SIGNATURE = 2,
  TENON_SECTION_LAUNCHES = 3,
  TENON_SECTION_PLAN = 4,
  TENON_SECTION_NAMES = 5,
  TENON_SECTION_CODE = 6,
  TENON_SECTION_WEIGHTS = 7,
  TENON_SECTION_VARIANTS = 8,
  TENON_SECTION_ENTRIES = 9,
  TENON_SECTION_SIZES = 10,
  TENON_SECTION_BYTECODE = 11,
  TENON_SECTION_DEVICE = 12,
  TENON_SECTION_SCHEDULE = 13
};

/// How many sections each variant has in a file with these flags.
static inline uint32_t tenon_own_sections(uint32_t flags) {
  return 2u + !(flags & TENON_FILE_STATIC) + !!(flags & TENON_FILE_DEVICE) +
         !!(flags & TENON_FILE_SCHEDULE);
}

/// The sections of an artifact with `variants` variants and these flags.
static inline uint32_t tenon_section_count(uint32_t variants, uint32_t flags) {
  return variants * tenon_own_sections(flags) + (variants > 1 ? 8u : 7u);
}

static inline uint64_t tenon_section_alignment(uint32_t kind) {
  return kind == TENON_SECTION_CODE || kind == TENON_SECTION_WEIGHTS
             ? TENON_PAGE_BYTES
             : TENON_LINE_BYTES;
}

/// What a buffer reference of a launch points into.
enum tenon_space {
  TENON_SPACE_ARENA = 0,
  TENON_SPACE_WEIGHTS = 1,
  TENON_SPACE_INPUT = 2,
  TENON_SPACE_OUTPUT = 3
};

/// The file starts with this; the section table follows directly.
struct tenon_file_header {
  uint8_t magic[8];
  uint32_t version;
  uint32_t flags;
  uint64_t file_bytes;
  uint32_t architecture;
  uint32_t section_count;
  /// Instruction set extensions that the code needs (TENON_X86_FEATURES or
  /// TENON_AARCH64_FEATURES); zero when VARIANTS says it.
  uint64_t features;
  uint64_t reserved[2];
  /// Over the header with this field zero, and the section table.
  uint64_t checksum;
};

/// Bytes between sections are zero, and checked to be.
struct tenon_section {
  uint32_t kind;
  uint32_t flags;
  uint64_t offset;
  uint64_t size;
  uint64_t alignment;
  uint64_t checksum;
};

/// Strings are offsets into NAMES, which ends in a zero byte.
typedef uint32_t tenon_name_ref;

/// INFO. The processor's name is empty when VARIANTS has it.
struct tenon_info_record {
  tenon_name_ref model_name;
  tenon_name_ref target_cpu;
  tenon_name_ref producer;
  uint32_t reserved;
};

/// A number that is known when the program runs: a number as it is where it is
/// not negative, else register `-1 - value` of the entry's size program. The
/// registers are the extents of all inputs, in order, then the capacities of
/// its states, then what each instruction yields. An entry without symbols has
/// no registers.
typedef int64_t tenon_size_value;

/// An extent or a number of bytes that data decide: of outputs of bytecode, and
/// of what is in sequences and optionals.
#define TENON_SIZE_UNKNOWN INT64_MIN

/// SIGNATURE: this header, the tensor records that entries take from, the
/// states of all entries, in their order, then `dim_count` extents
/// (tenon_size_value; of an input numbers, or its own registers), then as many
/// names of them (tenon_name_ref, "" for none).
struct tenon_signature_header {
  uint32_t tensor_count;
  uint32_t dim_count;
  uint32_t state_count;
  uint32_t reserved;
};

/// The element type is a DLPack (code, bits), or that of strings. `kind` is a
/// tenon_value_kind (bytecode.def): of a sequence or an optional the rest says
/// what holds for its elements.
struct tenon_tensor_record {
  tenon_name_ref name;
  uint8_t type_code;
  uint8_t type_bits;
  uint8_t kind;
  uint8_t reserved;
  uint32_t rank;
  uint32_t first_dim;
  tenon_size_value byte_size;
};

/// An input of an entry that is an output of the run before, by their numbers;
/// an output of TENON_STATE_READ says that the entry reads it only. States of
/// several entries with one slot are one tensor, of one type and shape. Before
/// the first run it is what lies at `first` in WEIGHTS, or zeros
/// (TENON_STATE_ZEROS). `role` is a tenon_state_role. With an axis below
/// TENON_STATE_UPDATED both are one buffer, that of the output, which no
/// launch refers to as an input. Its strides are those of so many elements
/// along the axis as capacity number `capacity` of the entry says, or of those
/// that there are where that is less. States that grow have the capacities that
/// they share from 0 on. With TENON_STATE_UPDATED both may be one buffer: the
/// only launch that writes the output reads the input, if at all, through one
/// reference to the same bytes, each element before it writes it; no launch
/// behind it reads the input; and neither it nor one behind it is CHECKED.
struct tenon_state_record {
  uint32_t entry;
  uint32_t input;
  uint32_t output;
  uint32_t axis;
  uint32_t capacity;
  uint32_t slot;
  uint32_t role;
  uint32_t reserved;
  uint64_t first;
};
#define TENON_STATE_REPLACED UINT32_MAX
#define TENON_STATE_UPDATED (UINT32_MAX - 1)
#define TENON_STATE_READ UINT32_MAX
#define TENON_STATE_ZEROS UINT64_MAX
#define TENON_STATE_ROLES 7u

/// INTERNAL: bytecode calls it; users do not see it.
#define TENON_ENTRY_INTERNAL 1u

/// ENTRIES: one or more of these, the default first, internal ones last. Its
/// tensors are its inputs, then its outputs. LAUNCHES has a program for each.
/// `function`: 0 when that program is what runs; n when function n - 1 of
/// BYTECODE is, then the program is empty.
struct tenon_entry_record {
  tenon_name_ref name;
  uint32_t first_tensor;
  uint32_t input_count;
  uint32_t output_count;
  uint32_t flags;
  uint32_t function;
};

/// What an instruction of a size program computes. FLOOR_DIV and MOD want a
/// positive `b` and round towards minus infinity. BROADCAST yields the one that
/// is not 1 where `a` and `b` differ. What CHECKs and BROADCAST ask for must
/// hold, or the inputs' shapes are wrong; CHECKs yield `a`.
enum tenon_size_op {
  TENON_SIZE_ADD = 1,
  TENON_SIZE_SUB = 2,
  TENON_SIZE_MUL = 3,
  TENON_SIZE_FLOOR_DIV = 4,
  TENON_SIZE_MOD = 5,
  TENON_SIZE_MIN = 6,
  TENON_SIZE_MAX = 7,
  TENON_SIZE_BROADCAST = 8,
  TENON_SIZE_CHECK_EQUAL = 9,
  TENON_SIZE_CHECK_AT_LEAST = 10,
  TENON_SIZE_CHECK_AT_MOST = 11,
  TENON_SIZE_CHECK_MULTIPLE = 12
};

/// Its registers are of earlier instructions. `text` says in errors what the
/// number is of, or is "".
struct tenon_size_instruction {
  uint32_t op;
  tenon_name_ref text;
  tenon_size_value a;
  tenon_size_value b;
};

/// SIZES: this header, a program for each entry (none where no entry has
/// symbols), then the instructions. Those of each begin where those of the one
/// before end.
struct tenon_sizes_header {
  uint32_t program_count;
  uint32_t instruction_count;
};

struct tenon_size_program_record {
  uint32_t first_instruction;
  uint32_t instruction_count;
};

/// VARIANTS: two or more of these, the best first.
struct tenon_variant_record {
  /// As in the header; of a device its architecture.
  uint64_t features;
  /// Of a device "cuda-" and the architecture's name.
  tenon_name_ref target_cpu;
  /// A tenon_variant_kind.
  uint32_t kind;
};

enum tenon_variant_kind { TENON_VARIANT_CPU = 0, TENON_VARIANT_CUDA = 1 };

/// In the features of a CUDA variant: the architecture, 90 for sm_90. It runs
/// on later ones, too, unless it is EXACT, as that of sm_90a.
#define TENON_CUDA_ARCHITECTURE 0xffffu
#define TENON_CUDA_EXACT 0x10000u
/// GPUs before that one are not known.
#define TENON_CUDA_LEAST 50u

/// LAUNCHES: this header, then kernels, launches, references, and the lists
/// that launches point into: of sizes (tenon_size_value), then behind the
/// programs of node names (tenon_name_ref), and of launches to wait for
/// (uint32_t).
struct tenon_launches_header {
  uint32_t kernel_count;
  uint32_t launch_count;
  uint32_t ref_count;
  uint32_t program_count;
  uint32_t node_count;
  uint32_t wait_count;
  uint32_t size_count;
  uint32_t reserved;
};

struct tenon_kernel_record {
  /// From the start of CODE. In a static artifact the kernel's number among
  /// those of all variants.
  uint64_t entry;
  tenon_name_ref name;
  uint32_t flags;
};

/// In a kernel's `flags`: what a call prepares costs more than waiting for
/// other threads, so each should have all its tiles in one.
#define TENON_KERNEL_ONE_CALL 1u
/// The last reference of each launch, which it writes, is the fault word: an
/// int64_t in the arena. The run time sets it to zero before a launch, and a
/// kernel that meets an index outside of the rows it may pick from sets it to
/// their number plus one: the run then ends with an error.
#define TENON_KERNEL_CHECKED 2u

/// The first `read_count` references are only read; they alone may point into
/// weights and inputs. Step `s` of `steps` runs tiles [s * tiles, (s + 1) *
/// tiles), after all of step `s - 1`. Each thread that runs some of them has
/// `scratch_bytes` of its own. The values of its sizes are those of its calls.
/// Launches of one stream run in their order; one that waits for others runs
/// when they have. `guard` is zero: it always runs.
struct tenon_launch_record {
  uint32_t kernel;
  uint32_t first_ref;
  uint32_t ref_count;
  uint32_t read_count;
  uint32_t first_node;
  uint32_t node_count;
  uint32_t stream;
  uint32_t first_wait;
  uint32_t wait_count;
  uint32_t guard;
  uint32_t first_size;
  uint32_t size_count;
  tenon_size_value tiles;
  tenon_size_value steps;
  tenon_size_value flops;
  tenon_size_value bytes;
  uint64_t scratch_bytes;
};

/// The launches of an entry, and the size of their arena. Those of each begin
/// where those of the one before end.
struct tenon_program_record {
  uint32_t first_launch;
  uint32_t launch_count;
  tenon_size_value arena_bytes;
};

/// `offset + size` is within the space. `index` is the number of the entry's
/// input or output, else zero.
struct tenon_ref_record {
  uint32_t space;
  uint32_t index;
  tenon_size_value offset;
  tenon_size_value size;
};

/// SCHEDULE: this header, the waves, the pieces, then of each wave's launches
/// in turn what it is expected to take, in nanoseconds, at least 1 (uint32_t).
/// Empty for a variant without waves and pieces.
struct tenon_schedule_header {
  uint32_t wave_count;
  uint32_t piece_count;
};

/// Launches [first, first + count) of one program, two or more, each of one
/// step, which may run at once: no byte that one of them writes is another's,
/// and no state of the program grows. Waves are in the order of their launches.
struct tenon_wave_record {
  uint32_t first_launch;
  uint32_t launch_count;
};

/// What a launch writes through reference `ref`: from `begin` bytes
/// behind the reference's offset on, rows of `run` bytes, `pitch` apart (0: one
/// row), the last of which ends at `end`. Pieces and launches are in the order
/// of their references; through one without a piece any byte may be written.
struct tenon_piece_record {
  uint32_t ref;
  uint32_t reserved;
  int64_t begin;
  int64_t end;
  int64_t run;
  int64_t pitch;
};

/// DEVICE, empty for a processor: this header, then a record for each launch of
/// the variant, the maps, and the modules that are in its CODE.
struct tenon_device_header {
  uint32_t launch_count;
  uint32_t map_count;
  uint32_t module_count;
  /// The peak of products at the program's precision, for profiles: 10^9
  /// operations per second; 0: unknown.
  uint32_t gflops;
};

/// Blocks run all at once.
#define TENON_DEVICE_COOPERATIVE 1u
/// It may begin while the launches before it end.
#define TENON_DEVICE_PROGRAMMATIC 2u

/// The launch's tiles are the blocks along x. Its kernel gets its maps, by
/// value, then the pointer of each reference, then its sizes (int64_t). With
/// steps, it is launched for one after the other, and gets the number of the
/// step's first tile (int64_t) behind all that.
struct tenon_device_launch_record {
  uint32_t grid_y;
  uint32_t grid_z;
  uint32_t threads;
  uint32_t shared_bytes;
  uint32_t cluster;
  uint32_t flags;
  uint32_t first_map;
  uint32_t map_count;
};

/// Element types of maps; the values are CUDA's.
enum tenon_map_type {
  TENON_MAP_U8 = 0,
  TENON_MAP_I32 = 4,
  TENON_MAP_F16 = 6,
  TENON_MAP_F32 = 7,
  TENON_MAP_BF16 = 9
};

/// A tensor map of reference `ref` of the launch, from byte `offset` of it on.
/// Dimensions are innermost first; `strides` are those of dimensions 1 and on,
/// in bytes; `steps` are element strides. `swizzle` is 0, 32, 64 or 128 bytes.
/// What is beyond the rank is zero.
struct tenon_device_map_record {
  uint32_t ref;
  uint32_t type;
  uint32_t rank;
  uint32_t swizzle;
  int64_t offset;
  uint64_t dims[5];
  uint64_t strides[4];
  uint32_t box[5];
  uint32_t steps[5];
};

/// PTX is text that ends in a zero byte.
enum tenon_module_kind { TENON_MODULE_PTX = 1, TENON_MODULE_CUBIN = 2 };

/// A module in CODE. What is there in several forms is one `unit`, of which the
/// first form that the device takes is loaded: a cubin of its architecture
/// before PTX. `entry` of a kernel is the number of its unit, its name the
/// symbol there.
struct tenon_device_module_record {
  uint64_t offset;
  uint64_t size;
  uint32_t unit;
  uint32_t kind;
  uint32_t architecture;
  uint32_t reserved;
};

/// Which end of a guarded buffer touches its guard.
enum tenon_guard {
  TENON_GUARD_NONE = 0,
  TENON_GUARD_ABOVE = 1,
  TENON_GUARD_BELOW = 2
};

/// PLAN: this header, then the buffers of the memory plan. They are for
/// reports, the launches are what runs; only a guarded arena heeds them. A file
/// of several entries has plain numbers in them. `arena_bytes` is that of the
/// program that needs most, of those for which it is a number. The lower bound
/// is zero where it depends on the shapes.
struct tenon_plan_header {
  uint64_t arena_bytes;
  /// What no program exceeds for any shapes that its size program lets pass; 0:
  /// not known. Where it is, it is no less than `arena_bytes`.
  uint64_t arena_bound_bytes;
  uint64_t arena_alignment;
  uint64_t lower_bound_bytes;
  uint32_t buffer_count;
  /// Zero unless the file is GUARDED.
  uint32_t guard;
};

/// Live from before launch `first` to after launch `last`.
struct tenon_buffer_record {
  tenon_size_value offset;
  tenon_size_value size;
  uint32_t id;
  uint32_t first_launch;
  uint32_t last_launch;
  uint32_t reserved;
};

/// What bytecode.def lists: opcodes, kinds of values, kinds of callees.
enum tenon_opcode {
#define TENON_OPCODE(number, name, ...) TENON_OPCODE_##name = number,
#include "tenon/bytecode.def"
};

enum tenon_kind {
#define TENON_VALUE_KIND(number, name, ...) TENON_KIND_##name = number,
#include "tenon/bytecode.def"
};

enum tenon_callee_kind {
#define TENON_CALLEE_KIND(number, name, ...) TENON_CALLEE_##name = number,
#include "tenon/bytecode.def"
};

/// Those of primitives.def.
enum tenon_primitive {
#define TENON_PRIMITIVE(number, name, ...) TENON_PRIMITIVE_##name = number,
#include "tenon/primitives.def"
};

/// BYTECODE: this header, then what it counts: integers, functions,
/// instructions, types, callees, operands (uint32_t, numbers of registers).
/// All counts are zero in a file without bytecode.
struct tenon_bytecode_header {
  uint32_t integer_count;
  uint32_t function_count;
  uint32_t instruction_count;
  uint32_t type_count;
  uint32_t callee_count;
  uint32_t operand_count;
};

/// Its registers have `register_count` types from `first_type` on; behind them
/// are those of its results. The first registers are the parameters.
struct tenon_function_record {
  tenon_name_ref name;
  uint32_t first_type;
  uint32_t register_count;
  uint32_t parameter_count;
  uint32_t result_count;
  uint32_t first_instruction;
  uint32_t instruction_count;
  uint32_t reserved;
};

#define TENON_TYPE_RANK_ANY 0xffu

/// What a register holds: a tenon_kind, the element type, and the rank,
/// which for what is no tensor is that of the elements, and does not bind.
struct tenon_type_record {
  uint8_t kind;
  uint8_t type_code;
  uint8_t type_bits;
  uint8_t rank;
};

/// A tenon_callee_kind and a number: of a function, of an entry that is no
/// bytecode, or of primitives.def.
struct tenon_callee_record {
  uint32_t kind;
  uint32_t number;
};

/// What bytecode.def says of the opcode; all else is zero. The operands begin
/// with the registers of the results. Targets are numbers of instructions of
/// the function. `node` is for errors.
struct tenon_instruction_record {
  uint32_t opcode;
  tenon_name_ref node;
  uint32_t callee;
  uint32_t first_operand;
  uint32_t result_count;
  uint32_t operand_count;
  uint32_t first_integer;
  uint32_t integer_count;
  uint32_t targets[2];
};

#endif // TENON_ARTIFACT_FORMAT_H
