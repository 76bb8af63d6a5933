//===- Artifact.h - what an artifact holds, and its writer ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file describes one compiled model (ArtifactDesc) and writes it as one
// file, or as the parts of an object file for static linking. The format is in
// docs/spec/artifact.md; runtime/ reads it. Nothing here knows MLIR.
//
//   ArtifactDesc desc;
//   desc.entries[0].inputs.push_back({"x", dtype::f32, {1, 3, 224, 224}});
//   desc.weights.push_back({bytes, 64, fill});
//   layoutWeights(desc.weights);               // now weights[i].offset is set
//   desc.variants[0].launches.push_back(...);  // references use these offsets
//   if (llvm::Error error = writeArtifact(desc, "model.tenon")) ...
//
// Most sizes are *size values*: a number as it is where it is not negative,
// else `registerValue(n)` of the entry's size program. Its registers are the
// extents of all inputs in order, also of those that are fixed, then the
// capacities of states, then what each instruction yields.
//===----------------------------------------------------------------------===//
#ifndef TENON_TARGET_ARTIFACT_ARTIFACT_H
#define TENON_TARGET_ARTIFACT_ARTIFACT_H

#include "lib/Support/Time.h"
#include "lib/Target/Artifact/Device.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tenon::artifact {

/// An element type in DLPack's terms: a type code, and the bits of a lane.
struct DType {
  uint8_t code = 0;
  uint8_t bits = 0;
  bool operator==(const DType &other) const = default;
};

/// The element types by their MLIR names; `i1` and those of fewer than eight
/// bits take one byte per element.
namespace dtype {
inline constexpr DType i2{0, 2}, i4{0, 4}, ui2{1, 2}, ui4{1, 4};
inline constexpr DType i8{0, 8}, i16{0, 16}, i32{0, 32}, i64{0, 64};
inline constexpr DType ui8{1, 8}, ui16{1, 16}, ui32{1, 32}, ui64{1, 64};
inline constexpr DType f16{2, 16}, f32{2, 32}, f64{2, 64}, bf16{4, 16};
inline constexpr DType i1{6, 8};
inline constexpr DType f8E4M3FN{10, 8}, f8E4M3FNUZ{11, 8};
inline constexpr DType f8E5M2{12, 8}, f8E5M2FNUZ{13, 8}, f8E8M0FNU{14, 8};
inline constexpr DType f4E2M1FN{17, 4};
/// Strings of bytes, of any length; only where there is bytecode.
inline constexpr DType string{200, 64};
} // namespace dtype

/// The size value of register `number`.
constexpr int64_t registerValue(int64_t number) { return -1 - number; }

/// A size that data decide; see TensorDesc.
inline constexpr int64_t unknownSize = INT64_MIN;

/// What a register or an input is; the values are part of the format.
enum class ValueKind : uint8_t {
  Tensor = 0,
  Sequence,
  Optional,
  OptionalSequence
};

/// An input or output of the model: contiguous, row-major. An extent of what
/// bytecode gives may be `unknownSize`. What is no tensor states what holds for
/// its elements, in numbers and `unknownSize`, and has no registers.
struct TensorDesc {
  std::string name;
  DType type;
  /// Size values; of an input numbers, or its own registers.
  std::vector<int64_t> shape;
  /// Of the dimensions that have one, for errors and listings: as many as
  /// dimensions ("" for none), or nothing.
  std::vector<std::string> dimNames = {};
  /// Elements times element size, as a size value. May be left out where all
  /// dimensions are numbers.
  std::optional<int64_t> byteSize = {};
  ValueKind kind = ValueKind::Tensor;
  /// It may have any number of dimensions; `shape` is empty.
  bool hasAnyRank = false;
};

/// The values are part of the format, whose header says what they do.
enum class SizeOp : uint32_t {
  Add = 1,
  Sub,
  Mul,
  FloorDiv,
  Mod,
  Min,
  Max,
  Broadcast,
  CheckEqual,
  CheckAtLeast,
  CheckAtMost,
  CheckMultiple
};

/// An instruction of a size program. `a` and `b` are size values; their
/// registers are those of earlier instructions. `text` goes into errors: what
/// asks for the relation, or what the number is of.
struct SizeInstruction {
  SizeOp op = SizeOp::Add;
  int64_t a = 0;
  int64_t b = 0;
  std::string text = {};
};

/// The output of a state that its entry reads only.
inline constexpr uint32_t stateIsRead = UINT32_MAX;

/// An input that is an output of the run before, by their numbers. With an
/// `axis`, both are one buffer that grows along this dimension: launches refer
/// to the output's space only, and where the input lies elsewhere the run time
/// copies it there. Such a buffer has the strides of so many elements along the
/// axis as register `capacity` of the entry's capacities says, or of those that
/// there are where that is less. States of one name in several entries are one
/// tensor. One that is updated may be one buffer, too, which launches
/// overwrite.
struct StateDesc {
  uint32_t input = 0;
  uint32_t output = 0; ///< or `stateIsRead`
  std::optional<uint32_t> axis = {};
  uint32_t capacity = 0;
  uint32_t role = 0; ///< tenon_state_role
  /// The weight that it is before the first run; none: zeros.
  std::optional<uint32_t> first = {};
  bool isUpdated = false;
  bool operator==(const StateDesc &other) const = default;
};

/// What can be run: its launches are those of each variant with its number, or
/// a function of bytecode.
struct EntryDesc {
  std::string name = "main";
  std::vector<TensorDesc> inputs = {};
  std::vector<TensorDesc> outputs = {};
  /// Only bytecode calls it. These entries stand last.
  bool isInternal = false;
  /// Of ArtifactDesc::functions. Its parameters are the inputs, its results the
  /// outputs.
  std::optional<uint32_t> function = {};
  std::vector<StateDesc> states = {};
};

/// What a register holds. No rank: any.
struct ValueType {
  DType type;
  std::optional<uint8_t> rank = {};
  ValueKind kind = ValueKind::Tensor;
};

enum class Opcode : uint32_t { Call = 1, Return, Goto, If };

/// What a call calls: a function by its number, an entry by its number, or a
/// primitive by that of primitives.def. The values are part of the format.
enum class CalleeKind : uint32_t { Function = 0, Program, Primitive };

/// An instruction of bytecode; bytecode.def says what each opcode has. Results
/// and operands are registers; targets are instructions of the function. `node`
/// goes into errors.
///
/// An operand that the next instruction kills, or that is a result, too, is
/// handed over: what can be changed in place is.
struct InstructionDesc {
  Opcode opcode = Opcode::Call;
  CalleeKind calleeKind = CalleeKind::Primitive;
  uint32_t callee = 0;
  std::vector<uint32_t> results = {};
  std::vector<uint32_t> operands = {};
  std::vector<int64_t> integers = {};
  std::vector<uint32_t> targets = {};
  std::string node = {};
};

/// A function of bytecode. The first registers are its parameters. A tensor may
/// be given where an optional is taken.
struct FunctionDesc {
  std::string name;
  uint32_t parameterCount = 0;
  std::vector<ValueType> registers = {};
  std::vector<ValueType> results = {};
  std::vector<InstructionDesc> instructions = {};
};

/// What a reference points into; the values are part of the format.
enum class Space : uint32_t { Arena = 0, Weights = 1, Input = 2, Output = 3 };

/// Rows of `run` bytes, `pitch` apart, between two ends.
struct PieceDesc {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t run = 0;
  int64_t pitch = 0;
};

/// A buffer operand of a launch: bytes [offset, offset + size) of a space.
/// `index` is the number of the entry's input or output, else 0. `size` bounds
/// what the kernel touches from `offset` on; the run time checks that it lies
/// within the space. Both are size values.
struct BufferRef {
  Space space = Space::Arena;
  uint32_t index = 0;
  int64_t offset = 0;
  int64_t size = 0;
  /// What is written through it, from `offset` on; nothing: any bytes. For
  /// launches that run beside others.
  std::optional<PieceDesc> piece = {};
};

/// One call of a kernel over tiles [0, tiles). `refs` in the kernel's operand
/// order: reads first (`readCount` of them), then writes. With `steps`, one
/// after the other, over [0, tiles), [tiles, 2 * tiles), ... `tiles` and
/// `steps` are size values.
struct LaunchDesc {
  uint32_t kernel = 0;
  int64_t tiles = 1;
  uint32_t readCount = 0;
  std::vector<BufferRef> refs;
  /// Names of the ONNX nodes that the launch computes, for profiles and errors.
  std::vector<std::string> nodes;
  /// Per launch, for profiles; zero when unknown. Size values.
  int64_t flops = 0;
  int64_t bytes = 0;
  int64_t steps = 1;
  /// Expected of the plan that was taken, by its strategy's name, then of each
  /// other strategy that could have computed it, the fastest first; for
  /// reports, not in the file.
  std::vector<std::pair<std::string, Time>> costs = {};
  /// What each thread that runs tiles has for itself meanwhile.
  uint64_t scratchBytes = 0;
  /// The number of its entry; those of one entry follow each other.
  uint32_t entry = 0;
  /// Launches of one stream run in their order; only a device has others.
  uint32_t stream = 0;
  /// The numbers of launches that must have run before.
  std::vector<uint32_t> waits = {};
  /// Neighbours with one number may run at once; numbers grow within an entry.
  std::optional<uint32_t> wave = {};
  /// What it is expected to take beside others of its wave, which share threads
  /// by that; 0 is 1.
  uint32_t nanoseconds = 0;
  /// Size values, which become the sizes of its calls.
  std::vector<int64_t> sizes = {};
  /// For typical sizes, for reports; not in the file.
  int64_t typicalFlops = 0, typicalBytes = 0;
};

/// A kernel: `entry` is its offset from the start of the code image, on a
/// device the number of its unit.
struct KernelDesc {
  std::string name;
  uint64_t entry = 0;
  double errorGrowth = 1; ///< for reports; not in the file
  bool oneCall = false;   ///< of each thread, in a launch's step
  bool checked = false;   ///< its launches' last operand is the fault word
  DeviceUse use = {};     ///< for reports; not in the file
};

/// Takes the next bytes of a constant; whoever calls may reuse them afterwards.
using WeightSink = llvm::function_ref<void(llvm::ArrayRef<uint8_t>)>;

/// One constant of the weights section. `stream`, called once when its turn
/// comes, sends its `size` bytes from the first to the last, in pieces of any
/// size: so packed constants never exist whole. `data` instead of `stream` when
/// the bytes lie ready; it must outlive the write.
struct WeightDesc {
  uint64_t size = 0;
  uint64_t alignment = 64;
  std::function<llvm::Error(WeightSink)> stream;
  llvm::ArrayRef<uint8_t> data;
  /// Set by layoutWeights: from the start of the weights section.
  uint64_t offset = 0;
};

/// A buffer of the memory plan, live from before launch `first` to after
/// launch `last`; for reports only, unless the plan is guarded.
struct PlanBuffer {
  uint32_t id = 0;
  int64_t offset = 0; ///< a size value
  int64_t size = 0;   ///< a size value
  uint32_t first = 0;
  uint32_t last = 0;
};

/// Which end of each buffer touches a page of nothing; the values are part of
/// the format. A guarded plan's buffers are in the order of their offsets.
enum class Guard : uint32_t { None = 0, Above = 1, Below = 2 };

/// The unit of a guarded arena: its alignment, the size of a guard.
inline constexpr uint64_t guardBytes = 65536;

/// With several entries all sizes here but `programArenas` are numbers.
struct PlanDesc {
  int64_t arenaBytes = 0; ///< a size value
  uint64_t arenaAlignment = 64;
  uint64_t lowerBoundBytes = 0; ///< 0 where it depends on the shapes
  std::vector<PlanBuffer> buffers;
  Guard guard = Guard::None;
  /// For typical sizes, for reports; not in the file. 0: it is a number.
  int64_t typicalArenaBytes = 0;
  /// What no program exceeds for shapes that size programs let pass; nothing or
  /// 0 where that is not known.
  std::optional<int64_t> boundBytes = 0;
  /// Of each entry, size values; empty: they all have `arenaBytes`.
  std::vector<int64_t> programArenas = {};

  int64_t programArena(size_t entry) const {
    return programArenas.empty() ? arenaBytes : programArenas[entry];
  }
};

/// The program compiled for one processor or device.
struct VariantDesc {
  /// LLVM's name of the processor, of a device "cuda-" and that of its
  /// architecture; variants of one artifact differ in it.
  std::string targetCpu;
  /// LLVM feature names that the code may use ("avx2", "fma", ...), a leading
  /// '+' allowed. The run time takes no variant that needs one which the
  /// processor lacks. Names that the format does not know are ignored (they
  /// are tuning flags).
  std::vector<std::string> features;

  std::vector<KernelDesc> kernels;
  std::vector<LaunchDesc> launches;
  PlanDesc plan;

  /// The linked image: flat, position independent, without relocations or
  /// imports, never written to (it is mapped read-execute). Code and its
  /// constants together. Borrowed.
  /// Of a device the bytes of its modules.
  llvm::ArrayRef<uint8_t> code;

  /// What makes it a device's. The features are ignored then.
  std::optional<DeviceDesc> device = {};

  /// The most that a launch wants for each thread.
  uint64_t scratchBytes() const;

  /// The launches of each wave: the first, and how many.
  std::vector<std::pair<uint32_t, uint32_t>> waves() const;
};

/// One compiled model. All vectors keep their order; equal descriptions give
/// byte-identical files.
struct ArtifactDesc {
  std::string modelName;
  /// "x86_64" or "aarch64".
  std::string architecture = "x86_64";

  /// At least one; the first is run where none is named.
  std::vector<EntryDesc> entries = std::vector<EntryDesc>(1);
  /// Of each entry, shared by all variants; empty where no entry has symbols.
  /// An entry whose inputs have no registers and whose program is empty may not
  /// use registers.
  std::vector<std::vector<SizeInstruction>> sizePrograms;
  /// What entries and other functions run; no function calls itself, not even
  /// through others.
  std::vector<FunctionDesc> functions;
  /// Of all variants; what several use is here once.
  std::vector<WeightDesc> weights;
  /// At least one, the best first: the run time takes the first that it can.
  /// All plans have the same guards. The last one is a processor's.
  std::vector<VariantDesc> variants = std::vector<VariantDesc>(1);
};

/// Gives each weight its offset, in order, and returns the section's size.
uint64_t layoutWeights(llvm::MutableArrayRef<WeightDesc> weights);

/// The sizes that reports show.
struct ArtifactSizes {
  uint64_t fileBytes = 0;
  uint64_t codeBytes = 0;
  uint64_t weightsBytes = 0;
};

/// Writes `desc` to `path` atomically (a temporary file beside it, renamed at
/// the end; no file is left behind on failure). Weights are streamed, in order.
/// Fails when the description is inconsistent (the same rules as the run time's
/// loader), when a constant fails or sends too few or too many bytes, or on I/O
/// errors.
llvm::Expected<ArtifactSizes> writeArtifact(const ArtifactDesc &desc,
                                            llvm::StringRef path);

/// The parts of a statically linked model, for the emitter of the object file.
struct StaticParts {
  /// The artifact without code and weights; goes into read-only data, aligned
  /// to 64 bytes.
  std::string meta;
  /// The C header. It declares `extern const tenon_static_model <symbol>;`.
  std::string header;
  uint64_t weightsBytes = 0;
};

/// Makes the parts for a model that programs will call `symbol` (a C
/// identifier), and streams the weights to `weights`. The object file must
/// define the constant
///   `symbol`: { i64 56, ptr meta, i64 metaBytes, ptr weights,
///               i64 weightsBytes, ptr kernels, i64 kernelCount }
/// where `kernels` is an array of kernel function pointers, those of each
/// variant in turn, and `weights` is aligned to 64 bytes.
/// KernelDesc::entry and VariantDesc::code are ignored.
llvm::Expected<StaticParts> writeStaticParts(const ArtifactDesc &desc,
                                             llvm::StringRef symbol,
                                             llvm::raw_ostream &weights);

} // namespace tenon::artifact

#endif // TENON_TARGET_ARTIFACT_ARTIFACT_H
