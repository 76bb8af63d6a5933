//===- Inputs.cpp - where inputs come from --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads inputs or makes them up, of the shapes that files and the
// command line say.
//===----------------------------------------------------------------------===//
#include "lib/Run/Inputs.h"

#include <algorithm>
#include <cerrno>

using namespace tenon;
using namespace tenon::run;

static bool isRandom(const std::string &source) {
  return source.starts_with("random:");
}

/// random:SEED or random:SEED:LIMIT.
static Status fillFrom(const std::string &source, Tensor &tensor) {
  char *end;
  uint64_t seed = std::strtoull(source.c_str() + 7, &end, 10), limit = 100;
  bool good = end != source.c_str() + 7;
  if (good && *end == ':') {
    const char *text = end + 1;
    limit = std::strtoull(text, &end, 10);
    good = end != text && limit > 0;
  }
  if (!good || *end)
    return Error{"'" + source + "' is not random:SEED or random:SEED:LIMIT"};
  fillRandom(tensor, seed, limit);
  return Done{};
}

static Result<Tensor> makeRandom(const TensorSpec &spec,
                                 const std::string &source) {
  Result<Tensor> tensor = Tensor::make(spec);
  if (!tensor)
    return tensor;
  tensor->spec.kind = TENON_VALUE_TENSOR;
  Status status = fillFrom(source, *tensor);
  return status ? std::move(tensor) : Result<Tensor>(status.error());
}

static bool fits(const std::vector<int64_t> &shape, const TensorSpec &spec) {
  if (spec.hasAnyRank)
    return true;
  bool good = shape.size() == spec.shape.size();
  for (size_t i = 0; good && i < shape.size(); ++i)
    good = spec.shape[i] < 0 || spec.shape[i] == shape[i];
  return good;
}

/// Whether the model takes a value; what an optional holds is that itself.
static bool fits(const Tensor &value, const TensorSpec &spec) {
  bool isOptional = spec.kind == TENON_VALUE_OPTIONAL ||
                    spec.kind == TENON_VALUE_OPTIONAL_SEQUENCE;
  if (value.spec.kind == TENON_VALUE_OPTIONAL)
    return isOptional;
  auto fitsItem = [&](const Tensor &tensor) {
    return sameType(tensor.spec.type, spec.type) &&
           fits(tensor.spec.shape, spec);
  };
  bool takesSequence = spec.kind == TENON_VALUE_SEQUENCE ||
                       spec.kind == TENON_VALUE_OPTIONAL_SEQUENCE;
  if (value.spec.kind == TENON_VALUE_SEQUENCE)
    return takesSequence &&
           std::all_of(value.items.begin(), value.items.end(), fitsItem);
  return !takesSequence && fitsItem(value);
}

static Result<Tensor> readInput(const TensorSpec &spec,
                                const std::string &source) {
  Result<Tensor> tensor = readValue(source, spec);
  if (!tensor)
    return tensor;
  if (!fits(*tensor, spec))
    return Error{"input '" + spec.name + "': '" + source + "' holds " +
                 tensor->str() + "; the model takes " + spec.str()};
  tensor->spec.name = spec.name;
  if (!tensor->isTensor())
    tensor->spec.type = spec.type;
  return tensor;
}

static int64_t findSpec(const std::vector<TensorSpec> &specs,
                        const std::string &name) {
  for (size_t i = 0; i < specs.size(); ++i)
    if (specs[i].name == name)
      return int64_t(i);
  return -1;
}

static std::string listNames(const std::vector<TensorSpec> &specs) {
  std::string text;
  for (const TensorSpec &spec : specs)
    text += (text.empty() ? "'" : ", '") + spec.name + "'";
  return text;
}

Result<int64_t> tenon::run::findTensor(const Assignment &assignment,
                                       const std::vector<TensorSpec> &specs,
                                       const char *what) {
  if (assignment.name.empty() && specs.size() == 1)
    return 0;
  int64_t index = findSpec(specs, assignment.name);
  if (index < 0)
    return Error{std::string("there is no ") + what + " '" + assignment.name +
                 "'; the model has " + listNames(specs)};
  return index;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// "2x3x224", or false.
static bool parseShape(const std::string &text, std::vector<int64_t> &shape) {
  const char *at = text.c_str();
  while (*at >= '0' && *at <= '9') {
    char *end;
    errno = 0;
    shape.push_back(std::strtoll(at, &end, 10));
    if (errno)
      return false;
    at = *end == 'x' ? end + 1 : end;
    if (at == end)
      return !*end;
  }
  return text.empty();
}

/// --shape x=2x3x224x224.
static Status addShape(const std::string &text,
                       std::vector<TensorSpec> &specs) {
  Assignment assignment = splitAssignment(text);
  Result<int64_t> index = findTensor(assignment, specs, "input");
  if (!index)
    return Error{"--shape " + text + ": " + index.error().message};
  TensorSpec &spec = specs[*index];
  std::vector<int64_t> shape;
  if (!parseShape(assignment.value, shape))
    return Error{"--shape " + text + ": '" + assignment.value +
                 "' is no shape like 1x3x224x224"};
  if (!fits(shape, spec))
    return Error{"--shape " + text + ": the model takes " + spec.str()};
  spec.shape = shape;
  spec.hasAnyRank = false;
  return Done{};
}

/// Gives all dimensions of that name their size, where they have none; how
/// many have the name.
static int64_t setNamed(const std::string &name, int64_t size,
                        std::vector<TensorSpec> &specs) {
  int64_t count = 0;
  for (TensorSpec &spec : specs)
    for (size_t i = 0; i < spec.dimNames.size(); ++i) {
      if (spec.dimNames[i] != name)
        continue;
      ++count;
      if (spec.shape[i] < 0)
        spec.shape[i] = size;
    }
  return count;
}

/// --dim batch=2.
static Status addDim(const std::string &text, std::vector<TensorSpec> &specs) {
  Assignment assignment = splitAssignment(text);
  std::vector<int64_t> size;
  if (!parseShape(assignment.value, size) || size.size() != 1)
    return Error{"--dim " + text + ": '" + assignment.value + "' is no size"};
  if (assignment.name.empty() || !setNamed(assignment.name, size[0], specs))
    return Error{"--dim " + text + ": no input has a dimension '" +
                 assignment.name + "'"};
  return Done{};
}

/// What is known of an input is known of others that share its symbols.
static void shareSizes(std::vector<TensorSpec> &specs) {
  const std::vector<TensorSpec> known = specs;
  for (const TensorSpec &spec : known)
    for (size_t i = 0; i < spec.dimNames.size(); ++i)
      if (spec.shape[i] >= 0 && !spec.dimNames[i].empty())
        setNamed(spec.dimNames[i], spec.shape[i], specs);
}

static Status requireSizes(const TensorSpec &spec) {
  if (spec.kind == TENON_VALUE_SEQUENCE ||
      spec.kind == TENON_VALUE_OPTIONAL_SEQUENCE || spec.hasAnyRank)
    return Error{"input '" + spec.name + "' is " + spec.str() +
                 ": give a .pb file"};
  for (size_t i = 0; i < spec.shape.size(); ++i) {
    if (spec.shape[i] >= 0)
      continue;
    std::string name = i < spec.dimNames.size() ? spec.dimNames[i] : "";
    std::string message =
        "input '" + spec.name + "': dimension " + std::to_string(i) +
        (name.empty() ? "" : " (" + name + ")") + " of " + spec.str() +
        " has no size: give --shape " + spec.name + "=";
    for (size_t k = 0; k < spec.shape.size(); ++k)
      message += (k ? "x" : "") +
                 (spec.shape[k] < 0 ? "N" : std::to_string(spec.shape[k]));
    return Error{message + (name.empty() ? "" : " or --dim " + name + "=N") +
                 ", or a file"};
  }
  return Done{};
}

//===----------------------------------------------------------------------===//
// Gathering
//===----------------------------------------------------------------------===//

/// Where each input comes from.
static Result<std::vector<std::string>>
findSources(const Options &options, const std::vector<TensorSpec> &specs) {
  std::vector<std::string> sources(specs.size(), "random:0");
  for (const Assignment &assignment : options.inputs) {
    if (assignment.name.empty() && isRandom(assignment.value)) {
      std::fill(sources.begin(), sources.end(), assignment.value);
      continue;
    }
    Result<int64_t> index = findTensor(assignment, specs, "input");
    if (!index)
      return index.error();
    sources[*index] = assignment.value;
  }
  return sources;
}

/// Sizes that the command line states. An ONNX model for the interpreter has
/// been read with them.
static Status addSizes(const Options &options, std::vector<TensorSpec> &specs) {
  if (options.interpret && !options.model.ends_with(".mlir"))
    return Done{};
  for (const std::string &shape : options.shapes)
    if (Status status = addShape(shape, specs); !status)
      return status;
  for (const std::string &dim : options.dims)
    if (Status status = addDim(dim, specs); !status)
      return status;
  return Done{};
}

Result<std::vector<Tensor>>
tenon::run::gatherInputs(const Options &options,
                         std::vector<TensorSpec> specs) {
  Result<std::vector<std::string>> sources = findSources(options, specs);
  if (!sources)
    return sources.error();
  if (Status status = addSizes(options, specs); !status)
    return status.error();
  std::vector<Tensor> inputs(specs.size());
  for (size_t i = 0; i < specs.size(); ++i) {
    if (isRandom((*sources)[i]))
      continue;
    Result<Tensor> tensor = readInput(specs[i], (*sources)[i]);
    if (!tensor)
      return tensor.error();
    if (tensor->isTensor())
      specs[i].shape = tensor->spec.shape;
    inputs[i] = std::move(*tensor);
  }
  shareSizes(specs);
  for (size_t i = 0; i < specs.size(); ++i) {
    if (!isRandom((*sources)[i]))
      continue;
    if (Status status = requireSizes(specs[i]); !status)
      return status.error();
    Result<Tensor> tensor = makeRandom(specs[i], (*sources)[i]);
    if (!tensor)
      return tensor.error();
    inputs[i] = std::move(*tensor);
  }
  return inputs;
}
