//===- Assembler.cpp - ptxas as a process ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Assembler.h"

#include "lib/Support/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace tenon;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {
/// A file that is removed in the end.
class Scratch {
public:
  static Expected<Scratch> create(StringRef extension) {
    Scratch scratch;
    if (std::error_code code =
            fs::createTemporaryFile("tenon-kernels", extension, scratch.path))
      return llvm::createStringError(code, "no temporary file: %s",
                                     code.message().c_str());
    scratch.remover = std::make_unique<llvm::FileRemover>(scratch.path);
    return scratch;
  }

  std::string text() const {
    auto content = llvm::MemoryBuffer::getFile(path);
    return content ? (*content)->getBuffer().str() : "";
  }

  llvm::SmallString<128> path;

private:
  std::unique_ptr<llvm::FileRemover> remover;
};

/// How a process ended and what it wrote.
struct Outcome {
  int status = 0;
  std::string text;
};

/// "ptxas 13.0.88", of what it says of itself: "... release 13.0, V13.0.88".
std::string nameOf(StringRef text) {
  StringRef version = text.split(", V").second.split('\n').first.trim();
  return ("ptxas " + (version.empty() ? text.trim() : version)).str();
}

class Ptxas : public cuda::Assembler {
public:
  explicit Ptxas(std::string path) : path(std::move(path)) {}

  /// Finds out the version.
  llvm::Error start() {
    auto outcome = run({"--version"});
    if (!outcome)
      return outcome.takeError();
    if (outcome->status)
      return llvm::createStringError("'%s' does not run", path.c_str());
    version = nameOf(outcome->text);
    return llvm::Error::success();
  }

  StringRef name() const override { return version; }

  Expected<cuda::Assembled>
  assemble(StringRef ptx, const tile::GpuTarget &target) const override {
    auto input = Scratch::create("ptx");
    auto output = Scratch::create("cubin");
    if (!input || !output)
      return llvm::joinErrors(input.takeError(), output.takeError());
    if (llvm::Error error = writeFile(input->path, ptx))
      return std::move(error);
    std::string device = ("-arch=" + target.name).str();
    auto outcome = run({"-v", device, "-o", output->path, input->path});
    if (!outcome)
      return outcome.takeError();
    if (outcome->status)
      return llvm::createStringError("ptxas: " + outcome->text);
    std::string cubin = output->text();
    return cuda::Assembled{{cubin.begin(), cubin.end()}, outcome->text};
  }

private:
  Expected<Outcome> run(llvm::ArrayRef<StringRef> arguments) const {
    auto log = Scratch::create("log");
    if (!log)
      return log.takeError();
    llvm::SmallVector<StringRef> all = {path};
    llvm::append_range(all, arguments);
    std::string error;
    StringRef logPath = log->path;
    int status = llvm::sys::ExecuteAndWait(
        path, all, std::nullopt, {StringRef(), logPath, logPath}, 0, 0, &error);
    if (status < 0)
      return llvm::createStringError("'%s' cannot be run: %s", path.c_str(),
                                     error.c_str());
    return Outcome{status, log->text()};
  }

  std::string path, version;
};
} // namespace

/// The paths of a tool that is not named; empty: it is not installed.
static std::string findTool() {
  std::vector<std::string> folders;
  if (const char *home = getenv("CUDA_HOME"); home && *home)
    folders.push_back(std::string(home) + "/bin");
  folders.push_back("/usr/local/cuda/bin");
  auto found = llvm::sys::findProgramByName("ptxas");
  if (!found)
    found = llvm::sys::findProgramByName(
        "ptxas", std::vector<StringRef>(folders.begin(), folders.end()));
  return found ? *found : "";
}

Expected<std::unique_ptr<cuda::Assembler>> cuda::findAssembler() {
  const char *named = getenv("TENON_PTXAS");
  if (named && !*named)
    return nullptr;
  std::string path = named ? named : findTool();
  if (path.empty())
    return openJitLink();
  auto ptxas = std::make_unique<Ptxas>(path);
  if (llvm::Error error = ptxas->start()) {
    if (named)
      return std::move(error);
    llvm::consumeError(std::move(error));
    return openJitLink();
  }
  return ptxas;
}
