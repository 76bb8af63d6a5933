//===- Groups.h - what is fused, for people ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a fused program as reports and pictures show it: groups,
// what they are made of, and what goes through memory between them and why.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_FUSION_DRAW_GROUPS_H
#define TENON_LIB_FUSION_DRAW_GROUPS_H

#include "lib/Support/Time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::fusion {

/// One operation of a group.
struct GroupOperator {
  std::string kind;               ///< "conv", "add"
  std::string nodes;              ///< ONNX nodes, joined by ';'
  std::vector<unsigned> operands; ///< earlier operators of the group
  int stage = -1;                 ///< -1: the group is one stage
  std::string strategy = {};      ///< of the stage
};

/// What a launch is expected to wait for.
enum class GroupBound { Compute, Caches, Memory, Launch };

/// "compute", "caches"...
const char *toText(GroupBound bound);

/// A reason with "n" for each number in it, so that equal ones add up.
std::string kindOfReason(const std::string &reason);

/// One launch. Bytes are those of memory traffic.
struct ReportedGroup {
  std::string kernel;   ///< its symbol, shared by equal groups
  std::string strategy; ///< "gemm", "stages"
  std::vector<GroupOperator> operators;
  /// Of the tiled dimensions of the result, sizes of a tile and extents.
  std::vector<int64_t> tile = {}, extents = {};
  int64_t tiles = 0; ///< independent pieces; 0: known when it runs
  int64_t bytesBefore = 0, bytes = 0;
  int64_t weightBytes = 0; ///< of `bytes`
  double work = 1;         ///< operations executed over those of the program
  int64_t scratchBytes = 0;
  Time time; ///< predicted for a launch; 0: not known
  int64_t flops = 0;
  GroupBound bound = GroupBound::Compute;

  /// The part of the traffic that fusion saves.
  double saved() const {
    return bytesBefore > bytes ? 1 - double(bytes) / double(bytesBefore) : 0;
  }
  unsigned stages() const {
    return operators.empty() ? 0 : unsigned(operators.back().stage + 1);
  }
};

/// A value that goes through memory. Inputs and outputs of the program are
/// numbered among themselves.
struct ReportedEdge {
  enum class End { Group, Input, Output };
  End fromKind = End::Group, toKind = End::Group;
  unsigned from = 0, to = 0;
  int64_t bytes = 0;
  /// Between groups: the ONNX nodes at both ends (or kinds of operations), and
  /// why the value is not fused; empty where nobody has noted it.
  std::string fromNode = {}, toNode = {}, reason = {};

  bool isUnfused() const {
    return fromKind == End::Group && toKind == End::Group;
  }
};

struct GroupGraph {
  std::vector<ReportedGroup> groups; ///< in the order of their launches
  std::vector<std::string> inputs, outputs;
  std::vector<ReportedEdge> edges;

  int64_t bytes() const;
  int64_t bytesBefore() const;
  Time time() const;
  size_t operators() const;
};

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_DRAW_GROUPS_H
