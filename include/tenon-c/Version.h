//===- Version.h - the version of the C API -----------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_C_VERSION_H
#define TENON_C_VERSION_H

/// The project's version. While the major number is 0 a minor release may
/// change the API; afterwards structs only grow at their end.
#define TENON_VERSION_MAJOR 0
#define TENON_VERSION_MINOR 1
#define TENON_VERSION_PATCH 0
#define TENON_VERSION_STRING                                                   \
  TENON_VERSION_TEXT(TENON_VERSION_MAJOR)                                      \
  "." TENON_VERSION_TEXT(TENON_VERSION_MINOR) "." TENON_VERSION_TEXT(          \
      TENON_VERSION_PATCH)
#define TENON_VERSION_TEXT(number) TENON_VERSION_TEXT_OF(number)
#define TENON_VERSION_TEXT_OF(number) #number

/// What the libraries export.
#if defined(__GNUC__) || defined(__clang__)
#define TENON_API __attribute__((visibility("default")))
#else
#define TENON_API
#endif

#endif // TENON_C_VERSION_H
