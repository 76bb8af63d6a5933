//===- ImportUpgradeTest.cpp - no change of an operator is forgotten ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compares all versions of all operators of the default domain, as
// onnx's schemas state them, and asks the importer for a step wherever an old
// node could not stay as it is.
//===----------------------------------------------------------------------===//
// LINK: TenonOnnxImport EXCEPTIONS
#include "lib/Import/Onnx/Upgrade.h"
#include <gtest/gtest.h>

using namespace tenon::onnximport;
using onnx::OpSchema;

/// Whether a default is the same, or was none.
static bool keepsDefault(const OpSchema::Attribute &before,
                         const OpSchema::Attribute &after) {
  return before.default_value.type() == onnx::AttributeProto::UNDEFINED ||
         before.default_value.SerializeAsString() ==
             after.default_value.SerializeAsString();
}

/// What of a node of schema `before` does not fit `after`; empty if nothing.
static std::string difference(const OpSchema &before, const OpSchema &after) {
  if (after.Deprecated() && !before.Deprecated())
    return "it is deprecated";
  for (const auto &[name, old] : before.attributes()) {
    if (name == "consumed_inputs")
      continue; // dropped from all of them
    auto found = after.attributes().find(name);
    if (found == after.attributes().end())
      return "attribute " + name + " is gone";
    if (found->second.type != old.type)
      return "attribute " + name + " has another kind";
    if (found->second.required && !old.required)
      return "attribute " + name + " is required";
    if (!keepsDefault(old, found->second))
      return "attribute " + name + " has another default";
  }
  for (size_t i = 0; i < after.inputs().size(); ++i)
    if (after.inputs()[i].GetOption() == OpSchema::Single &&
        (i >= before.inputs().size() ||
         before.inputs()[i].GetOption() == OpSchema::Optional))
      return "input " + after.inputs()[i].GetName() + " is required";
  if (before.inputs().size() > after.inputs().size() ||
      before.outputs().size() > after.outputs().size())
    return "it has fewer inputs or outputs";
  return "";
}

static bool hasStep(const OpSchema &schema) {
  for (const UpgradeStep &step : upgradeSteps())
    if (step.op == schema.Name() && step.opset == schema.SinceVersion())
      return true;
  return false;
}

TEST(ImportUpgrade, EachChangeHasAStep) {
  std::map<std::string, std::map<int, OpSchema>> versions;
  for (const OpSchema &schema :
       onnx::OpSchemaRegistry::get_all_schemas_with_history())
    if (schema.domain().empty())
      versions[schema.Name()].emplace(schema.SinceVersion(), schema);
  unsigned changes = 0;
  for (const auto &[name, schemas] : versions)
    for (auto after = std::next(schemas.begin()); after != schemas.end();
         ++after) {
      std::string what = difference(std::prev(after)->second, after->second);
      if (what.empty())
        continue;
      ++changes;
      EXPECT_TRUE(hasStep(after->second))
          << name << " in opset " << after->first << ": " << what;
    }
  EXPECT_GT(changes, 50u);
}

TEST(ImportUpgrade, EachStepIsAChange) {
  for (const UpgradeStep &step : upgradeSteps()) {
    const OpSchema *schema =
        onnx::OpSchemaRegistry::Schema(step.op.str(), int(step.opset), "");
    ASSERT_TRUE(schema) << step.op.str();
    EXPECT_EQ(schema->SinceVersion(), step.opset) << step.op.str();
  }
}
