//===- RunProgram.cpp - a program within limits ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/RunProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace tenon;
using llvm::StringRef;

/// Set by Ctrl-C: the child is in a session of its own and does not hear it.
static std::atomic<bool> isInterrupted = false;

/// Waits until the process has ended, or ends it.
static ProcessEnd await(pid_t process, unsigned seconds) {
  using Clock = std::chrono::steady_clock;
  auto last = Clock::now() + std::chrono::seconds(seconds);
  constexpr unsigned pause = 2000; // us
  ProcessEnd end;
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(process, &status, WNOHANG)) == 0 ||
         (ended < 0 && errno == EINTR)) {
    if (!end.isTooLong && (isInterrupted || Clock::now() > last)) {
      end.isTooLong = true;
      // It leads a session of its own.
      kill(-process, SIGKILL);
    }
    usleep(pause);
  }
  // What it left behind.
  kill(-process, SIGKILL);
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.status = WEXITSTATUS(status);
  return end;
}

llvm::Expected<ProcessEnd> tenon::runProgram(llvm::ArrayRef<std::string> words,
                                             const ProcessLimits &limits,
                                             StringRef scratch) {
  auto program = llvm::sys::findProgramByName(words.front());
  if (!program)
    return llvm::createStringError("cannot start '" + words.front() +
                                   "': " + program.getError().message());
  // A path is found whether or not there is something.
  if (!llvm::sys::fs::can_execute(*program))
    return llvm::createStringError("cannot start '" + words.front() +
                                   "': it is no program");
  if (isInterrupted)
    return llvm::createStringError("cancelled");
  // Where a parent ignores it, no status is kept.
  std::signal(SIGCHLD, SIG_DFL);
  llvm::sys::SetInterruptFunction([] { isInterrupted = true; });
  llvm::SmallVector<StringRef> arguments(words.begin(), words.end());
  std::optional<StringRef> files[] = {StringRef(""), scratch, scratch};
  std::string reason;
  bool failed = false;
  llvm::sys::fs::remove(scratch);
  llvm::sys::ProcessInfo process = llvm::sys::ExecuteNoWait(
      *program, arguments, std::nullopt, files, limits.megabytes, &reason,
      &failed, nullptr, /*DetachProcess=*/true);
  if (failed || process.Pid <= 0)
    return llvm::createStringError("cannot start '" + words.front() +
                                   "': " + reason);
  ProcessEnd end = await(process.Pid, limits.seconds);
  if (isInterrupted)
    return llvm::createStringError("cancelled");
  constexpr uint64_t most = 1 << 20;
  if (auto text = llvm::MemoryBuffer::getFile(scratch))
    end.output = (*text)->getBuffer().take_front(most).str();
  return end;
}

std::string tenon::programBeside(StringRef name) {
  llvm::SmallString<256> path(
      llvm::sys::fs::getMainExecutable(nullptr, nullptr));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, name);
  return llvm::sys::fs::can_execute(path) ? path.str().str() : name.str();
}
