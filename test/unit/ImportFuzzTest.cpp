//===- ImportFuzzTest.cpp - random nodes of all operators and opsets ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes models of one node from onnx's schemas: plausible types and
// shapes, but anything in attributes and constants. Each is imported and
// normalised; what is refused must name the node, and nothing may crash.
//
// TENON_FUZZ_NODES says how many, TENON_FUZZ_FIRST the number of the first: a
// node depends on its number only.
//===----------------------------------------------------------------------===//
// LINK: TenonOnnxImport TenonNormalize EXCEPTIONS
#include "dialects/Graph/Graph.h"
#include "lib/Import/Onnx/Import.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"
#include "passes/Normalize/Passes.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using onnx::AttributeProto;
using onnx::OpSchema;
using onnx::OpSchemaRegistry;
using onnx::TensorProto;

static constexpr const char *nodeName = "the_node";

namespace {
using Shape = std::vector<int64_t>;

/// Makes one model.
class Draw {
public:
  explicit Draw(uint64_t number) : random(number) {}
  onnx::ModelProto model();

private:
  int64_t below(int64_t bound) { return int64_t(random() % uint64_t(bound)); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename T> T any(const std::vector<T> &from) {
    return from[below(from.size())];
  }

  const OpSchema *schema(int64_t &opset);
  Shape shape();
  int64_t integer();
  float real();
  std::string text();
  int32_t elementType(const OpSchema::FormalParameter &formal);
  TensorProto tensor(int32_t type, const Shape &shape);
  void addInput(const OpSchema::FormalParameter &formal, int index,
                onnx::GraphProto &graph);
  void addShapeOf(const std::string &name, onnx::GraphProto &graph);
  void addInputs(const OpSchema &schema, onnx::GraphProto &graph);
  void addOutputs(const OpSchema &schema, onnx::GraphProto &graph);
  void addAttribute(const OpSchema::Attribute &formal, onnx::NodeProto &node);

  std::mt19937_64 random;
  Shape usual;                          ///< of most operands
  std::map<std::string, int32_t> bound; ///< type parameters
};
} // namespace

/// All schemas, in an order that does not depend on onnx's hash tables.
static std::vector<OpSchema> sortedSchemas() {
  std::vector<OpSchema> all = OpSchemaRegistry::get_all_schemas_with_history();
  auto key = [](const OpSchema &schema) {
    return std::tuple(schema.domain(), schema.Name(), schema.SinceVersion());
  };
  llvm::sort(all, [&](const OpSchema &a, const OpSchema &b) {
    return key(a) < key(b);
  });
  return all;
}

/// An operator by chance, in one of the opsets that have it.
const OpSchema *Draw::schema(int64_t &opset) {
  static const std::vector<OpSchema> all = sortedSchemas();
  const auto &domains =
      OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  for (;;) {
    const OpSchema &some = all[below(all.size())];
    opset = 1 + below(domains.at(some.domain()).second);
    if (const OpSchema *found =
            OpSchemaRegistry::Schema(some.Name(), int(opset), some.domain()))
      return found;
  }
}

Shape Draw::shape() {
  Shape shape(below(5));
  for (int64_t &dim : shape)
    dim = chance(5) ? 0 : 1 + below(3);
  return shape;
}

int64_t Draw::integer() {
  if (chance(70))
    return 1 + below(3);
  if (chance(80))
    return below(9) - 4;
  return any<int64_t>({INT64_MAX, INT64_MIN, 1LL << 31, 1000, -1000});
}

float Draw::real() {
  return any<float>(
      {0.0f, 1.0f, -1.0f, 0.5f, 2.0f, 1e-5f, 1e30f, -3e38f, INFINITY, NAN});
}

std::string Draw::text() {
  return any<std::string>({"",
                           "x",
                           "NOTSET",
                           "SAME_UPPER",
                           "SAME_LOWER",
                           "VALID",
                           "constant",
                           "reflect",
                           "edge",
                           "wrap",
                           "nearest",
                           "linear",
                           "bilinear",
                           "cubic",
                           "asymmetric",
                           "half_pixel",
                           "align_corners",
                           "tf_crop_and_resize",
                           "forward",
                           "reverse",
                           "bidirectional",
                           "Tanh",
                           "Sigmoid",
                           "mean",
                           "sum",
                           "none",
                           "add",
                           "mul",
                           "max",
                           "DCR",
                           "CRD",
                           "FLOAT",
                           "INT64",
                           "tanh",
                           "ij,jk->ik",
                           "...i,...i",
                           "ii->i",
                           "ij->",
                           "->",
                           "i...j,k",
                           "zeros",
                           "border",
                           "avg",
                           "up",
                           "\xff\xfe"});
}

/// The same for one type parameter everywhere, mostly.
int32_t Draw::elementType(const OpSchema::FormalParameter &formal) {
  if (chance(3))
    return 1 + int32_t(below(26));
  auto known = bound.find(formal.GetTypeStr());
  if (known != bound.end())
    return known->second;
  std::vector<int32_t> allowed;
  for (onnx::DataType type : formal.GetTypes())
    if (int32_t element = onnx::Utils::DataTypeUtils::ToTypeProto(type)
                              .tensor_type()
                              .elem_type())
      allowed.push_back(element);
  if (allowed.empty())
    return TensorProto::FLOAT;
  int32_t drawn = any(allowed);
  for (int32_t usualType : {TensorProto::FLOAT, TensorProto::INT64})
    if (chance(40) && llvm::is_contained(allowed, usualType))
      drawn = usualType;
  return bound[formal.GetTypeStr()] = drawn;
}

TensorProto Draw::tensor(int32_t type, const Shape &shape) {
  TensorProto tensor;
  tensor.set_data_type(type);
  int64_t count = 1;
  for (int64_t dim : shape) {
    tensor.add_dims(dim);
    count *= dim;
  }
  for (int64_t i = 0; i < count; ++i)
    switch (type) {
    case TensorProto::FLOAT:
    case TensorProto::COMPLEX64:
      tensor.add_float_data(real());
      break;
    case TensorProto::DOUBLE:
    case TensorProto::COMPLEX128:
      tensor.add_double_data(real());
      break;
    case TensorProto::INT64:
      tensor.add_int64_data(integer());
      break;
    case TensorProto::UINT32:
    case TensorProto::UINT64:
      tensor.add_uint64_data(uint64_t(integer()));
      break;
    case TensorProto::STRING:
      tensor.add_string_data(text());
      break;
    case TensorProto::BOOL:
      tensor.add_int32_data(int32_t(below(2)));
      break;
    default:
      tensor.add_int32_data(int32_t(integer()));
    }
  return tensor;
}

void Draw::addInput(const OpSchema::FormalParameter &formal, int index,
                    onnx::GraphProto &graph) {
  onnx::NodeProto &node = *graph.mutable_node(0);
  if (chance(formal.GetOption() == OpSchema::Optional ? 40 : 1)) {
    node.add_input("");
    return;
  }
  std::string name = "x" + std::to_string(index);
  node.add_input(name);
  int32_t type = elementType(formal);
  // Integers behind the first operand are sizes, axes and indices.
  bool isSizes = index > 0 && type == TensorProto::INT64 && chance(80);
  if (isSizes && node.domain().empty() && chance(20))
    return addShapeOf(name, graph);
  Shape shape = isSizes      ? Shape(below(2), below(5))
                : chance(70) ? usual
                             : this->shape();
  if (chance(isSizes ? 80 : 25)) {
    TensorProto &constant = *graph.add_initializer();
    constant = tensor(type, shape);
    constant.set_name(name);
    return;
  }
  onnx::ValueInfoProto &input = *graph.add_input();
  input.set_name(name);
  auto &tensorType = *input.mutable_type()->mutable_tensor_type();
  tensorType.set_elem_type(type);
  if (chance(1))
    return; // without a shape
  tensorType.mutable_shape();
  for (int64_t dim : shape)
    if (chance(2))
      tensorType.mutable_shape()->add_dim()->set_dim_param("n");
    else
      tensorType.mutable_shape()->add_dim()->set_dim_value(dim);
}

/// Makes value `name` the shape of a new input, by a node behind its reader.
void Draw::addShapeOf(const std::string &name, onnx::GraphProto &graph) {
  onnx::ValueInfoProto &input = *graph.add_input();
  input.set_name(name + "_of");
  auto &type = *input.mutable_type()->mutable_tensor_type();
  type.set_elem_type(TensorProto::FLOAT);
  type.mutable_shape();
  for (int64_t dim : shape())
    type.mutable_shape()->add_dim()->set_dim_value(dim);
  onnx::NodeProto &node = *graph.add_node();
  node.set_op_type("Shape");
  node.set_name(std::string(nodeName) + "_shape");
  node.add_input(input.name());
  node.add_output(name);
}

void Draw::addInputs(const OpSchema &schema, onnx::GraphProto &graph) {
  int64_t count = schema.inputs().size();
  while (count > schema.min_input() && chance(25))
    --count;
  for (int64_t i = 0; i < count; ++i)
    addInput(schema.inputs()[i], int(i), graph);
  if (schema.inputs().empty() ||
      schema.inputs().back().GetOption() != OpSchema::Variadic)
    return;
  for (int64_t more = below(3); more > 0; --more)
    addInput(schema.inputs().back(), int(count++), graph);
}

void Draw::addOutputs(const OpSchema &schema, onnx::GraphProto &graph) {
  onnx::NodeProto &node = *graph.mutable_node(0);
  int64_t count = std::max<int64_t>(schema.outputs().size(), 1);
  while (count > 1 && count > schema.min_output() && chance(50))
    --count;
  for (int64_t i = 0; i < count; ++i) {
    if (i != 0 && chance(20)) {
      node.add_output("");
      continue;
    }
    node.add_output("y" + std::to_string(i));
    graph.add_output()->set_name(node.output(int(i)));
  }
}

void Draw::addAttribute(const OpSchema::Attribute &formal,
                        onnx::NodeProto &node) {
  if (!chance(formal.required ? 97 : 45))
    return;
  AttributeProto &attribute = *node.add_attribute();
  attribute.set_name(formal.name);
  attribute.set_type(formal.type);
  int64_t count = below(5);
  switch (formal.type) {
  case AttributeProto::INT:
    attribute.set_i(formal.name == "to" || formal.name == "dtype" ? below(28)
                                                                  : integer());
    break;
  case AttributeProto::FLOAT:
    attribute.set_f(real());
    break;
  case AttributeProto::STRING:
    attribute.set_s(text());
    break;
  case AttributeProto::INTS:
    for (int64_t i = 0; i < count; ++i)
      attribute.add_ints(integer());
    break;
  case AttributeProto::FLOATS:
    for (int64_t i = 0; i < count; ++i)
      attribute.add_floats(real());
    break;
  case AttributeProto::STRINGS:
    for (int64_t i = 0; i < count; ++i)
      attribute.add_strings(text());
    break;
  case AttributeProto::TENSOR:
    *attribute.mutable_t() =
        tensor(1 + int32_t(below(16)), chance(50) ? Shape{1} : shape());
    break;
  default: // graphs, sparse tensors, types
    node.mutable_attribute()->RemoveLast();
  }
}

onnx::ModelProto Draw::model() {
  int64_t opset;
  const OpSchema &drawn = *schema(opset);
  usual = shape();
  onnx::ModelProto model;
  model.set_ir_version(8);
  auto &import = *model.add_opset_import();
  import.set_domain(drawn.domain());
  import.set_version(opset);
  onnx::GraphProto &graph = *model.mutable_graph();
  graph.set_name("g");
  onnx::NodeProto &node = *graph.add_node();
  node.set_name(nodeName);
  node.set_op_type(drawn.Name());
  node.set_domain(drawn.domain());
  addInputs(drawn, graph);
  addOutputs(drawn, graph);
  std::map<std::string, const OpSchema::Attribute *> attributes;
  for (const auto &[name, attribute] : drawn.attributes())
    attributes[name] = &attribute;
  for (const auto &[name, attribute] : attributes)
    addAttribute(*attribute, node);
  return model;
}

namespace {
class ImportFuzz : public testing::Test {
protected:
  ImportFuzz() : context(MLIRContext::Threading::DISABLED) {
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      llvm::raw_string_ostream(errors)
          << diagnostic.getLocation() << ": " << diagnostic << "\n";
      return success();
    });
  }

  /// Whether the model came through.
  bool accepts(const onnx::ModelProto &model) {
    errors.clear();
    auto module = tenon::onnximport::importOnnxBytes(model.SerializeAsString(),
                                                     "m.onnx", context);
    if (failed(module))
      return false;
    PassManager passes(&context);
    passes.addPass(tenon::createNormalizeOnnxPass());
    return succeeded(passes.run(**module));
  }

  MLIRContext context;
  std::string errors;
};
} // namespace

static uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST_F(ImportFuzz, EveryRefusalNamesTheNode) {
  llvm::EnablePrettyStackTrace();
  uint64_t first = setting("TENON_FUZZ_FIRST", 0);
  uint64_t count = setting("TENON_FUZZ_NODES", 10000), accepted = 0;
  for (uint64_t number = first; number < first + count; ++number) {
    onnx::ModelProto model = Draw(number).model();
    const onnx::NodeProto &node = model.graph().node(0);
    std::string what =
        node.op_type() + " " + std::to_string(model.opset_import(0).version());
    llvm::PrettyStackTraceFormat onCrash("Node %lu: %s", (unsigned long)number,
                                         what.c_str());
    if (accepts(model)) {
      ++accepted;
      continue;
    }
    // An operand may be wrong on its own.
    bool names = errors.find(nodeName) != std::string::npos ||
                 errors.find("tensor 'x") != std::string::npos ||
                 errors.find("node 'x") != std::string::npos ||
                 errors.find("input 'x") != std::string::npos;
    EXPECT_TRUE(names) << "number " << number << ", " << what << ": " << errors
                       << model.ShortDebugString();
  }
  // The draw is of use only if it is plausible.
  RecordProperty("accepted", int(accepted));
  EXPECT_GT(accepted * 10, count) << accepted;
}
