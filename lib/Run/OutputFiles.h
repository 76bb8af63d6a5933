//===- OutputFiles.h - outputs as files of a folder -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how --output-dir turns names of outputs, which may be any
// text, into names of files.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_OUTPUTFILES_H
#define TENON_RUN_OUTPUTFILES_H

#include "lib/Run/Tensor.h"

namespace tenon::run {

/// The manifest beside the outputs.
inline constexpr char outputsManifest[] = "outputs.json";

/// The file of an output, the same for every folder: the name and `.npy`, with
/// '%', control characters and bytes that are not UTF-8 as %XX. A name with '/'
/// is a path into folders below; where a part of it could be no folder beside
/// the other files (an empty one, `.`, `..`, `a.npy`), '/' is %2F. An empty
/// name is `%`; of one that is too long for a file the first 200 bytes stay,
/// followed by `%~` and a hash of it all. Nothing else makes `%~`, so different
/// names have different files.
std::string outputFileName(const std::string &name);

/// Writes each output into its file of `folder`, which is made if need be, and
/// the manifest: name, file, element type and shape of each, in order. Where a
/// file would fall together with one just written (a name that comes twice, or
/// a file system to which `Y` and `y` are the same) a number is appended.
Status writeOutputs(const std::string &folder,
                    const std::vector<Tensor> &outputs);

} // namespace tenon::run

#endif // TENON_RUN_OUTPUTFILES_H
