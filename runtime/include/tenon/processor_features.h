//===- processor_features.h - extensions that code may need -------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the instruction set extensions that artifacts can name, for
// the writer, which knows LLVM's names, and the reader, which asks processors.
//===----------------------------------------------------------------------===//
#ifndef TENON_PROCESSOR_FEATURES_H
#define TENON_PROCESSOR_FEATURES_H

/// X(bit, LLVM's name of the feature, CPUID leaf, register, bit there, state
/// that the operating system must save: 0 none, 1 AVX, 2 AVX-512, 3 AMX).
/// Leaf 0x70001 stands for leaf 7, sub-leaf 1. Bits are never reassigned.
#define TENON_X86_FEATURES(X)                                                  \
  X(0, "sse3", 1, ecx, 0, 0)                                                   \
  X(1, "ssse3", 1, ecx, 9, 0)                                                  \
  X(2, "sse4.1", 1, ecx, 19, 0)                                                \
  X(3, "sse4.2", 1, ecx, 20, 0)                                                \
  X(4, "popcnt", 1, ecx, 23, 0)                                                \
  X(5, "cx16", 1, ecx, 13, 0)                                                  \
  X(6, "movbe", 1, ecx, 22, 0)                                                 \
  X(7, "avx", 1, ecx, 28, 1)                                                   \
  X(8, "fma", 1, ecx, 12, 1)                                                   \
  X(9, "f16c", 1, ecx, 29, 1)                                                  \
  X(10, "bmi", 7, ebx, 3, 0)                                                   \
  X(11, "bmi2", 7, ebx, 8, 0)                                                  \
  X(12, "lzcnt", 0x80000001, ecx, 5, 0)                                        \
  X(13, "avx2", 7, ebx, 5, 1)                                                  \
  X(14, "avx512f", 7, ebx, 16, 2)                                              \
  X(15, "avx512dq", 7, ebx, 17, 2)                                             \
  X(16, "avx512ifma", 7, ebx, 21, 2)                                           \
  X(17, "avx512cd", 7, ebx, 28, 2)                                             \
  X(18, "avx512bw", 7, ebx, 30, 2)                                             \
  X(19, "avx512vl", 7, ebx, 31, 2)                                             \
  X(20, "avx512vbmi", 7, ecx, 1, 2)                                            \
  X(21, "avx512vbmi2", 7, ecx, 6, 2)                                           \
  X(22, "avx512vnni", 7, ecx, 11, 2)                                           \
  X(23, "avx512bitalg", 7, ecx, 12, 2)                                         \
  X(24, "avx512vpopcntdq", 7, ecx, 14, 2)                                      \
  X(25, "avx512fp16", 7, edx, 23, 2)                                           \
  X(26, "avx512bf16", 0x70001, eax, 5, 2)                                      \
  X(27, "avxvnni", 0x70001, eax, 4, 1)                                         \
  X(28, "avxifma", 0x70001, eax, 23, 1)                                        \
  X(29, "gfni", 7, ecx, 8, 0)                                                  \
  X(30, "vaes", 7, ecx, 9, 1)                                                  \
  X(31, "vpclmulqdq", 7, ecx, 10, 1)                                           \
  X(32, "amx-tile", 7, edx, 24, 3)                                             \
  X(33, "amx-int8", 7, edx, 25, 3)                                             \
  X(34, "amx-bf16", 7, edx, 22, 3)                                             \
  X(35, "avxvnniint8", 0x70001, edx, 4, 1)                                     \
  X(36, "avxneconvert", 0x70001, edx, 5, 1)                                    \
  X(37, "adx", 7, ebx, 19, 0)                                                  \
  X(38, "sha", 7, ebx, 29, 0)                                                  \
  X(39, "aes", 1, ecx, 25, 0)                                                  \
  X(40, "pclmul", 1, ecx, 1, 0)

/// X(bit, LLVM's name of the feature, word, bit there): what Linux says in
/// AT_HWCAP (word 0) and AT_HWCAP2 (word 1). Bits are never reassigned.
#define TENON_AARCH64_FEATURES(X)                                              \
  X(0, "fp-armv8", 0, 0)                                                       \
  X(1, "neon", 0, 1)                                                           \
  X(2, "aes", 0, 3)                                                            \
  X(3, "sha2", 0, 6)                                                           \
  X(4, "crc", 0, 7)                                                            \
  X(5, "lse", 0, 8)                                                            \
  X(6, "fullfp16", 0, 10)                                                      \
  X(7, "rdm", 0, 12)                                                           \
  X(8, "jsconv", 0, 13)                                                        \
  X(9, "complxnum", 0, 14)                                                     \
  X(10, "rcpc", 0, 15)                                                         \
  X(11, "sha3", 0, 17)                                                         \
  X(12, "dotprod", 0, 20)                                                      \
  X(13, "sve", 0, 22)                                                          \
  X(14, "fp16fml", 0, 23)                                                      \
  X(15, "rcpc-immo", 0, 26)                                                    \
  X(16, "flagm", 0, 27)                                                        \
  X(17, "sve2", 1, 1)                                                          \
  X(18, "altnzcv", 1, 7)                                                       \
  X(19, "fptoint", 1, 8)                                                       \
  X(20, "i8mm", 1, 13)                                                         \
  X(21, "bf16", 1, 14)                                                         \
  X(22, "cssc", 1, 34)                                                         \
  X(23, "mops", 1, 43)

#endif // TENON_PROCESSOR_FEATURES_H
