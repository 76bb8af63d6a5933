//===- GraphCases.h - small instances of every operation --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists operations of the graph dialect on small shapes, for tests
// that hold what operations state against what they do.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_GRAPHCASES_H
#define TENON_TEST_UNIT_GRAPHCASES_H

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/GraphSteps.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <set>
#include <string>

namespace tenon {

/// An operation in text. A signature holds the operands' types, an arrow, the
/// results' types: "2x3xf32 f32 -> 2x3xf32".
struct GraphCase {
  std::string name, attributes, signature;
  int64_t indexBound = 0; ///< i32 and i64 operands hold less than this
};

inline std::vector<GraphCase> elementwiseCases() {
  std::vector<GraphCase> cases;
  for (const char *name :
       {"abs",   "neg",  "sign",       "relu",  "exp",    "log",  "sqrt",
        "rsqrt", "ceil", "reciprocal", "floor", "sin",    "cos",  "round",
        "tan",   "asin", "acos",       "atan",  "sinh",   "cosh", "asinh",
        "acosh", "tanh", "atanh",      "erf",   "sigmoid"})
    cases.push_back({name, "", "2x3xf32 -> 2x3xf32"});
  for (const char *name : {"add", "sub", "mul", "div", "max", "min", "pow"})
    cases.push_back({name, "", "2x1x4xf32 3x1xf32 -> 2x3x4xf32"});
  for (const char *name : {"mod", "and", "or", "xor"})
    cases.push_back({name, "", "3xui8 2x1xui8 -> 2x3xui8"});
  for (const char *name : {"shift_left", "shift_right"})
    cases.push_back({name, "", "2x1xui8 1x3xui8 -> 2x3xui8"});
  for (const char *name :
       {"equal", "less", "less_equal", "greater", "greater_equal"})
    cases.push_back({name, "", "2x3xf32 3xf32 -> 2x3xi1"});
  for (const char *name : {"is_nan", "is_inf"})
    cases.push_back({name, "", "2x3xf32 -> 2x3xi1"});
  cases.push_back({"not", "", "2x3xui8 -> 2x3xui8"});
  cases.push_back({"cast", "", "2x3xf32 -> 2x3xi16"});
  cases.push_back({"select", "", "2x1xi1 1x3xf32 f32 -> 2x3xf32"});
  cases.push_back({"add", "", "f32 f32 -> f32"});
  return cases;
}

inline std::vector<GraphCase> productCases() {
  const std::string plain = "strides = array<i64: 1, 1>, pads = array<i64: 0, "
                            "0, 0, 0>, dilations = array<i64: 1, 1>";
  const std::string odd = "strides = array<i64: 2, 1>, pads = array<i64: 1, "
                          "2, 0, 1>, dilations = array<i64: 1, 2>";
  const std::string nhwc = ", layout = #graph<layout nhwc>";
  const std::string grown = ", output_padding = array<i64: 1, 0>";
  const std::string exact = ", output_padding = array<i64: 0, 0>";
  return {
      {"matmul", "", "2x3xf32 3x4xf32 -> 2x4xf32"},
      {"matmul", "", "1x3xf32 3x1xf32 -> 1x1xf32"},
      {"matmul", "transpose_lhs", "2x1x3x2xf32 4x3x5xf32 -> 2x4x2x5xf32"},
      {"matmul", "transpose_rhs", "5x2x3xf32 4x3xf32 -> 5x2x4xf32"},
      {"conv", plain, "1x3x4x4xf32 2x3x1x1xf32 -> 1x2x4x4xf32"},
      {"conv", odd, "2x2x5x4xf32 3x2x3x2xf32 -> 2x3x2x5xf32"},
      {"conv", odd + nhwc, "1x5x4x2xf32 3x2x3x2xf32 -> 1x2x5x3xf32"},
      {"conv", odd + ", group = 2 : i64",
       "1x4x5x4xf32 6x2x3x2xf32 -> 1x6x2x5xf32"},
      {"conv", odd + ", group = 2 : i64",
       "1x4x5x4xf32 2x2x3x2xf32 -> 1x2x2x5xf32"},
      {"conv",
       "strides = array<i64: 3>, pads = array<i64: -1, 4>, dilations = "
       "array<i64: 2>",
       "1x2x7xf32 2x2x2xf32 -> 1x2x3xf32"},
      {"conv_transpose", odd + grown, "1x2x3x4xf32 2x3x3x2xf32 -> 1x3x7x3xf32"},
      {"conv_transpose", odd + grown + nhwc + ", group = 2 : i64",
       "1x3x4x4xf32 4x2x3x2xf32 -> 1x7x3x4xf32"},
      {"conv_transpose",
       "strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = "
       "array<i64: 1, 1>" +
           exact,
       "1x2x2x3xf32 2x3x2x2xf32 -> 1x3x4x6xf32"},
      {"pack",
       "batch_dims = array<i64: 0>, k_dims = array<i64: 1>, n_dims = "
       "array<i64: 2>, panel = 4 : i64",
       "2x3x6xf32 -> 2x2x3x4xf32"},
      {"pack",
       "batch_dims = array<i64>, k_dims = array<i64: 1>, n_dims = "
       "array<i64: 2, 0>, panel = 4 : i64, groups = 2 : i64",
       "2x3x3xf32 -> 2x3x4xf32"},
      {"pack",
       "batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = "
       "array<i64: 1>, panel = 4 : i64, fold = 2 : i64",
       "6x3xf32 -> 2x3x4xf32"},
      {"pack",
       "batch_dims = array<i64>, k_dims = array<i64: 2, 3, 1>, n_dims = "
       "array<i64: 0>, panel = 4 : i64, winograd = 2 : i64",
       "3x2x3x3xf32 -> 1x32x4xf32"},
      {"pack",
       "batch_dims = array<i64>, k_dims = array<i64: 2, 1>, n_dims = "
       "array<i64: 0>, panel = 2 : i64, winograd = 2 : i64, window_rank = 1 : "
       "i64, window = 3 : i64",
       "3x2x5xf32 -> 2x16x2xf32"},
  };
}

/// Depthwise products, pools and normalisation across channels.
inline std::vector<GraphCase> windowCases() {
  const std::string geometry =
      "strides = array<i64: 2, 1>, pads = array<i64: 1, 2, 0, 1>, dilations = "
      "array<i64: 1, 2>";
  const std::string kernel = ", kernel = array<i64: 3, 2>";
  const std::string nhwc = ", layout = #graph<layout nhwc>";
  const std::string norm =
      "alpha = 1.0e-1 : f32, beta = 0.75 : f32, bias = 1.0 : f32, size = ";
  return {
      {"conv", geometry + ", group = 3 : i64",
       "1x3x5x4xf32 3x1x3x2xf32 -> 1x3x2x5xf32"},
      {"conv", geometry + nhwc + ", group = 2 : i64",
       "1x5x4x2xf32 4x1x3x2xf32 -> 1x2x5x4xf32"},
      {"conv_transpose",
       geometry + ", output_padding = array<i64: 0, 0>, group = 2 : i64",
       "1x2x3x4xf32 2x1x3x2xf32 -> 1x2x6x3xf32"},
      {"max_pool", geometry + kernel, "1x2x5x4xf32 -> 1x2x2x5xf32"},
      {"max_pool", geometry + kernel + nhwc, "1x5x4x2xf32 -> 1x2x5x2xf32"},
      {"avg_pool", geometry + kernel, "1x2x5x4xf32 -> 1x2x2x5xf32"},
      {"avg_pool", geometry + kernel + ", count_include_pad = true",
       "1x2x5x4xf32 -> 1x2x3x5xf32"},
      {"lrn", norm + "3 : i64", "1x4x2x1xf32 -> 1x4x2x1xf32"},
      {"lrn", norm + "4 : i64" + nhwc, "1x2x1x5xf32 -> 1x2x1x5xf32"},
  };
}

inline std::vector<GraphCase> reductionCases() {
  std::vector<GraphCase> cases;
  for (const char *name : {"reduce_sum", "reduce_mean", "reduce_max",
                           "reduce_min", "reduce_prod"}) {
    cases.push_back(
        {name, "axes = array<i64: 0, 2>", "2x3x4xf32 -> 1x3x1xf32"});
    cases.push_back({name, "axes = array<i64: 1>, keep_dims = false",
                     "2x3x4xf32 -> 2x4xf32"});
  }
  for (const char *name : {"arg_max", "arg_min"})
    cases.push_back({name, "axis = 1 : i64", "2x3x2xf32 -> 2x1x2xi64"});
  cases.insert(cases.end(),
               {{"top_k", "axis = 1 : i64, k = 2 : i64",
                 "2x4x2xf32 -> 2x2x2xf32 2x2x2xi64"},
                {"prefix", "axis = 1 : i64", "2x4x2xf32 -> 2x4x2xf32"},
                {"prefix", "axis = 1 : i64, reverse = true, exclusive = true",
                 "2x4xf32 -> 2x4xf32"},
                {"det", "", "2x3x3xf32 -> 2xf32"},
                {"softmax", "axis = 1 : i64", "2x3x2xf32 -> 2x3x2xf32"},
                {"layer_norm", "axis = 1 : i64, epsilon = 1.0e-1 : f32",
                 "2x3x2xf32 3x2xf32 -> 2x3x2xf32"},
                {"layer_norm", "axis = 2 : i64, epsilon = 1.0e-1 : f32",
                 "2x3x4xf32 3x1xf32 4xf32 -> 2x3x4xf32"}});
  return cases;
}

inline std::vector<GraphCase> movementCases() {
  const std::string widths = "low = array<i64: 2, 0>, high = array<i64: 1, 3>";
  const std::string nearest =
      "mode = #graph<resize_mode nearest>, coordinate_mode = "
      "#graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode "
      "floor>";
  const std::string linear =
      "mode = #graph<resize_mode linear>, coordinate_mode = "
      "#graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode "
      "floor>";
  return {
      {"iota", "axis = 1 : i64, start = 1.0 : f64, step = 2.0 : f64",
       "-> 2x3xf32"},
      {"broadcast", "", "3x1xf32 -> 2x3x4xf32"},
      {"transpose", "permutation = array<i64: 2, 0, 1>",
       "2x3x4xf32 -> 4x2x3xf32"},
      {"slice",
       "starts = array<i64: 1, 8>, sizes = array<i64: 2, 3>, steps = "
       "array<i64: 1, -3>",
       "3x9xf32 -> 2x3xf32"},
      {"concat", "axis = 1 : i64", "2x3xf32 2x1xf32 2x4xf32 -> 2x8xf32"},
      {"pad", widths, "2x3xf32 f32 -> 5x6xf32"},
      {"pad", "low = array<i64: -1, 2>, high = array<i64: 2, -2>",
       "3x4xf32 -> 4x4xf32"},
      {"pad", widths + ", mode = #graph<pad_mode edge>", "2x3xf32 -> 5x6xf32"},
      {"pad",
       "low = array<i64: 1, 2>, high = array<i64: 1, 4>, mode = "
       "#graph<pad_mode reflect>",
       "2x3xf32 -> 4x9xf32"},
      {"pad", widths + ", mode = #graph<pad_mode wrap>", "2x3xf32 -> 5x6xf32"},
      {"gather", "axis = 1 : i64", "2x4x3xf32 2x3xi64 -> 2x2x3x3xf32", 4},
      {"gather", "axis = 0 : i64", "4x2xf32 i64 -> 2xf32", 4},
      {"gather_elements", "axis = 0 : i64", "4x2xf32 3x2xi64 -> 3x2xf32", 4},
      {"scatter", "", "4x2xf32 3xi64 3x2xf32 -> 4x2xf32", 4},
      {"scatter", "kind = #graph<scatter_kind add>",
       "4x2xf32 3xi32 3x2xf32 -> 4x2xf32", 4},
      {"resize", "scales = array<f32: 1.0, 2.0, 3.0>, " + nearest,
       "2x2x3xf32 -> 2x4x9xf32"},
      {"resize", "scales = array<f32: 1.0, 1.5>, " + nearest,
       "2x4xf32 -> 2x6xf32"},
      {"resize", "scales = array<f32: 1.0, 1.5>, " + linear,
       "2x4xf32 -> 2x6xf32"},
  };
}

/// Constants, views, and what is done before the program runs.
inline std::vector<GraphCase> staticCases() {
  return {
      {"constant", "value = dense<1.0> : tensor<2x3xf32>", "-> 2x3xf32"},
      {"sizes", "dims = #graph.dims<[3, -1]>", "-> 2xi64"},
      {"reshape", "", "2x6x5xf32 -> 2x2x1x15xf32"},
      {"reshape", "", "2x3x1xf32 -> 6xf32"},
      {"reshape", "", "1xf32 -> f32"},
      {"bitcast", "", "2x3xf32 -> 2x3xi32"},
  };
}

/// Segment sizes name the operands there are: two (three) that must be, bias,
/// lengths, initial h, initial c, peephole.
inline std::vector<GraphCase> recurrentCases() {
  auto cell = [](const std::string &name, const std::string &functions,
                 const std::string &segments) {
    return "cell = #graph<cell " + name + ">, activations = [" + functions +
           "], operandSegmentSizes = array<i32: " + segments + ">";
  };
  const std::string gru = "\"Sigmoid\", \"Tanh\"", lstm = gru + ", \"Tanh\"";
  const std::string forward = ", direction = #graph<direction forward>";
  const std::string reverse = ", direction = #graph<direction reverse>";
  const std::string both = ", direction = #graph<direction bidirectional>";
  return {
      {"recurrence", cell("rnn", "\"Tanh\"", "1, 1, 0, 0, 1, 0, 0") + forward,
       "3x1x2x2xf32 1x2x2xf32 1x2x2xf32 -> 3x1x2x2xf32 1x2x2xf32 1x2x2xf32"},
      {"recurrence", cell("lstm", lstm, "1, 1, 0, 0, 1, 1, 1") + reverse,
       "3x1x2x8xf32 1x2x8xf32 1x2x2xf32 1x2x2xf32 1x6xf32 -> 3x1x2x2xf32 "
       "1x2x2xf32 1x2x2xf32"},
      {"recurrence",
       cell("gru", gru + ", " + gru, "1, 1, 1, 0, 0, 0, 0") + both +
           ", linear_before_reset = true",
       "3x2x1x6xf32 2x2x6xf32 2x6xf32 -> 3x2x1x2xf32 2x1x2xf32 2x1x2xf32"},
      {"recurrence", cell("gru", gru, "1, 1, 0, 1, 0, 0, 0") + forward,
       "3x1x2x6xf32 1x2x6xf32 2xi32 -> 3x1x2x2xf32 1x2x2xf32 1x2x2xf32", 4},
      {"recurrent", cell("rnn", "\"Tanh\"", "1, 1, 1, 1, 0, 0, 0, 0") + forward,
       "3x2x2xf32 1x2x2xf32 1x2x2xf32 1x4xf32 -> 3x1x2x2xf32 1x2x2xf32 "
       "1x2x2xf32"},
      {"recurrent",
       cell("lstm", lstm + ", " + lstm, "1, 1, 1, 0, 0, 1, 0, 0") + both,
       "2x1x2xf32 2x8x2xf32 2x8x2xf32 2x1x2xf32 -> 2x2x1x2xf32 2x1x2xf32 "
       "2x1x2xf32"},
  };
}

inline std::vector<GraphCase> graphCases() {
  std::vector<GraphCase> all;
  for (auto cases :
       {elementwiseCases(), productCases(), windowCases(), reductionCases(),
        movementCases(), staticCases(), recurrentCases()})
    llvm::append_range(all, cases);
  return all;
}

/// Splits a signature: its types before and after the arrow, comma-separated.
inline std::pair<std::string, std::string>
typesOf(const std::string &signature) {
  std::string sides[2];
  bool isResult = false;
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(signature).split(words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    if (word == "->") {
      isResult = true;
      continue;
    }
    std::string &side = sides[isResult];
    side += (side.empty() ? "tensor<" : ", tensor<") + word.str() + ">";
  }
  return {sides[0], sides[1]};
}

/// A function whose first operation is the case and whose arguments are its
/// operands; null after a diagnostic.
inline mlir::OwningOpRef<mlir::ModuleOp> parseCase(const GraphCase &one,
                                                   mlir::MLIRContext &context) {
  auto [inputs, results] = typesOf(one.signature);
  std::string type = "(" + inputs + ") -> (" + results + ")";
  auto function = llvm::dyn_cast_or_null<mlir::FunctionType>(
      mlir::parseType(type, &context));
  if (!function)
    return nullptr;
  std::string arguments, names, text;
  llvm::raw_string_ostream os(arguments);
  for (unsigned i = 0; i < function.getNumInputs(); ++i) {
    names += (i ? ", %x" : "%x") + std::to_string(i);
    os << (i ? ", %x" : "%x") << i << ": " << function.getInput(i);
  }
  text = "func.func @main(" + arguments +
         ") {\n%r:" + std::to_string(function.getNumResults()) + " = \"graph." +
         one.name + "\"(" + names + ") {" + one.attributes + "} : " + type +
         "\nreturn\n}\n";
  return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
}

/// The operation that a module of parseCase() holds.
inline graph::TensorOpInterface operationOf(mlir::ModuleOp module) {
  graph::TensorOpInterface found;
  module.walk([&](graph::TensorOpInterface op) { found = op; });
  return found;
}

/// The names of the operations that state their mathematics; loops state that
/// of the function they call.
inline std::set<std::string> statedOperations(mlir::MLIRContext &context) {
  std::set<std::string> names;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (name.getDialectNamespace() == "graph" &&
        name.hasInterface<graph::TensorOpInterface>() &&
        name.getStringRef() != graph::StepsOp::getOperationName())
      names.insert(name.stripDialect().str());
  return names;
}

} // namespace tenon

#endif // TENON_TEST_UNIT_GRAPHCASES_H
