//===- Artifact.cpp - writing artifacts -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lays sections out and streams them to a file. The header goes
// first as zeroes and is written last, when all checksums are known.
//===----------------------------------------------------------------------===//
#include "lib/Target/Artifact/Artifact.h"

#include "lib/Target/Artifact/Encode.h"
#include "tenon/checksum.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon::artifact;

uint64_t
tenon::artifact::layoutWeights(llvm::MutableArrayRef<WeightDesc> weights) {
  uint64_t end = 0;
  for (WeightDesc &weight : weights) {
    weight.offset = llvm::alignTo(end, std::max<uint64_t>(weight.alignment, 1));
    end = weight.offset + weight.size;
  }
  return end;
}

uint64_t VariantDesc::scratchBytes() const {
  uint64_t most = 0;
  for (const LaunchDesc &launch : launches)
    most = std::max(most, launch.scratchBytes);
  return most;
}

namespace {

/// Writes sections one after the other, and the header about them.
class Writer {
public:
  Writer(const ArtifactDesc &desc, bool isStatic, llvm::raw_ostream &os)
      : os(os), start(os.tell()) {
    memcpy(header.magic, TENON_MAGIC, sizeof header.magic);
    header.version = TENON_FORMAT_VERSION;
    const VariantDesc &best = desc.variants[0];
    uint32_t count = desc.variants.size();
    header.flags = (isStatic ? TENON_FILE_STATIC : 0) |
                   (best.plan.guard != Guard::None ? TENON_FILE_GUARDED : 0) |
                   (count > 1 ? TENON_FILE_VARIANTS : 0) |
                   (hasDevices(desc) ? TENON_FILE_DEVICE : 0) |
                   (hasSchedule(desc) ? TENON_FILE_SCHEDULE : 0);
    header.architecture = encodeArchitecture(desc.architecture);
    header.section_count = tenon_section_count(count, header.flags);
    if (count == 1)
      header.features = encodeFeatures(header.architecture, best.features);
    os.write_zeros(sizeof header +
                   header.section_count * sizeof(tenon_section));
  }

  void section(uint32_t kind, llvm::StringRef bytes) {
    begin(kind);
    os << bytes;
    end(tenon_checksum_bytes(bytes.data(), bytes.size()));
  }

  /// Pads to the section's alignment; what is written next belongs to it.
  void begin(uint32_t kind) {
    uint64_t alignment = tenon_section_alignment(kind);
    os.write_zeros(llvm::offsetToAlignment(position(), llvm::Align(alignment)));
    table.push_back({kind, 0, position(), 0, alignment, 0});
  }

  void end(uint64_t checksum) {
    table.back().size = position() - table.back().offset;
    table.back().checksum = checksum;
  }

  /// A section that lies elsewhere.
  void external(uint32_t kind, uint64_t size, uint64_t checksum) {
    table.push_back(
        {kind, TENON_SECTION_EXTERNAL, 0, size, TENON_PAGE_BYTES, checksum});
  }

  /// The bytes of header and table, to go to the start.
  std::string finish() {
    header.file_bytes = position();
    std::string bytes = headBytes();
    header.checksum = tenon_checksum_bytes(bytes.data(), bytes.size());
    return headBytes();
  }

  uint64_t position() const { return os.tell() - start; }

private:
  std::string headBytes() const {
    std::string bytes(reinterpret_cast<const char *>(&header), sizeof header);
    bytes.append(reinterpret_cast<const char *>(table.data()),
                 table.size() * sizeof(tenon_section));
    return bytes;
  }

  llvm::raw_ostream &os;
  uint64_t start;
  tenon_file_header header = {};
  std::vector<tenon_section> table;
};

} // namespace

namespace {

/// Sums and writes the weights section piece by piece, so that the bytes are
/// still in the cache when they are written.
class WeightWriter {
public:
  explicit WeightWriter(llvm::raw_ostream &os) : os(os) {
    tenon_checksum_begin(&state);
  }

  void put(llvm::ArrayRef<uint8_t> bytes) {
    position += bytes.size();
    while (!bytes.empty()) {
      llvm::ArrayRef<uint8_t> piece =
          bytes.take_front(std::min(bytes.size(), pieceBytes));
      tenon_checksum_update(&state, piece.data(), piece.size());
      os.write(reinterpret_cast<const char *>(piece.data()), piece.size());
      bytes = bytes.drop_front(piece.size());
    }
  }

  void padTo(uint64_t offset) {
    static constexpr uint8_t zeroes[TENON_PAGE_BYTES] = {};
    while (position < offset)
      put({zeroes, std::min<size_t>(offset - position, sizeof zeroes)});
  }

  llvm::Error constant(const WeightDesc &weight) {
    padTo(weight.offset);
    if (!weight.stream) {
      put(weight.data);
      return llvm::Error::success();
    }
    if (llvm::Error error = weight.stream([&](auto bytes) { put(bytes); }))
      return error;
    if (uint64_t sent = position - weight.offset; sent != weight.size)
      return makeError("a constant of " + llvm::Twine(weight.size) +
                       " bytes has sent " + llvm::Twine(sent));
    return llvm::Error::success();
  }

  uint64_t checksum() { return tenon_checksum_end(&state); }

private:
  /// Half of what a second-level cache holds.
  static constexpr size_t pieceBytes = 256 << 10;

  llvm::raw_ostream &os;
  tenon_checksum state;
  uint64_t position = 0;
};

} // namespace

/// Streams the weights with the zeroes between them and returns their checksum.
static llvm::Expected<uint64_t> writeWeights(llvm::ArrayRef<WeightDesc> weights,
                                             llvm::raw_ostream &os) {
  WeightWriter writer(os);
  for (const WeightDesc &weight : weights)
    if (llvm::Error error = writer.constant(weight))
      return std::move(error);
  return writer.checksum();
}

static void writeSmallSections(const ArtifactDesc &desc, bool isStatic,
                               Writer &writer) {
  for (const EncodedSection &section : encodeSections(desc, isStatic))
    writer.section(section.kind, section.bytes);
}

static llvm::Expected<ArtifactSizes> writeTo(const ArtifactDesc &desc,
                                             llvm::raw_pwrite_stream &os) {
  Writer writer(desc, /*isStatic=*/false, os);
  writeSmallSections(desc, /*isStatic=*/false, writer);
  ArtifactSizes sizes;
  for (const VariantDesc &variant : desc.variants) {
    writer.section(TENON_SECTION_CODE, llvm::toStringRef(variant.code));
    sizes.codeBytes += variant.code.size();
  }
  writer.begin(TENON_SECTION_WEIGHTS);
  llvm::Expected<uint64_t> checksum = writeWeights(desc.weights, os);
  if (!checksum)
    return checksum.takeError();
  writer.end(*checksum);
  std::string head = writer.finish();
  os.pwrite(head.data(), head.size(), 0);
  sizes.fileBytes = writer.position();
  sizes.weightsBytes = weightsSize(desc.weights);
  return sizes;
}

/// The system keeps what one aligned call writes in pieces of memory as large
/// as that. Pieces of two megabytes are mapped by one entry each: the first
/// read of the weights is four times as fast as over single pages, later ones
/// up to 4 % faster than over pieces of 512 KiB.
static constexpr size_t writeBytes = size_t(2048) << 10;

static llvm::Expected<ArtifactSizes> writeToDescriptor(const ArtifactDesc &desc,
                                                       int descriptor,
                                                       llvm::StringRef path) {
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/false);
  os.SetBufferSize(writeBytes);
  llvm::Expected<ArtifactSizes> sizes = writeTo(desc, os);
  os.flush();
  if (!os.has_error())
    return sizes;
  std::error_code code = os.error();
  os.clear_error();
  if (!sizes)
    return sizes.takeError();
  return makeError("cannot write '" + path + "': " + code.message());
}

llvm::Expected<ArtifactSizes>
tenon::artifact::writeArtifact(const ArtifactDesc &desc, llvm::StringRef path) {
  if (llvm::Error error = validate(desc, /*isStatic=*/false))
    return std::move(error);
  auto temporary = llvm::sys::fs::TempFile::create(path + ".%%%%%%%%");
  if (!temporary)
    return makeError("cannot create '" + path +
                     "': " + llvm::toString(temporary.takeError()));
  llvm::Expected<ArtifactSizes> sizes =
      writeToDescriptor(desc, temporary->FD, path);
  if (!sizes)
    return llvm::joinErrors(sizes.takeError(), temporary->discard());
  if (llvm::Error error = temporary->keep(path))
    return makeError("cannot create '" + path +
                     "': " + llvm::toString(std::move(error)));
  return sizes;
}

//===----------------------------------------------------------------------===//
// Static linking
//===----------------------------------------------------------------------===//

static bool isIdentifier(llvm::StringRef text) {
  return !text.empty() && !llvm::isDigit(text[0]) &&
         llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// What tells floats of eight bits and fewer apart.
static llvm::StringRef smallLayout(DType type) {
  using namespace dtype;
  static constexpr std::pair<DType, llvm::StringLiteral> layouts[] = {
      {f8E4M3FN, "_e4m3fn"},   {f8E4M3FNUZ, "_e4m3fnuz"},
      {f8E5M2, "_e5m2"},       {f8E5M2FNUZ, "_e5m2fnuz"},
      {f8E8M0FNU, "_e8m0fnu"}, {f4E2M1FN, "_e2m1fn"}};
  for (const auto &[known, layout] : layouts)
    if (known == type)
      return layout;
  return "";
}

/// `float32`
static std::string typeName(DType type) {
  static constexpr llvm::StringLiteral types[] = {
      "int", "uint", "float", "handle", "bfloat", "complex", "bool"};
  if (type == dtype::string)
    return "string";
  llvm::StringRef layout = smallLayout(type);
  llvm::StringRef name = layout.empty() ? types[type.code] : types[2];
  return (name + llvm::Twine(unsigned(type.bits)) + layout).str();
}

static llvm::StringRef kindWord(ValueKind kind) {
  static constexpr llvm::StringLiteral words[] = {
      "", "sequence of ", "optional ", "optional sequence of "};
  return words[static_cast<uint8_t>(kind)];
}

/// Without anything that could end a comment.
static std::string printable(llvm::StringRef name) {
  std::string text;
  for (char c : name)
    text += llvm::isPrint(c) && c != '*' && c != '\\' ? c : '_';
  return text;
}

/// A number, or the name of what the caller chooses.
static std::string describeDim(const TensorDesc &tensor, size_t index) {
  if (tensor.shape[index] >= 0)
    return std::to_string(tensor.shape[index]);
  if (tensor.dimNames.empty() || tensor.dimNames[index].empty())
    return "?";
  return printable(tensor.dimNames[index]);
}

/// `float32 [1x3] x`
static std::string describe(const TensorDesc &tensor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << kindWord(tensor.kind) << typeName(tensor.type);
  if (tensor.hasAnyRank) {
    os << " " << printable(tensor.name);
    return text;
  }
  os << " [";
  llvm::interleave(
      llvm::seq(tensor.shape.size()), os,
      [&](size_t index) { os << describeDim(tensor, index); },
      llvm::any_of(tensor.shape, [](int64_t dim) { return dim < 0; }) ? ", "
                                                                      : "x");
  os << "] " << printable(tensor.name);
  return text;
}

static std::string makeHeader(const ArtifactDesc &desc,
                              llvm::StringRef symbol) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string guard = symbol.upper() + "_H";
  os << "/* Written by tenon-compile. Load with tenon_model_load_static(&"
     << symbol << ", &model).\n *\n";
  for (const EntryDesc &entry : desc.entries) {
    if (entry.isInternal)
      break;
    if (desc.entries.size() > 1)
      os << " * entry '" << printable(entry.name) << "'\n";
    for (const TensorDesc &tensor : entry.inputs)
      os << " * input:  " << describe(tensor) << "\n";
    for (const TensorDesc &tensor : entry.outputs)
      os << " * output: " << describe(tensor) << "\n";
  }
  os << " */\n#ifndef " << guard << "\n#define " << guard
     << "\n\n#include \"tenon-c/Runtime.h\"\n\n#ifdef __cplusplus\n"
        "extern \"C\" {\n#endif\n\nextern const tenon_static_model "
     << symbol << ";\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  return text;
}

llvm::Expected<StaticParts>
tenon::artifact::writeStaticParts(const ArtifactDesc &desc,
                                  llvm::StringRef symbol,
                                  llvm::raw_ostream &weights) {
  if (!isIdentifier(symbol))
    return makeError("'" + symbol + "' is not a C identifier");
  if (llvm::Error error = validate(desc, /*isStatic=*/true))
    return std::move(error);
  StaticParts parts;
  llvm::Expected<uint64_t> checksum = writeWeights(desc.weights, weights);
  if (!checksum)
    return checksum.takeError();
  parts.weightsBytes = weightsSize(desc.weights);
  llvm::raw_string_ostream os(parts.meta);
  Writer writer(desc, /*isStatic=*/true, os);
  writeSmallSections(desc, /*isStatic=*/true, writer);
  writer.external(TENON_SECTION_WEIGHTS, parts.weightsBytes, *checksum);
  std::string head = writer.finish();
  os.flush();
  parts.meta.replace(0, head.size(), head);
  parts.header = makeHeader(desc, symbol);
  return parts;
}
