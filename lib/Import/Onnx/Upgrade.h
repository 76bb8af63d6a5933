//===- Upgrade.h - a node in the newest opset -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the importer. Operators change from opset to opset:
// attributes become operands, defaults move, operators are replaced. Each such
// change is a step that rewrites one node, in Upgrade<Kind>.cpp.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_UPGRADE_H
#define TENON_LIB_IMPORT_ONNX_UPGRADE_H

#include "lib/Import/Onnx/Infer.h"
#include "lib/Import/Onnx/Inline.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace tenon::onnximport {

/// A node of the default domain on its way to the newest opset.
class Upgrade {
public:
  Upgrade(::onnx::NodeProto node, const Inference &values, NameSource &names)
      : node(std::move(node)), values(values), names(names) {}

  ::onnx::NodeProto node;
  std::vector<::onnx::NodeProto> before, after; ///< what it needs besides
  std::string problem; ///< why there is no newer form; empty if there is one

  /// Takes the steps from `opset` on; false with `problem` set.
  bool run(int64_t opset);

  //===-- What steps do ---------------------------------------------------===//

  const ::onnx::AttributeProto *attribute(llvm::StringRef name) const;
  /// Removes an attribute and returns it.
  std::optional<::onnx::AttributeProto> take(llvm::StringRef name);
  /// The same for the integers of a list, or nothing.
  std::optional<std::vector<int64_t>> takeInts(llvm::StringRef name);
  void set(llvm::StringRef name, int64_t value);
  void set(llvm::StringRef name, float value);
  void set(llvm::StringRef name, llvm::StringRef value);

  /// The name of operand `index`, empty if it is absent.
  std::string input(int index) const;
  /// Sets operand `index`; those between become absent.
  void setInput(int index, const std::string &value);
  int64_t rank(int index) const { return values.rank(input(index)); }
  int32_t elementType(int index) const {
    return values.elementType(input(index));
  }
  /// The size of a dimension of an operand, -1 if it is not known.
  int64_t size(int index, int64_t dim) const;
  /// The elements of a small constant; none if one is no integer. Once, sizes
  /// could be floats.
  std::optional<std::vector<int64_t>> constantInts(int index) const;

  /// New constants in front of the node.
  std::string ints(const std::vector<int64_t> &elements);
  std::string floats(const std::vector<float> &elements);
  std::string integer(int64_t value);
  std::string scalar(double value, int32_t dataType);
  /// A new node with one result in front of the node; the result's name.
  std::string make(llvm::StringRef op, const std::vector<std::string> &inputs);
  /// A new node behind it.
  ::onnx::NodeProto &append(llvm::StringRef op,
                            const std::vector<std::string> &inputs,
                            const std::string &output);
  /// Gives result `index` another name, which is returned; the caller makes the
  /// value of the old name by append().
  std::string renameOutput(int index);
  /// A name that no value has.
  std::string newName(llvm::StringRef suffix);
  void fail(llvm::StringRef why) {
    if (problem.empty())
      problem = why.str();
  }

private:
  std::string addConstant(::onnx::TensorProto tensor);

  const Inference &values;
  NameSource &names;
};

/// One change of an operator.
struct UpgradeStep {
  llvm::StringRef op;
  int64_t opset; ///< the first with the new form
  void (*apply)(Upgrade &);
};

/// The steps of all operators, by operator and opset.
llvm::ArrayRef<UpgradeStep> upgradeSteps();

void populateOperandSteps(std::vector<UpgradeStep> &steps);
void populateArithmeticSteps(std::vector<UpgradeStep> &steps);
void populateNormalizationSteps(std::vector<UpgradeStep> &steps);
void populateResizeSteps(std::vector<UpgradeStep> &steps);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_UPGRADE_H
