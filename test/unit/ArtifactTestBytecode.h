//===- ArtifactTestBytecode.h - bytecode made by hand -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file builds functions of bytecode, and runs entries on values.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_ARTIFACTTESTBYTECODE_H
#define TENON_TEST_UNIT_ARTIFACTTESTBYTECODE_H

#include "tenon/artifact_format.h"
#include "test/unit/ArtifactTestImage.h"
#include "test/unit/ArtifactTestSymbols.h"

namespace tenon::test {

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

using artifact::ValueKind;
using artifact::ValueType;

inline ValueType tensorType(artifact::DType type,
                            std::optional<uint8_t> rank = {}) {
  return {type, rank, ValueKind::Tensor};
}

inline ValueType sequenceType(artifact::DType type) {
  return {type, {}, ValueKind::Sequence};
}

inline ValueType optionalType(artifact::DType type) {
  return {type, {}, ValueKind::Optional};
}

using Registers = std::vector<uint32_t>;

/// Builds a function: registers are numbers, instructions return theirs.
struct FunctionBuilder {
  FunctionBuilder(std::string name, std::vector<ValueType> parameters,
                  std::vector<ValueType> results) {
    function.name = std::move(name);
    function.parameterCount = parameters.size();
    function.registers = std::move(parameters);
    function.results = std::move(results);
  }

  uint32_t add(ValueType type) {
    function.registers.push_back(type);
    return function.registers.size() - 1;
  }

  uint32_t primitive(uint32_t number, Registers results, Registers operands,
                     std::vector<int64_t> integers = {}) {
    return put({artifact::Opcode::Call,
                artifact::CalleeKind::Primitive,
                number,
                std::move(results),
                std::move(operands),
                std::move(integers),
                {},
                "node"});
  }

  uint32_t call(artifact::CalleeKind kind, uint32_t number, Registers results,
                Registers operands) {
    return put({artifact::Opcode::Call,
                kind,
                number,
                std::move(results),
                std::move(operands),
                {},
                {},
                "called"});
  }

  uint32_t ret(Registers operands) {
    return put({artifact::Opcode::Return, {}, 0, {}, std::move(operands)});
  }

  uint32_t jump(uint32_t target) {
    return put({artifact::Opcode::Goto, {}, 0, {}, {}, {}, {target}});
  }

  uint32_t branch(uint32_t condition, uint32_t then, uint32_t otherwise) {
    return put({artifact::Opcode::If,
                {},
                0,
                {},
                {condition},
                {},
                {then, otherwise},
                "condition"});
  }

  uint32_t put(artifact::InstructionDesc instruction) {
    function.instructions.push_back(std::move(instruction));
    return function.instructions.size() - 1;
  }

  artifact::FunctionDesc function;
};

/// What the signature says of a parameter or a result: extents are registers of
/// inputs, and not known of outputs.
inline artifact::TensorDesc describeType(const ValueType &type,
                                         std::string name, int64_t *extents) {
  artifact::TensorDesc tensor;
  tensor.name = std::move(name);
  tensor.type = type.type;
  tensor.kind = type.kind;
  tensor.hasAnyRank = !type.rank;
  for (int i = 0; i < type.rank.value_or(0); ++i)
    tensor.shape.push_back(extents && type.kind == ValueKind::Tensor
                               ? artifact::registerValue((*extents)++)
                               : artifact::unknownSize);
  return tensor;
}

/// Makes function 0 the entry `main`, with extents that are checked nowhere.
inline void makeEntry(artifact::ArtifactDesc &desc) {
  const artifact::FunctionDesc &function = desc.functions[0];
  artifact::EntryDesc entry;
  entry.function = 0;
  int64_t extents = 0;
  for (uint32_t i = 0; i < function.parameterCount; ++i)
    entry.inputs.push_back(describeType(function.registers[i],
                                        "in" + std::to_string(i), &extents));
  for (size_t i = 0; i < function.results.size(); ++i)
    entry.outputs.push_back(
        describeType(function.results[i], "out" + std::to_string(i), nullptr));
  // A size program sums up the bytes of inputs.
  std::vector<artifact::SizeInstruction> program;
  int64_t first = 0;
  for (artifact::TensorDesc &input : entry.inputs) {
    if (input.kind != ValueKind::Tensor || input.hasAnyRank)
      continue;
    int64_t bytes = (input.type.bits + 7) / 8;
    for (size_t i = 0; i < input.shape.size(); ++i) {
      program.push_back(
          {artifact::SizeOp::Mul, artifact::registerValue(first++), bytes});
      bytes = artifact::registerValue(extents + program.size() - 1);
    }
    if (!input.shape.empty())
      input.byteSize = bytes;
  }
  desc.entries.insert(desc.entries.begin(), entry);
  desc.sizePrograms.resize(desc.entries.size());
  desc.sizePrograms[0] = program;
}

/// An artifact of nothing but functions, the first of which is `main`.
inline artifact::ArtifactDesc
makeBytecode(std::vector<artifact::FunctionDesc> functions) {
  artifact::ArtifactDesc desc;
  desc.modelName = "bytecode";
  desc.entries.clear();
  desc.functions = std::move(functions);
  makeEntry(desc);
  return desc;
}

/// One that calls a primitive and returns what it gives.
inline artifact::ArtifactDesc makeCall(uint32_t primitive,
                                       std::vector<ValueType> parameters,
                                       std::vector<ValueType> results,
                                       std::vector<int64_t> integers = {}) {
  FunctionBuilder main("main", parameters, results);
  Registers operands, made;
  for (uint32_t i = 0; i < parameters.size(); ++i)
    operands.push_back(i);
  for (const ValueType &type : results)
    made.push_back(main.add(type));
  main.primitive(primitive, made, operands, std::move(integers));
  main.ret(made);
  return makeBytecode({main.function});
}

/// main(x, z) calls the program y, n = f(x, z) of [batch, 100], and gives y of
/// what it gave again: ((x + z) + x + z) + (x + z) + x.
inline artifact::ArtifactDesc makeProgram() {
  using namespace artifact;
  ArtifactDesc desc = makeSymbolic();
  desc.entries[0].name = "main_0";
  desc.entries[0].isInternal = true;
  ValueType matrix = tensorType(dtype::f32, 2);
  ValueType vector = tensorType(dtype::i64, 1);
  FunctionBuilder main("main", {matrix, matrix}, {matrix, vector});
  uint32_t y = main.add(matrix), n = main.add(vector), again = main.add(matrix);
  main.call(CalleeKind::Program, 1, {y, n}, {0, 1});
  main.call(CalleeKind::Program, 1, {again, n}, {y, 1});
  main.ret({again, n});
  desc.functions = {main.function};
  auto program = desc.sizePrograms[0];
  makeEntry(desc);
  desc.sizePrograms[1] = program;
  PlanDesc &plan = desc.variants[0].plan;
  plan.programArenas = {0, plan.arenaBytes};
  plan.buffers.clear();
  for (LaunchDesc &launch : desc.variants[0].launches)
    launch.entry = 1;
  return desc;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// An owner of a value.
class Value {
public:
  Value() = default;
  explicit Value(tenon_value *value) : value(value) {}
  Value(Value &&other) : value(std::exchange(other.value, nullptr)) {}
  Value(const Value &other) : value(tenon_value_retain(other.value)) {}
  Value &operator=(Value other) {
    std::swap(value, other.value);
    return *this;
  }
  ~Value() { tenon_value_release(value); }

  tenon_value *get() const { return value; }

  tenon_value_info info() const {
    tenon_value_info result = TENON_INIT(tenon_value_info);
    EXPECT_OK(tenon_value_query(value, &result));
    return result;
  }

  std::vector<int64_t> shape() const {
    tenon_value_info facts = info();
    return {facts.shape, facts.shape + facts.rank};
  }

  template <typename T> std::vector<T> data() const {
    tenon_value_info facts = info();
    EXPECT_EQ(facts.byte_size, facts.count * sizeof(T));
    const T *begin = static_cast<const T *>(facts.data);
    return std::vector<T>(begin, begin + facts.count);
  }

  std::vector<std::string> strings() const {
    std::vector<std::string> result;
    for (size_t i = 0; i < info().count; ++i) {
      size_t size = 0;
      const char *text = tenon_value_string(value, i, &size);
      result.emplace_back(text ? std::string(text, size) : "no string");
    }
    return result;
  }

  Value element(size_t index) const {
    tenon_value *result = nullptr;
    EXPECT_OK(tenon_value_element(value, index, &result));
    return Value(result);
  }

private:
  tenon_value *value = nullptr;
};

using Shape = std::vector<int64_t>;

inline Value makeTensor(artifact::DType type, Shape shape, const void *data) {
  tenon_tensor tensor = {const_cast<void *>(data),
                         {TENON_DEVICE_CPU, 0},
                         int32_t(shape.size()),
                         {type.code, type.bits, 1},
                         shape.data(),
                         nullptr,
                         0};
  tenon_value *value = nullptr;
  EXPECT_OK(tenon_value_tensor(&tensor, &value));
  return Value(value);
}

inline Value integers(std::vector<int64_t> data, Shape shape) {
  return makeTensor(artifact::dtype::i64, shape, data.data());
}

inline Value integer(int64_t number) { return integers({number}, {}); }

inline Value floats(std::vector<float> data, Shape shape) {
  return makeTensor(artifact::dtype::f32, shape, data.data());
}

inline Value booleans(std::vector<uint8_t> data, Shape shape) {
  return makeTensor(artifact::dtype::i1, shape, data.data());
}

inline Value strings(std::vector<const char *> texts, Shape shape) {
  tenon_value *value = nullptr;
  EXPECT_OK(tenon_value_strings(texts.data(), nullptr, shape.size(),
                                shape.data(), &value));
  return Value(value);
}

inline Value sequence(artifact::DType type,
                      const std::vector<Value> &elements) {
  std::vector<tenon_value *> pointers;
  for (const Value &element : elements)
    pointers.push_back(element.get());
  tenon_value *value = nullptr;
  EXPECT_OK(tenon_value_sequence({type.code, type.bits, 1}, pointers.data(),
                                 pointers.size(), &value));
  return Value(value);
}

inline Value none() {
  tenon_value *value = nullptr;
  EXPECT_OK(tenon_value_optional(nullptr, &value));
  return Value(value);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Counts what is taken and not given back.
struct CountedMemory {
  tenon_allocator get() {
    tenon_allocator result = {};
    result.user = this;
    result.allocate = [](void *user, size_t size, size_t alignment) -> void * {
      auto *self = static_cast<CountedMemory *>(user);
      if (self->limit-- <= 0)
        return nullptr;
      ++self->count;
      ++self->live;
      return aligned_alloc(alignment,
                           (size + alignment - 1) / alignment * alignment);
    };
    result.release = [](void *user, void *pointer) {
      static_cast<CountedMemory *>(user)->live -= pointer != nullptr;
      free(pointer);
    };
    return result;
  }
  int64_t limit = INT64_MAX;
  int count = 0, live = 0;
};

/// A loaded model with a context.
struct Runner {
  explicit Runner(const artifact::ArtifactDesc &desc) {
    options = TENON_INIT(tenon_context_options);
    options.threads = 1;
    options.allocator = memory.get();
    TemporaryFile file;
    EXPECT_OK(artifact::writeArtifact(desc, file.path));
    EXPECT_OK(tenon_model_load_file(file.path.c_str(), nullptr, &model));
  }
  Runner(const Runner &) = delete;

  ~Runner() {
    outputs.clear();
    tenon_context_destroy(context);
    tenon_model_destroy(model);
    EXPECT_EQ(memory.live, 0);
  }

  tenon_status *run(const std::vector<Value> &inputs) {
    if (!context)
      if (tenon_status *status =
              tenon_context_create(model, &options, &context))
        return status;
    std::vector<tenon_value *> given, made(countOutputs());
    for (const Value &input : inputs)
      given.push_back(input.get());
    tenon_status *status = tenon_run_values(context, given.data(), given.size(),
                                            made.data(), made.size());
    outputs.clear();
    for (tenon_value *value : made)
      if (!status)
        outputs.emplace_back(value);
    return status;
  }

  size_t countOutputs() const { return tenon_model_output_count(model); }

  CountedMemory memory;
  tenon_context_options options;
  tenon_model *model = nullptr;
  tenon_context *context = nullptr;
  std::vector<Value> outputs;
};

/// What one call of a primitive gives.
inline std::vector<Value> callOnce(const artifact::ArtifactDesc &desc,
                                   const std::vector<Value> &inputs) {
  Runner runner(desc);
  EXPECT_OK(runner.run(inputs));
  std::vector<Value> results = runner.outputs;
  // Results may outlive the context, but not the allocator that is counted.
  for (Value &result : results)
    if (result.info().kind == TENON_VALUE_TENSOR && result.info().data)
      result = makeTensor({result.info().dtype.code, result.info().dtype.bits},
                          result.shape(), result.info().data);
  runner.outputs.clear();
  return results;
}

} // namespace tenon::test

#endif // TENON_TEST_UNIT_ARTIFACTTESTBYTECODE_H
