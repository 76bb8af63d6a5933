//===- Child.cpp - a program that runs beside -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/CAPI/Child.h"
#include "lib/CAPI/Isolate.h"
#include "lib/CAPI/Wire.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tenon::capi;
using llvm::StringRef;

extern char **environ;

std::string tenon::capi::findProgram() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&tenon_compile), &info))
    return "";
  StringRef folder = llvm::sys::path::parent_path(info.dli_fname);
  // Of a package for Python, of a prefix, of one with Debian's folders.
  for (const char *place : {"bin", "../bin", "../../bin"}) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, place, "tenon-compile");
    if (llvm::sys::fs::can_execute(path))
      return path.str().str();
  }
  return "";
}

/// The same descriptor above those that the child begins with.
static int moveUp(int file) {
  constexpr int free = 16;
  if (file < 0)
    return -1;
  int moved = fcntl(file, F_DUPFD_CLOEXEC, free);
  close(file);
  return moved;
}

/// A file without a name that has these bytes, or -1.
static int memoryFile(StringRef bytes) {
  int file = moveUp(memfd_create("tenon", MFD_CLOEXEC));
  while (file >= 0 && !bytes.empty()) {
    ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      close(file);
      return -1;
    }
    bytes = bytes.drop_front(size_t(written));
  }
  return file;
}

std::string Child::start(const std::string &program, StringRef model) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
    return std::strerror(errno);
  talk = moveUp(pair[0]);
  int other = moveUp(pair[1]), bytes = memoryFile(model);
  output = memoryFile("");
  std::string wrong = talk < 0 || other < 0 || bytes < 0 || output < 0
                          ? std::strerror(errno)
                          : spawn(program, other, bytes);
  for (int file : {other, bytes})
    if (file >= 0)
      close(file);
  return wrong;
}

std::string Child::spawn(const std::string &program, int socket, int model) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, 1);
  posix_spawn_file_actions_adddup2(&files, output, 2);
  posix_spawn_file_actions_adddup2(&files, socket, childSocket);
  posix_spawn_file_actions_adddup2(&files, model, childModel);
  // A group of its own: Ctrl-C is the caller's.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                            POSIX_SPAWN_SETSIGDEF |
                                            POSIX_SPAWN_SETSIGMASK);
  std::string name = program, word = isolatedWord;
  char *arguments[] = {name.data(), word.data(), nullptr};
  int wrong = posix_spawn(&process, program.c_str(), &files, &attributes,
                          arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (!wrong)
    return "";
  process = 0;
  return std::strerror(wrong);
}

bool Child::hasSpoken(int milliseconds) const {
  pollfd file = {talk, POLLIN, 0};
  return poll(&file, 1, milliseconds) > 0;
}

std::string Child::wait() {
  int status = 0;
  pid_t found = 0;
  while (process && (found = waitpid(process, &status, 0)) < 0 &&
         errno == EINTR)
    ;
  process = 0;
  // A host that awaits all its children has taken it.
  if (found <= 0)
    return "ended";
  if (!WIFSIGNALED(status))
    return "ended with status " + std::to_string(WEXITSTATUS(status));
  int signal = WTERMSIG(status);
  return "was ended by signal " + std::to_string(signal) + " (" +
         strsignal(signal) + ")";
}

std::string Child::lastWords() const {
  char text[512];
  ssize_t size = pread(output, text, sizeof text, 0);
  StringRef line =
      StringRef(text, size > 0 ? size_t(size) : 0).ltrim().split('\n').first;
  return line.empty() ? "" : ": " + line.str();
}

void Child::stop() {
  if (process)
    kill(process, SIGKILL);
  wait();
  for (int *file : {&talk, &output})
    if (*file >= 0)
      close(std::exchange(*file, -1));
}
