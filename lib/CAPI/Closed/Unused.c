//===- Unused.c - what is left out of the compiler library ------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file stands in for parts of LLVM that libraries beside it would pull in:
// lld initialises every processor that LLVM knows, and LLVM's passes ask for
// Polly, half of which Debian's archives lack. We make code for x86, AArch64
// and NVIDIA's GPUs.
//===----------------------------------------------------------------------===//
#define UNUSED_PART(target, part)                                              \
  void LLVMInitialize##target##part(void);                                     \
  void LLVMInitialize##target##part(void) {}

#define UNUSED(target)                                                         \
  UNUSED_PART(target, TargetInfo)                                              \
  UNUSED_PART(target, Target)                                                  \
  UNUSED_PART(target, TargetMC)                                                \
  UNUSED_PART(target, AsmPrinter)                                              \
  UNUSED_PART(target, AsmParser)                                               \
  UNUSED_PART(target, Disassembler)                                            \
  UNUSED_PART(target, TargetMCA)

UNUSED(AMDGPU)
UNUSED(ARM)
UNUSED(AVR)
UNUSED(BPF)
UNUSED(Hexagon)
UNUSED(Lanai)
UNUSED(LoongArch)
UNUSED(M68k)
UNUSED(MSP430)
UNUSED(Mips)
UNUSED(PowerPC)
UNUSED(RISCV)
UNUSED(SPIRV)
UNUSED(Sparc)
UNUSED(SystemZ)
UNUSED(VE)
UNUSED(WebAssembly)
UNUSED(XCore)
UNUSED(Xtensa)
