//===- Workers.cpp - graphs in processes of their own ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Workers.h"

#include "lib/Run/Measure.h"
#include "test/fuzz/Generate.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tenon;
using namespace tenon::fuzz;

/// So many graphs share what a process has loaded; no more, for its memory.
static constexpr uint64_t chunk = 100;

CheckOptions tenon::fuzz::optionsFor(const Work &work, uint64_t seed,
                                     const std::string &folder) {
  return {folder, work.kernelCache, work.cpus[seed % work.cpus.size()]};
}

//===-- Lines between processes -------------------------------------------===//

/// The verdict as a line without its end.
static std::string encode(uint64_t seed, const Verdict &verdict) {
  std::string line;
  llvm::raw_string_ostream(line)
      << seed << ' ' << unsigned(verdict.outcome) << ' ' << verdict.answers
      << ' ' << verdict.compileSeconds << ' ' << verdict.runSeconds << ' '
      << verdict.interpretSeconds << ' ' << verdict.kernels << ' '
      << verdict.cachedKernels << ' ' << (verdict.op.empty() ? "-" : verdict.op)
      << ' ' << llvm::toHex(verdict.text);
  return line;
}

static uint64_t decode(llvm::StringRef line, Verdict &verdict) {
  llvm::SmallVector<llvm::StringRef> words;
  line.split(words, ' ');
  verdict.outcome = Outcome(std::strtoul(words[1].str().c_str(), nullptr, 10));
  verdict.answers = words[2] == "1" || words[2] == "true";
  auto number = [&](unsigned i) {
    return std::strtod(words[i].str().c_str(), nullptr);
  };
  verdict.compileSeconds = number(3);
  verdict.runSeconds = number(4);
  verdict.interpretSeconds = number(5);
  verdict.kernels = int64_t(number(6));
  verdict.cachedKernels = int64_t(number(7));
  verdict.op = words[8] == "-" ? "" : words[8].str();
  verdict.text = words.size() > 9 ? llvm::fromHex(words[9]) : "";
  return std::strtoull(words[0].str().c_str(), nullptr, 10);
}

static void sendLine(int file, const std::string &line) {
  std::string bytes = line + "\n";
  for (size_t sent = 0; sent < bytes.size();) {
    ssize_t written = write(file, bytes.data() + sent, bytes.size() - sent);
    if (written <= 0)
      _exit(3);
    sent += size_t(written);
  }
}

//===-- Processes ---------------------------------------------------------===//

namespace {
/// A process that checks graphs one after the other.
struct Process {
  pid_t id = 0;
  int pipe = -1;
  uint64_t next = 0, end = 0; ///< what is not yet answered
  double deadline = 0;
  std::string folder, received;
};
} // namespace

/// What a process that is gone wrote last.
static std::string lastWords(const std::string &folder) {
  auto text = llvm::MemoryBuffer::getFile(folder + "/stderr");
  return text ? (*text)->getBuffer().take_front(4000).str() : "";
}

/// Calls `body` in a new process, which sends lines to its argument.
static void start(Process &process, const std::function<void(int)> &body) {
  int ends[2];
  if (pipe(ends))
    llvm::report_fatal_error("no pipe");
  fflush(nullptr);
  process.id = fork();
  if (process.id < 0)
    llvm::report_fatal_error("no process");
  if (process.id == 0) {
    close(ends[0]);
    int errors = open((process.folder + "/stderr").c_str(),
                      O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(errors, 2);
    llvm::sys::PrintStackTraceOnErrorSignal("random-graphs", true);
    body(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  process.pipe = ends[0];
}

/// Reads what there is; false at the end.
static bool receive(Process &process) {
  char bytes[4096];
  ssize_t count = read(process.pipe, bytes, sizeof bytes);
  if (count <= 0)
    return false;
  process.received.append(bytes, size_t(count));
  return true;
}

/// What became of a process that ended without an answer.
static Verdict epitaph(Process &process, bool isLate) {
  if (isLate)
    kill(process.id, SIGKILL);
  int status = 0;
  waitpid(process.id, &status, 0);
  close(process.pipe);
  process.pipe = -1;
  Verdict verdict;
  verdict.outcome = isLate ? Outcome::Hangs : Outcome::Crashes;
  verdict.text = WIFSIGNALED(status)
                     ? std::string(strsignal(WTERMSIG(status)))
                     : "exit status " + std::to_string(WEXITSTATUS(status));
  verdict.text += "\n" + lastWords(process.folder);
  return verdict;
}

//===-- Many graphs -------------------------------------------------------===//

namespace {
class Pool {
public:
  using Take = std::function<void(uint64_t, const Verdict &)>;
  Pool(const Work &work, const Take &take)
      : work(work), take(take), next(work.first) {}
  void run();

private:
  void begin(Process &process);
  void answer(Process &process);
  void finish(Process &process, bool isLate);
  uint64_t end() const { return work.first + work.count; }

  const Work &work;
  const Take &take;
  uint64_t next;
  std::vector<Process> processes;
};
} // namespace

/// Gives a process what it has left, or the next numbers.
void Pool::begin(Process &process) {
  if (process.next == process.end) {
    process.next = next;
    process.end = next = std::min(next + chunk, end());
  }
  if (process.next == process.end)
    return;
  process.deadline = run::now() + 1000.0 * work.secondsEach;
  start(process, [&](int file) {
    for (uint64_t seed = process.next; seed < process.end; ++seed) {
      Case given = generate(seed);
      sendLine(file, encode(seed, check(given, optionsFor(work, seed,
                                                          process.folder))));
    }
  });
}

/// Takes the lines that are complete.
void Pool::answer(Process &process) {
  for (;;) {
    size_t length = process.received.find('\n');
    if (length == std::string::npos)
      return;
    Verdict verdict;
    uint64_t seed = decode(process.received.substr(0, length), verdict);
    process.received.erase(0, length + 1);
    take(seed, verdict);
    process.next = seed + 1;
    process.deadline = run::now() + 1000.0 * work.secondsEach;
  }
}

void Pool::finish(Process &process, bool isLate) {
  bool isDone = process.next == process.end;
  Verdict verdict = epitaph(process, isLate);
  process.received.clear();
  if (!isDone)
    take(process.next++, verdict);
  begin(process);
}

void Pool::run() {
  processes.resize(work.jobs);
  for (unsigned i = 0; i < work.jobs; ++i) {
    processes[i].folder = work.folder + "/" + std::to_string(i);
    (void)llvm::sys::fs::create_directories(processes[i].folder);
    begin(processes[i]);
  }
  for (;;) {
    std::vector<pollfd> files;
    std::vector<Process *> alive;
    for (Process &process : processes)
      if (process.pipe >= 0) {
        files.push_back({process.pipe, POLLIN, 0});
        alive.push_back(&process);
      }
    if (alive.empty())
      return;
    poll(files.data(), files.size(), 1000);
    for (size_t i = 0; i < alive.size(); ++i) {
      bool isOver = files[i].revents && !receive(*alive[i]);
      answer(*alive[i]);
      bool isLate = !isOver && run::now() > alive[i]->deadline;
      if (isOver || isLate)
        finish(*alive[i], isLate);
    }
  }
}

void tenon::fuzz::checkAll(const Work &work, const Pool::Take &take) {
  Pool(work, take).run();
}

Verdict tenon::fuzz::checkAside(const Case &given, const CheckOptions &options,
                                unsigned seconds) {
  Process process;
  process.folder = options.folder;
  start(process, [&](int file) {
    sendLine(file, encode(given.seed, check(given, options)));
  });
  double deadline = run::now() + 1000.0 * seconds;
  for (;;) {
    pollfd file{process.pipe, POLLIN, 0};
    poll(&file, 1, 1000);
    bool isOver = file.revents && !receive(process);
    if (size_t length = process.received.find('\n');
        length != std::string::npos) {
      Verdict verdict, gone = epitaph(process, false);
      decode(process.received.substr(0, length), verdict);
      return verdict;
    }
    bool isLate = !isOver && run::now() > deadline;
    if (isOver || isLate)
      return epitaph(process, isLate);
  }
}
