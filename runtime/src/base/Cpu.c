//===- Cpu.c - what this processor and process offer ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads CPUID or AT_HWCAP, the affinity mask and the quota of the
// control groups (versions 1 and 2).
//===----------------------------------------------------------------------===//
#include "src/base/Cpu.h"

#include "tenon/artifact_format.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

const char *tenonArchitectureName(uint32_t architecture) {
  switch (architecture) {
  case TENON_ARCH_X86_64:
    return "x86-64";
  case TENON_ARCH_AARCH64:
    return "aarch64";
  default:
    return "an unknown architecture";
  }
}

//===----------------------------------------------------------------------===//
// Extensions of this architecture
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
#define ARCHITECTURE TENON_ARCH_X86_64
#define FEATURES TENON_X86_FEATURES
enum { eax, ebx, ecx, edx };
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCHITECTURE TENON_ARCH_AARCH64
#define FEATURES TENON_AARCH64_FEATURES
#else
#define ARCHITECTURE 0
#define FEATURES(X) X(0, "none", 0)
#endif

uint32_t tenonCpuArchitecture(void) { return ARCHITECTURE; }

static const struct feature {
  uint32_t bit;
  const char *name;
  /// As the list says.
  uint32_t where[4];
} features[] = {
#define FEATURE(bit, name, ...) {bit, name, {__VA_ARGS__}},
    FEATURES(FEATURE)
#undef FEATURE
};
static const size_t featureCount = sizeof features / sizeof *features;

const char *tenonCpuFeatureName(uint64_t bits) {
  for (size_t i = 0; i < featureCount; ++i)
    if (bits >> features[i].bit & 1)
      return features[i].name;
  return "an unknown extension";
}

static bool hasFeature(uint64_t bits, const char *name) {
  for (size_t i = 0; i < featureCount; ++i)
    if (!strcmp(features[i].name, name))
      return bits >> features[i].bit & 1;
  return false;
}

int32_t tenonCpuVectorBits(uint64_t bits) {
  if (hasFeature(bits, "avx512f") && hasFeature(bits, "avx512vl") &&
      hasFeature(bits, "avx512bw") && hasFeature(bits, "avx512dq"))
    return 512;
  return hasFeature(bits, "avx2") && hasFeature(bits, "fma") ? 256 : 128;
}

#if defined(__x86_64__)

enum { leafNumber, reg, position, state };

enum { amxState = 3 };

/// XCR0 masks of the states that TENON_X86_FEATURES names.
static const uint64_t stateMasks[] = {0, 0x6, 0xe6, 0x60000};

static uint64_t savedStates(void) {
  uint32_t regs[4];
  if (!__get_cpuid(1, &regs[0], &regs[1], &regs[2], &regs[3]) ||
      !(regs[ecx] >> 27 & 1))
    return 0;
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

/// One leaf of CPUID, read once for all features in a row that ask for it: in
/// a virtual machine each reading costs a microsecond or more.
struct leaf {
  uint32_t number;
  uint32_t regs[4];
};

static void readLeaf(struct leaf *leaf, uint32_t number) {
  if (leaf->number == number)
    return;
  uint32_t *regs = leaf->regs;
  bool isSub = number == 0x70001;
  leaf->number = number;
  memset(regs, 0, sizeof leaf->regs);
  if (!__get_cpuid_count(isSub ? 7 : number, isSub, &regs[0], &regs[1],
                         &regs[2], &regs[3]))
    memset(regs, 0, sizeof leaf->regs);
}

static uint64_t readFeatures(void) {
  uint64_t states = savedStates(), bits = 0;
  struct leaf leaf = {0};
  for (size_t i = 0; i < featureCount; ++i) {
    const uint32_t *where = features[i].where;
    readLeaf(&leaf, where[leafNumber]);
    uint64_t mask = stateMasks[where[state]];
    if (leaf.regs[where[reg]] >> where[position] & 1 && (states & mask) == mask)
      bits |= (uint64_t)1 << features[i].bit;
  }
  return bits;
}

uint64_t tenonCpuFeatures(void) {
  // Threads that race here store the same bits. The top bit says "known".
  static _Atomic uint64_t cached;
  const uint64_t known = (uint64_t)1 << 63;
  uint64_t bits = cached;
  if (!bits)
    cached = bits = readFeatures() | known;
  return bits & ~known;
}

/// Linux gives the tile registers to processes that ask for them.
static bool mayUseTiles(void) {
#if defined(__linux__)
  enum { requestPermission = 0x1023, tileData = 18 };
  return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
#else
  return true;
#endif
}

uint64_t tenonCpuMissing(uint64_t needed) {
  uint64_t missing = needed & ~tenonCpuFeatures(), tiles = 0;
  for (size_t i = 0; i < featureCount; ++i)
    if (features[i].where[state] == amxState)
      tiles |= (uint64_t)1 << features[i].bit;
  if (!missing && needed & tiles && !mayUseTiles())
    missing = needed & tiles;
  return missing;
}

#elif ARCHITECTURE == TENON_ARCH_AARCH64

uint64_t tenonCpuFeatures(void) {
  uint64_t words[] = {getauxval(AT_HWCAP), getauxval(AT_HWCAP2)}, bits = 0;
  for (size_t i = 0; i < featureCount; ++i)
    if (words[features[i].where[0]] >> features[i].where[1] & 1)
      bits |= (uint64_t)1 << features[i].bit;
  return bits;
}

#else

uint64_t tenonCpuFeatures(void) { return 0; }

#endif

#if !defined(__x86_64__)
uint64_t tenonCpuMissing(uint64_t needed) {
  return needed & ~tenonCpuFeatures();
}
#endif

//===----------------------------------------------------------------------===//
// Processors of this process
//===----------------------------------------------------------------------===//

static int32_t affinityCount(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 && online < 4096 ? (int32_t)online : 1;
}

/// Reads up to two numbers from a file; "max" ends the reading.
static int readNumbers(const char *path, long long *first, long long *second) {
  FILE *file = fopen(path, "r");
  if (!file)
    return 0;
  int count = fscanf(file, "%lld %lld", first, second);
  fclose(file);
  return count > 0 ? count : 0;
}

static int32_t ceilQuota(long long quota, long long period, int32_t count) {
  if (quota <= 0 || period <= 0)
    return count;
  long long processors = (quota + period - 1) / period;
  return processors < count ? (int32_t)processors : count;
}

/// The quota of the group at `group` and of each group above it.
static int32_t unifiedQuota(char *group, int32_t count) {
  for (;;) {
    char path[1200];
    long long quota = 0, period = 0;
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
    if (readNumbers(path, &quota, &period) == 2)
      count = ceilQuota(quota, period, count);
    char *slash = strrchr(group, '/');
    if (!slash)
      return count;
    *slash = 0;
  }
}

static int32_t quotaCount(int32_t count) {
  long long quota = 0, period = 0, unused;
  if (readNumbers("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", &quota, &unused) &&
      readNumbers("/sys/fs/cgroup/cpu/cpu.cfs_period_us", &period, &unused))
    count = ceilQuota(quota, period, count);
  char line[1024];
  FILE *file = fopen("/proc/self/cgroup", "r");
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "0::/", 4) == 0)
      count = unifiedQuota(line + 3, count);
  }
  if (file)
    fclose(file);
  return count;
}

int32_t tenonCpuCount(void) {
  int32_t count = quotaCount(affinityCount());
  return count > 0 ? count : 1;
}
