//===- ImportOnnxTest.cpp - importing whole models, whole and damaged -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests where weights end up, and that no damage to a model is more
// than an error.
//===----------------------------------------------------------------------===//
// LINK: TenonOnnxImport
#include "lib/Import/Onnx/Import.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/MLIRContext.h"
#include "test/unit/ImportTestModel.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon::onnximport;

namespace {
/// Imports models and keeps what was reported.
class ImportOnnx : public testing::Test {
protected:
  ImportOnnx() {
    context.disableMultithreading();
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      errors += diagnostic.str() + "\n";
      return success();
    });
  }

  /// The module, or null with `errors` set.
  OwningOpRef<ModuleOp> import(const std::string &model,
                               const ImportOptions &options = {}) {
    errors.clear();
    auto module = importOnnxBytes(model, "m.onnx", context, options);
    if (failed(module))
      return {};
    return std::move(*module);
  }

  MLIRContext context;
  std::string errors;
};
} // namespace

/// The only constant of the module.
static ElementsAttr constantOf(ModuleOp module) {
  ElementsAttr value;
  module.walk([&](Operation *op) {
    if (op->getName().getStringRef() == "onnx.Constant")
      value = op->getAttrOfType<ElementsAttr>("value");
  });
  return value;
}

TEST_F(ImportOnnx, SmallConstantsAreDense) {
  auto module = import(wire::addModel(4));
  ASSERT_TRUE(module) << errors;
  auto value = dyn_cast<DenseElementsAttr>(constantOf(*module));
  ASSERT_TRUE(value);
  EXPECT_EQ(value.getValues<float>()[3], 3.0f);
}

/// One of the numbers in a blob, which may lie at any address.
static float floatAt(ArrayRef<char> data, size_t index) {
  float number;
  memcpy(&number, data.data() + index * sizeof number, sizeof number);
  return number;
}

TEST_F(ImportOnnx, LargeConstantsAreResources) {
  auto module = import(wire::addModel(1000));
  ASSERT_TRUE(module) << errors;
  auto value = dyn_cast<DenseResourceElementsAttr>(constantOf(*module));
  ASSERT_TRUE(value);
  ArrayRef<char> data = value.getRawHandle().getBlob()->getData();
  ASSERT_EQ(data.size(), 4000u);
  EXPECT_EQ(floatAt(data, 999), 999.0f);
}

TEST_F(ImportOnnx, MappedWeightsAreNotCopied) {
  // Padding in the producer's name moves the data to each address modulo 4.
  for (size_t pad = 1; pad <= 4; ++pad) {
    std::string model =
        wire::bytes(2, std::string(pad, 'p')) + wire::addModel(1000);
    llvm::SmallString<128> path;
    int descriptor;
    ASSERT_FALSE(
        llvm::sys::fs::createTemporaryFile("tenon", "onnx", descriptor, path));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << model;
    auto module = importOnnx(path, context);
    ASSERT_TRUE(succeeded(module)) << errors;
    auto value = cast<DenseResourceElementsAttr>(constantOf(**module));
    // The mapping outlives the file's name. Bytes in it have the offset in a
    // page that they have in the file.
    ASSERT_FALSE(llvm::sys::fs::remove(path));
    const AsmResourceBlob &blob = *value.getRawHandle().getBlob();
    uintptr_t address = uintptr_t(blob.getData().data());
    size_t offset = model.find(std::string("\0\0\0\0\0\0\x80\x3f", 8));
    EXPECT_EQ(address % 4096, offset % 4096);
    EXPECT_EQ(address % blob.getDataAlignment(), 0u);
    EXPECT_EQ(floatAt(blob.getData(), 999), 999.0f);
  }
}

/// y = Cast(w) to float, of `count` elements.
static std::string castModel(int64_t count, const std::string &weights) {
  std::string to =
      wire::bytes(1, "to") + wire::integer(3, 1) + wire::integer(20, /*INT=*/2);
  return wire::model(wire::bytes(1, wire::node("Cast", "cast", {"w"}, "y") +
                                        wire::bytes(5, to)) +
                         wire::bytes(5, weights) +
                         wire::bytes(12, wire::value("y", {count}, 1)),
                     /*opset=*/25);
}

TEST_F(ImportOnnx, PackedElementsGetAByteEach) {
  // An odd number of int4, low bits first; the last half byte is padding.
  auto module = import(
      castModel(3, wire::tensor("w", {3}, 22) + wire::bytes(9, "\x78\xaf")));
  ASSERT_TRUE(module) << errors;
  auto int4 = dyn_cast<DenseElementsAttr>(constantOf(*module));
  ASSERT_TRUE(int4);
  EXPECT_TRUE(int4.getElementType().isSignlessInteger(4));
  std::vector<int64_t> values;
  for (const APInt &value : int4.getValues<APInt>())
    values.push_back(value.getSExtValue());
  EXPECT_EQ(values, (std::vector<int64_t>{-8, 7, -1}));
  // Five uint2 in two entries of int32_data.
  module = import(castModel(5, wire::tensor("w", {5}, 25) +
                                   wire::bytes(5, "\xe4\x01\x02")));
  ASSERT_TRUE(module) << errors;
  auto uint2 = dyn_cast<DenseElementsAttr>(constantOf(*module));
  ASSERT_TRUE(uint2);
  values.clear();
  for (const APInt &value : uint2.getValues<APInt>())
    values.push_back(value.getZExtValue());
  EXPECT_EQ(values, (std::vector<int64_t>{0, 1, 2, 3, 2}));
  // Many are a resource.
  std::string raw;
  for (int i = 0; i < 100; ++i)
    raw.push_back(char(i));
  module = import(
      castModel(199, wire::tensor("w", {199}, 21) + wire::bytes(9, raw)));
  ASSERT_TRUE(module) << errors;
  auto uint4 = dyn_cast<DenseResourceElementsAttr>(constantOf(*module));
  ASSERT_TRUE(uint4);
  ArrayRef<char> data = uint4.getRawHandle().getBlob()->getData();
  ASSERT_EQ(data.size(), 199u);
  EXPECT_EQ(data[198], 99 & 15);
  EXPECT_EQ(data[197], 98 >> 4);
}

TEST_F(ImportOnnx, PackedDataOfWrongSizeIsRefused) {
  for (const char *raw : {"\x78", "\x78\x01\x02"}) {
    EXPECT_FALSE(
        import(castModel(3, wire::tensor("w", {3}, 22) + wire::bytes(9, raw))));
    EXPECT_TRUE(StringRef(errors).contains("'w'") ||
                StringRef(errors).contains("name: w)"))
        << errors;
  }
}

TEST_F(ImportOnnx, DataOfWrongSizeIsRefused) {
  for (size_t size : {4u, 2000u}) {
    std::string weights =
        wire::tensor("w", {1000}, 1) + wire::bytes(9, std::string(size, '\1'));
    EXPECT_FALSE(import(wire::addModel(1000, weights)));
    EXPECT_NE(errors.find("tensor 'w': it has "), std::string::npos) << errors;
  }
}

TEST_F(ImportOnnx, HugeAndNegativeDimensionsAreRefused) {
  std::string raw = wire::bytes(9, std::string(4, '\1'));
  for (int64_t dim :
       {int64_t(-1), int64_t(-2), INT64_MIN, INT64_MAX, int64_t(1) << 62}) {
    EXPECT_FALSE(
        import(wire::addModel(4, wire::tensor("w", {dim, 4}, 1) + raw)));
    EXPECT_NE(errors, "");
    if (dim == -1)
      continue; // an input may be dynamic
    EXPECT_FALSE(import(wire::addModel(dim, wire::tensor("w", {1}, 1) + raw)));
    EXPECT_NE(errors, "");
  }
}

TEST_F(ImportOnnx, ExternalDataOfMemoryIsRefused) {
  std::string entry = wire::bytes(1, "location") + wire::bytes(2, "w");
  EXPECT_FALSE(import(wire::addModel(4, wire::tensor("w", {4}, 1) +
                                            wire::bytes(13, entry) +
                                            wire::integer(14, 1))));
  EXPECT_NE(errors.find("the model is not a file"), std::string::npos)
      << errors;
}

TEST_F(ImportOnnx, EveryTruncationIsAnError) {
  std::string model = wire::addModel(300);
  for (size_t size = 0; size < model.size(); ++size) {
    EXPECT_FALSE(import(model.substr(0, size))) << size;
    EXPECT_NE(errors, "") << size;
  }
}

TEST_F(ImportOnnx, NoDamageCrashes) {
  std::string model = wire::addModel(8);
  for (size_t place = 0; place < model.size(); ++place)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = model;
      damaged[place] = char(damaged[place] ^ 1 << bit);
      EXPECT_TRUE(import(damaged) || !errors.empty()) << place << ' ' << bit;
    }
}

TEST_F(ImportOnnx, OptionsAreParsed) {
  ImportOptions options;
  std::string error;
  EXPECT_TRUE(options.addShape("a=b=1x?x3", error));
  EXPECT_EQ(options.shapes[0].first, "a=b");
  EXPECT_EQ(options.shapes[0].second, (std::vector<int64_t>{1, -1, 3}));
  EXPECT_TRUE(options.addShape("scalar=", error));
  EXPECT_TRUE(options.shapes[1].second.empty());
  EXPECT_TRUE(options.addDim("batch=4", error));
  EXPECT_TRUE(options.addConst("a=b=1,2", error));
  EXPECT_EQ(options.constants[0].first, "a=b");
  EXPECT_EQ(options.constants[0].second, "1,2");
  EXPECT_TRUE(options.addConst("a=@b=c.npy", error));
  EXPECT_EQ(options.constants[1].first, "a");
  EXPECT_EQ(options.constants[1].second, "@b=c.npy");
  for (const char *bad : {"x", "=1", "=@a"})
    EXPECT_FALSE(options.addConst(bad, error)) << bad;
  for (const char *bad :
       {"x", "=1", "x=1xx2", "x=-1", "x=99999999999999999999"})
    EXPECT_FALSE(options.addShape(bad, error)) << bad;
  for (const char *bad : {"x", "=1", "x=", "x=?", "x=-1"})
    EXPECT_FALSE(options.addDim(bad, error)) << bad;
}
