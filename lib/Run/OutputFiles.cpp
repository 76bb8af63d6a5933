//===- OutputFiles.cpp - outputs as files of a folder ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/OutputFiles.h"

#include "lib/Run/Text.h"
#include "lib/Run/Unicode.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sys/stat.h>

using namespace tenon;
using namespace tenon::run;

/// What nearly all file systems allow a file's name, in bytes.
static constexpr size_t longestFileName = 255, keptOfLongName = 200;
/// For a number behind the name.
static constexpr size_t roomForNumber = 12;
/// A fourth of what systems allow a path.
static constexpr size_t longestPath = 1024;

static std::string escaped(uint8_t byte) { return format("%%%02X", byte); }

/// Each character as it stands in a file's name.
static std::vector<std::string> fileCharacters(const std::string &name) {
  std::vector<std::string> characters;
  for (size_t at = 0; at < name.size();) {
    auto first = uint8_t(name[at]);
    size_t size = characterSize(name, at);
    bool isPlain =
        size > 0 && first >= 32 && first != 127 && first != '/' && first != '%';
    characters.push_back(isPlain ? name.substr(at, size) : escaped(first));
    at += std::max<size_t>(size, 1);
  }
  return characters;
}

static uint64_t hashOf(const std::string &text) {
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (unsigned char c : text)
    hash = (hash ^ c) * 0x100000001b3;
  return hash;
}

/// Whether a part of a name can be a folder, or the file in it.
static bool isPathPart(const std::string &part) {
  return !part.empty() && part != "." && part != ".." &&
         !part.ends_with(".npy") && part != outputsManifest;
}

/// A part of a name, or all of it, in one file's name.
static std::string flatStemOf(const std::string &name) {
  if (name.empty())
    return "%";
  std::string whole, kept;
  for (const std::string &character : fileCharacters(name)) {
    whole += character;
    if (whole.size() <= keptOfLongName)
      kept = whole;
  }
  if (whole.size() + roomForNumber <= longestFileName - 4)
    return whole;
  return kept + format("%%~%016llx", (unsigned long long)hashOf(name));
}

/// outputFileName without the suffix.
static std::string stemOf(const std::string &name) {
  std::string path;
  for (size_t at = 0; at <= name.size();) {
    size_t end = std::min(name.find('/', at), name.size());
    std::string part = name.substr(at, end - at);
    if (!isPathPart(part) && part != name)
      return flatStemOf(name);
    path += (at ? "/" : "") + flatStemOf(part);
    at = end + 1;
  }
  return path.size() > longestPath ? flatStemOf(name) : path;
}

std::string tenon::run::outputFileName(const std::string &name) {
  return stemOf(name) + ".npy";
}

namespace {
/// Files by what the system knows them by.
class WrittenFiles {
public:
  bool contain(const std::string &path) const {
    struct stat status;
    return stat(path.c_str(), &status) == 0 &&
           known.count({status.st_dev, status.st_ino});
  }
  void add(const std::string &path) {
    struct stat status;
    if (stat(path.c_str(), &status) == 0)
      known.insert({status.st_dev, status.st_ino});
  }

private:
  std::set<std::pair<dev_t, ino_t>> known;
};
} // namespace

static Status makeFolder(const std::string &path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code)
    return Error{"cannot create '" + path + "': " + code.message()};
  return Done{};
}

static Result<std::string> writeOutput(const std::string &folder,
                                       const std::string &name,
                                       const Tensor &output,
                                       WrittenFiles &written) {
  std::string stem = stemOf(name), file = stem + ".npy";
  for (int number = 2; written.contain(folder + "/" + file); ++number)
    file = stem + "%~" + std::to_string(number) + ".npy";
  Status made = makeFolder(
      std::filesystem::path(folder + "/" + file).parent_path().string());
  if (!made)
    return made.error();
  Status status = writeNpy(output, folder + "/" + file);
  if (!status)
    return status.error();
  written.add(folder + "/" + file);
  return file;
}

static Result<std::string> tensorEntry(const std::string &folder,
                                       const std::string &name,
                                       const Tensor &tensor,
                                       WrittenFiles &written) {
  Result<std::string> file = writeOutput(folder, name, tensor, written);
  if (!file)
    return file;
  const TensorSpec &spec = tensor.spec;
  return Object()
      .add("name", quote(name))
      .add("file", quote(*file))
      .add("dtype", quote(typeName(spec.type)))
      .add("shape",
           array(spec.shape, [](int64_t dim) { return std::to_string(dim); }))
      .str();
}

/// A sequence is a folder of its tensors; what is absent is no file.
static Result<std::string> entryOf(const std::string &folder,
                                   const Tensor &output,
                                   WrittenFiles &written) {
  const std::string &name = output.spec.name;
  if (output.isTensor())
    return tensorEntry(folder, name, output, written);
  std::vector<std::string> entries;
  for (const Tensor &item : output.items) {
    Result<std::string> entry = tensorEntry(
        folder, name + "/" + std::to_string(entries.size()), item, written);
    if (!entry)
      return entry;
    entries.push_back(*entry);
  }
  Object object;
  object.add("name", quote(name))
      .add("kind", quote(kindName(output.spec.kind)));
  if (output.spec.kind == TENON_VALUE_SEQUENCE)
    object.add("elements", array(entries, [](auto &entry) { return entry; }));
  return object.str();
}

Status tenon::run::writeOutputs(const std::string &folder,
                                const std::vector<Tensor> &outputs) {
  Status made = makeFolder(folder);
  if (!made)
    return made;
  WrittenFiles written;
  std::vector<std::string> entries;
  for (const Tensor &output : outputs) {
    Result<std::string> entry = entryOf(folder, output, written);
    if (!entry)
      return entry.error();
    entries.push_back(*entry);
  }
  auto same = [](const std::string &entry) { return entry; };
  return writeText(folder + "/" + outputsManifest,
                   array(entries, same, ",\n ") + "\n");
}
