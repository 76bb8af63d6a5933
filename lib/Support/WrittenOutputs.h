//===- WrittenOutputs.h - what tenon-run wrote ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SUPPORT_WRITTENOUTPUTS_H
#define TENON_LIB_SUPPORT_WRITTENOUTPUTS_H

#include <string>
#include <utility>
#include <vector>

namespace tenon {

/// The tensors in a folder of `tenon-run --output-dir`: names and paths. Empty
/// where there is none.
std::vector<std::pair<std::string, std::string>>
writtenOutputs(const std::string &folder);

} // namespace tenon

#endif // TENON_LIB_SUPPORT_WRITTENOUTPUTS_H
