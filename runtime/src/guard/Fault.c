//===- Fault.c - catching what a kernel should not have touched -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file owns the signal handlers of guarded runs. They act only in a
// thread that is inside a kernel of such a run; everywhere else a signal goes
// on to who would have got it.
//===----------------------------------------------------------------------===//
#include "src/guard/Guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

struct guardedCall {
  sigjmp_buf back;
  struct tenonGuard *guard;
};

/// The call that this thread is in, if any. Set before a kernel can fault, so
/// that the handler's access never allocates.
static _Thread_local struct guardedCall *volatile currentCall;

static const int signals[] = {SIGSEGV, SIGBUS};
#define SIGNAL_COUNT (sizeof signals / sizeof *signals)

/// Guarded runs at this moment, in any context, and what they displaced.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int32_t runs;
static struct sigaction displaced[SIGNAL_COUNT];

//===----------------------------------------------------------------------===//
// The handler
//===----------------------------------------------------------------------===//

/// What the processor says of a fault; bit 1 of the error code is "write".
static enum tenonTouch touchOf(const void *opaque) {
#if defined(__x86_64__) && defined(__linux__)
  const ucontext_t *context = opaque;
  return context->uc_mcontext.gregs[REG_ERR] & 2 ? TENON_WROTE : TENON_READ;
#else
  (void)opaque;
  return TENON_TOUCHED;
#endif
}

/// An address that no page can have (not canonical) comes without itself.
static bool isWithoutAddress(const siginfo_t *info) {
#ifdef SI_KERNEL
  return info->si_code == SI_KERNEL;
#else
  (void)info;
  return false;
#endif
}

static void note(struct tenonFault *fault, const siginfo_t *info,
                 const void *context) {
  if (atomic_exchange(&fault->isClaimed, true))
    return;
  fault->hasNoAddress = isWithoutAddress(info);
  fault->address = info->si_addr;
  fault->touch = fault->hasNoAddress ? TENON_TOUCHED : touchOf(context);
}

/// Does what would have happened without us. The default action is taken by
/// the fault happening again, or by the signal being sent again.
static void passOn(int signal, siginfo_t *info, void *context) {
  const struct sigaction *before =
      &displaced[signal == signals[0] ? 0 : SIGNAL_COUNT - 1];
  bool isSent = info->si_code <= 0;
  if (before->sa_flags & SA_SIGINFO) {
    before->sa_sigaction(signal, info, context);
  } else if (before->sa_handler == SIG_DFL ||
             (before->sa_handler == SIG_IGN && !isSent)) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    if (isSent)
      raise(signal);
  } else if (before->sa_handler != SIG_IGN) {
    before->sa_handler(signal);
  }
}

static void handle(int signal, siginfo_t *info, void *context) {
  struct guardedCall *call = currentCall;
  // A signal that was sent (si_code <= 0) is no access.
  if (!call || info->si_code <= 0) {
    passOn(signal, info, context);
    return;
  }
  note(&call->guard->fault, info, context);
  siglongjmp(call->back, 1);
}

//===----------------------------------------------------------------------===//
// Installing and restoring
//===----------------------------------------------------------------------===//

void tenonInstallHandlers(void) {
  struct sigaction ours = {.sa_sigaction = handle,
                           .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&ours.sa_mask);
  pthread_mutex_lock(&mutex);
  if (runs++ == 0)
    for (size_t i = 0; i < SIGNAL_COUNT; ++i)
      sigaction(signals[i], &ours, &displaced[i]);
  pthread_mutex_unlock(&mutex);
}

/// A handler that came after ours stays.
static void restore(size_t i) {
  struct sigaction now;
  if (sigaction(signals[i], NULL, &now) == 0 && now.sa_flags & SA_SIGINFO &&
      now.sa_sigaction == handle)
    sigaction(signals[i], &displaced[i], NULL);
}

void tenonRestoreHandlers(void) {
  pthread_mutex_lock(&mutex);
  if (--runs == 0)
    for (size_t i = 0; i < SIGNAL_COUNT; ++i)
      restore(i);
  pthread_mutex_unlock(&mutex);
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

/// Kernels come from files: they carry no type hash for UBSan to look at.
#if defined(__clang__)
__attribute__((no_sanitize("function")))
#endif
void tenonGuardCall(struct tenonGuard *guard, tenon_kernel_fn kernel,
                    const tenon_call *call) {
  if (atomic_load(&guard->fault.isClaimed))
    return;
  // The pool's threads block all signals, and a fault whose signal is blocked
  // ends the process.
  sigset_t faults, before;
  sigemptyset(&faults);
  for (size_t i = 0; i < SIGNAL_COUNT; ++i)
    sigaddset(&faults, signals[i]);
  pthread_sigmask(SIG_UNBLOCK, &faults, &before);
  struct guardedCall guarded = {.guard = guard};
  if (sigsetjmp(guarded.back, /*savesigs=*/1) == 0) {
    currentCall = &guarded;
    kernel(call);
  }
  currentCall = NULL;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
