//===- Validate.cpp - the rules of schedules ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/Alternate.h"
#include "passes/CodegenCpu/Loops/Moments.h"
#include "passes/CodegenCpu/Loops/Online.h"
#include "passes/CodegenCpu/Loops/Plan.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::LoopNode;

static llvm::Error invalid(const char *why) {
  return llvm::createStringError(std::string("the schedule of the loops ") +
                                 why);
}

//===-- Loops -------------------------------------------------------------===//

/// Whether a loop exists beside the vector loop, and both store results only.
static bool isBeside(const LoopNest &nest, const LoopSchedule &schedule,
                     unsigned loop) {
  return loop < nest.program.loops.size() && loop != schedule.vector &&
         !nest.reduced(loop) && !nest.reduced(schedule.vector) &&
         nest.stages() == 0;
}

static llvm::Error checkLoops(const LoopNest &nest,
                              const LoopSchedule &schedule) {
  if (schedule.vector >= nest.program.loops.size())
    return invalid("has a vector loop that does not exist");
  if (schedule.transposed && schedule.interleaved)
    return invalid("has loops that are transposed and interleaved");
  if (std::optional<unsigned> other = schedule.transposed)
    if (!isBeside(nest, schedule, *other) ||
        !canTranspose(nest, schedule.vector, *other))
      return invalid("transposes what is not contiguous along another loop");
  if (std::optional<unsigned> inner = schedule.interleaved)
    if (!isBeside(nest, schedule, *inner) ||
        !canInterleave(nest, schedule.vector, *inner))
      return invalid("interleaves results that do not lie beside each other");
  if (schedule.stream && !canStream(nest, schedule))
    return invalid("writes lines past the caches that squares do not fill");
  return llvm::Error::success();
}

//===-- Vectors -----------------------------------------------------------===//

/// Bytes of the widest number in a vector; what is computed has four.
static int64_t widestBytes(const LoopNest &nest) {
  int64_t bytes = 1;
  for (const LoopNode &node : nest.program.nodes) {
    int64_t least = node.kind == LoopNode::Load ? 1 : 4;
    Type element = getElementTypeOrSelf(node.value.getType());
    bytes = std::max<int64_t>({bytes, least, graph::elementBytes(element)});
  }
  return bytes;
}

static llvm::Error checkVectors(const LoopNest &nest,
                                const LoopSchedule &schedule,
                                const tile::Target &target) {
  constexpr int64_t mostTogether = 8;
  for (int64_t number :
       {schedule.lanes, schedule.unroll, schedule.jam, schedule.rows})
    if (number < 1)
      return invalid("has a number below one");
  if (!llvm::isPowerOf2_64(uint64_t(schedule.lanes)) ||
      (schedule.lanes > 1 &&
       schedule.lanes > target.vectorBytes / widestBytes(nest)))
    return invalid("has lanes that no vector has");
  if (schedule.unroll > mostTogether || schedule.jam > mostTogether)
    return invalid("has more vectors or rows at once than registers hold");
  if (schedule.transposed && schedule.unroll > 1)
    return invalid("has several squares at once");
  return llvm::Error::success();
}

//===-- Reductions --------------------------------------------------------===//

/// Steps of the loop that samples are taken of: the vector loop, or the last
/// that is reduced.
static Size sampleSteps(const LoopNest &nest, const LoopSchedule &schedule) {
  if (nest.reduced(schedule.vector))
    return nest.extent(schedule.vector).floorDiv(schedule.lanes);
  Size steps = 0;
  for (const kernel::Loop &loop : nest.program.loops)
    if (loop.reduction)
      steps = loop.extent;
  return steps;
}

static llvm::Error checkReductions(const LoopNest &nest,
                                   const LoopSchedule &schedule) {
  bool alongLanes = nest.reduced(schedule.vector);
  if (schedule.jam > 1 && !alongLanes)
    return invalid("has rows at once that are not reduced along lanes");
  if (schedule.overlap && schedule.jam == 1)
    return invalid("overlaps single rows");
  if (schedule.rowsAhead < 0 || (schedule.rowsAhead > 0 && !alongLanes))
    return invalid("asks for rows that are not reduced along lanes");
  if (schedule.samples < 0 || (schedule.samples > 0 && !hasMoments(nest)))
    return invalid("takes samples of no mean and variance");
  Size steps = sampleSteps(nest, schedule);
  if (steps.isFixed() && schedule.samples > steps.fixed())
    return invalid("takes more samples than there are");
  if (schedule.online &&
      (schedule.jam > 1 || !mayRunOnline(nest, schedule.vector)))
    return invalid("computes in one pass what is no softmax of single rows");
  return llvm::Error::success();
}

//===-- Tiles -------------------------------------------------------------===//

/// Whether pieces of `chunk` cover an extent, none of them in vain.
static bool covers(int64_t extent, int64_t count, int64_t chunk) {
  if (extent <= 1)
    return count == 1;
  return count <= extent && chunk >= llvm::divideCeil(extent, count) &&
         (count - 1) * chunk < extent;
}

static llvm::Error checkTiles(const LoopNest &nest,
                              const LoopSchedule &schedule) {
  Size rows = 1;
  for (unsigned loop = 0; loop < nest.program.loops.size(); ++loop)
    if (!nest.reduced(loop) && loop != schedule.vector &&
        loop != schedule.transposed && loop != schedule.interleaved)
      rows *= nest.extent(loop);
  if (schedule.rowCount != rows)
    return invalid("has more or fewer rows than there are");
  if (schedule.rows % schedule.jam != 0)
    return invalid("has tiles that part rows at once");
  if (schedule.cut != schedule.vector && schedule.cut != schedule.transposed)
    return invalid("cuts a loop that is no part of a row");
  if (!schedule.cutsRows())
    return llvm::Error::success();
  if (schedule.chunk < 1 || schedule.chunk % schedule.lanes != 0)
    return invalid("has pieces of rows that part vectors");
  Size extent =
      nest.reduced(schedule.cut) ? Size(1) : nest.extent(schedule.cut);
  bool isFixed = extent.isFixed() && schedule.chunkCount.isFixed();
  bool isWhole =
      isFixed
          ? covers(extent.fixed(), schedule.chunkCount.fixed(), schedule.chunk)
          : schedule.chunkCount == extent.ceilDiv(schedule.chunk);
  if (!isWhole)
    return invalid("has pieces that do not cover rows once");
  return llvm::Error::success();
}

llvm::Error codegen::validateChoices(const LoopNest &nest,
                                     const LoopSchedule &schedule,
                                     const tile::Target &target) {
  if (llvm::Error error = checkLoops(nest, schedule))
    return error;
  if (llvm::Error error = checkVectors(nest, schedule, target))
    return error;
  return checkReductions(nest, schedule);
}

llvm::Error codegen::validate(const LoopNest &nest,
                              const LoopSchedule &schedule,
                              const tile::Target &target) {
  if (llvm::Error error = validateChoices(nest, schedule, target))
    return error;
  return checkTiles(nest, schedule);
}
