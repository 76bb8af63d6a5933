//===- Room.c - tensors with room behind their elements -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads and checks how states lie in the caller's memory: as parts of
// larger tensors, whose extent along the dimension that grows is the capacity.
//===----------------------------------------------------------------------===//
#include "src/Context.h"

#include <string.h>

/// The elements of dimensions [begin, end).
static int64_t countElements(const int64_t *shape, int32_t begin, int32_t end) {
  int64_t count = 1;
  for (int32_t i = begin; i < end; ++i)
    count *= shape[i];
  return count;
}

static bool isDenseFrom(const tenon_tensor *tensor, int32_t begin) {
  int64_t stride = 1;
  for (int32_t i = tensor->ndim - 1; i >= begin; --i) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != stride)
      return false;
    if (__builtin_mul_overflow(stride, tensor->shape[i], &stride))
      return false;
  }
  return true;
}

bool tenonReadCapacity(const tenon_tensor *tensor, int32_t axis,
                       int64_t *capacity) {
  *capacity = 0;
  if (!tensor->strides)
    return true;
  for (int32_t i = 0; i < tensor->ndim; ++i)
    if (!tensor->shape[i])
      return true;
  if (!isDenseFrom(tensor, axis))
    return false;
  int64_t inner = countElements(tensor->shape, axis + 1, tensor->ndim);
  int64_t stride = 0;
  for (int32_t i = axis - 1; i >= 0; --i) {
    if (tensor->shape[i] == 1)
      continue;
    int64_t given = tensor->strides[i];
    if (stride ? given != stride : given <= 0 || given % inner)
      return false;
    if (!stride)
      *capacity = given / inner;
    if (__builtin_mul_overflow(given, tensor->shape[i], &stride))
      return false;
  }
  return true;
}

static const char *tensorName(const tenon_context *context, size_t number) {
  return tenonName(
      context->model,
      tenonEntryTensors(context->model, context->entry)[number].name);
}

/// The number of a state's output among all tensors.
static size_t outputNumber(const tenon_context *context,
                           const struct tenon_state_record *state) {
  return (size_t)context->entry->input_count + state->output;
}

static const int64_t *outputDims(const tenon_context *context,
                                 const struct tenonShape *shape,
                                 const struct tenon_state_record *state) {
  const struct tenon_tensor_record *output =
      tenonEntryTensors(context->model, context->entry) +
      context->entry->input_count;
  const int64_t *dims = shape->outputDims;
  for (uint32_t i = 0; i < state->output; ++i)
    dims += output++->rank;
  return dims;
}

/// Of outputs, those that share a capacity must agree on it.
tenon_status *tenonTakeCapacities(tenon_context *context,
                                  const tenon_tensor *tensors,
                                  bool areOutputs) {
  int64_t *capacities = context->extents + context->inputDims;
  memset(capacities, 0,
         (context->givenSizes - context->inputDims) * sizeof *capacities);
  for (uint32_t i = 0; i < context->states.count; ++i) {
    const struct tenon_state_record *state = &context->states.first[i];
    if (!tenonGrows(state))
      continue;
    size_t number = outputNumber(context, state);
    const tenon_tensor *tensor =
        &tensors[areOutputs ? state->output : state->input];
    int64_t *known = &capacities[state->capacity], capacity = 0;
    uint32_t rank =
        tenonEntryTensors(context->model, context->entry)[number].rank;
    // What else is wrong with an output is found when the shape is known.
    if (tensor->ndim != (int32_t)rank || !tensor->shape ||
        !tenonReadCapacity(tensor, (int32_t)state->axis, &capacity) ||
        !capacity)
      continue;
    if (areOutputs && *known && *known != capacity)
      return tenonFail(TENON_TENSOR_MISMATCH, tensorName(context, number),
                       "'%s' has room for %lld elements along dimension %u, "
                       "but an output of the same length has room for %lld",
                       tensorName(context, number), (long long)capacity,
                       state->axis, (long long)*known);
    *known = capacity;
  }
  return NULL;
}

static int64_t capacityOf(const tenon_context *context,
                          const struct tenonShape *shape,
                          const struct tenon_state_record *state) {
  return shape->registers[context->inputDims + state->capacity];
}

tenon_status *tenonCheckRoom(const tenon_context *context,
                             const tenon_tensor *outputs) {
  const struct tenonShape *shape = context->shape;
  for (uint32_t i = 0; context->axes && i < context->states.count; ++i) {
    const struct tenon_state_record *state = &context->states.first[i];
    if (!tenonGrows(state))
      continue;
    const char *name = tensorName(context, outputNumber(context, state));
    const int64_t *dims = outputDims(context, shape, state);
    int64_t capacity = capacityOf(context, shape, state), own;
    bool isSame =
        tenonReadCapacity(&outputs[state->output], (int32_t)state->axis, &own);
    int64_t outer = countElements(dims, 0, (int32_t)state->axis);
    if (capacity && capacity < dims[state->axis])
      return tenonFail(TENON_CAPACITY_EXCEEDED, name,
                       "'%s' is full: it has room for %lld elements along "
                       "dimension %u, and would have %lld",
                       name, (long long)capacity, state->axis,
                       (long long)dims[state->axis]);
    if (isSame && outer > 1 && capacity && !own &&
        shape->tensorBytes[outputNumber(context, state)] &&
        capacity != dims[state->axis])
      return tenonFail(TENON_TENSOR_MISMATCH, name,
                       "'%s' is dense, but an output of the same length has "
                       "room for %lld elements along dimension %u",
                       name, (long long)capacity, state->axis);
  }
  return NULL;
}

tenon_status *tenonMeasureStates(const tenon_context *context,
                                 struct tenonShape *shape) {
  for (uint32_t i = 0; i < context->states.count; ++i) {
    const struct tenon_state_record *state = &context->states.first[i];
    if (!tenonGrows(state))
      continue;
    size_t number = outputNumber(context, state);
    const struct tenon_tensor_record *output =
        tenonEntryTensors(context->model, context->entry) + number;
    int64_t dims[TENON_MAX_RANK];
    memcpy(dims, outputDims(context, shape, state),
           output->rank * sizeof *dims);
    int64_t capacity = capacityOf(context, shape, state);
    if (capacity > dims[state->axis])
      dims[state->axis] = capacity;
    if (!tenonTensorBytes(output, dims, &shape->tensorBytes[number]))
      return tenonFail(TENON_TENSOR_MISMATCH, tensorName(context, number),
                       "'%s' has more bytes than can be counted",
                       tensorName(context, number));
  }
  return NULL;
}

/// Rows of a tensor that grows: what lies together, and from one to the next.
struct rows {
  uint8_t *data;
  int64_t count, bytes, pitch;
};

static struct rows rowsOf(const tenon_tensor *tensor, int32_t axis) {
  int64_t capacity = 0;
  tenonReadCapacity(tensor, axis, &capacity);
  int64_t inner = countElements(tensor->shape, axis + 1, tensor->ndim) *
                  ((tensor->dtype.bits + 7) / 8);
  int64_t extent = tensor->shape[axis];
  return (struct rows){.data = tensor->data ? (uint8_t *)tensor->data +
                                                  tensor->byte_offset
                                            : NULL,
                       .count = countElements(tensor->shape, 0, axis),
                       .bytes = extent * inner,
                       .pitch = (capacity ? capacity : extent) * inner};
}

tenon_status *tenonCopyGrown(const char *name, const tenon_tensor *input,
                             const tenon_tensor *output, int32_t axis) {
  struct rows from = rowsOf(input, axis), to = rowsOf(output, axis);
  if (!from.count || !from.bytes)
    return NULL;
  if (from.data != to.data) {
    for (int64_t i = 0; i < from.count; ++i)
      memcpy(to.data + i * to.pitch, from.data + i * from.pitch,
             (size_t)from.bytes);
    return NULL;
  }
  if (from.count == 1 || from.pitch == to.pitch)
    return NULL;
  return tenonFail(TENON_TENSOR_MISMATCH, name,
                   "'%s' lies where its output does, but with other strides",
                   name);
}

tenon_status *tenonFillStates(const tenon_context *context,
                              const tenon_tensor *inputs,
                              const tenon_tensor *outputs) {
  for (uint32_t i = 0; i < context->states.count; ++i) {
    const struct tenon_state_record *state = &context->states.first[i];
    if (!tenonWrites(state))
      continue;
    const tenon_tensor *input = &inputs[state->input];
    const tenon_tensor *output = &outputs[state->output];
    const char *name = tensorName(context, state->input);
    if (tenonGrows(state)) {
      TENON_TRY(tenonCopyGrown(name, input, output, (int32_t)state->axis));
      continue;
    }
    bool isShared = input->data == output->data &&
                    input->byte_offset == output->byte_offset;
    if (isShared && !tenonIsUpdated(state) &&
        context->shape->tensorBytes[state->input])
      return tenonFail(TENON_TENSOR_MISMATCH, name,
                       "'%s' lies where its output does, but does not grow in "
                       "place",
                       name);
  }
  return NULL;
}
