//===- ImportExternalDataTest.cpp - the door to files beside a model ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests each refusal of ExternalData.
//===----------------------------------------------------------------------===//
// LINK: TenonOnnxImport
#include "lib/Import/Onnx/ExternalData.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tenon::onnximport;

namespace {
/// A folder `model/` with files, beside a file that is out of bounds.
class ImportExternalData : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tenon-external", root));
    folder = (root + "/model").str();
    ASSERT_EQ(::mkdir(folder.c_str(), 0700), 0);
    ASSERT_EQ(::mkdir((folder + "/sub").c_str(), 0700), 0);
    write((root + "/secret").str(), "secret");
    write(folder + "/w", "0123456789");
    write(folder + "/sub/w", "abc");
  }
  void TearDown() override { llvm::sys::fs::remove_directories(root); }

  static void write(const std::string &path, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
    ASSERT_FALSE(error);
  }

  /// The bytes, or "error: " and the message.
  std::string read(llvm::StringRef location, llvm::StringRef offset = "",
                   llvm::StringRef length = "") {
    ExternalData external(folder);
    auto slice = external.slice(location, offset, length);
    if (!slice)
      return "error: " + llvm::toString(slice.takeError());
    return slice->bytes().str();
  }

  llvm::SmallString<128> root;
  std::string folder;
};
} // namespace

#define EXPECT_REFUSED(text, part)                                             \
  EXPECT_TRUE(llvm::StringRef(text).starts_with("error: ") &&                  \
              llvm::StringRef(text).contains(part))                            \
      << text

TEST_F(ImportExternalData, ReadsSlices) {
  EXPECT_EQ(read("w"), "0123456789");
  EXPECT_EQ(read("w", "2", "3"), "234");
  EXPECT_EQ(read("w", "7"), "789");
  EXPECT_EQ(read("w", "10"), "");
  EXPECT_EQ(read("./sub/w"), "abc");
}

TEST_F(ImportExternalData, RefusesPathsOutside) {
  EXPECT_REFUSED(read("../secret"), "not a plain path");
  EXPECT_REFUSED(read("sub/../../secret"), "not a plain path");
  EXPECT_REFUSED(read((root + "/secret").str()), "absolute");
  EXPECT_REFUSED(read("sub//w"), "not a plain path");
  EXPECT_REFUSED(read(""), "external data has no location");
  EXPECT_REFUSED(read("."), "names no file");
  EXPECT_REFUSED(read(llvm::StringRef("w\0x", 3)),
                 "external data has a NUL in its location");
}

TEST_F(ImportExternalData, RefusesLinks) {
  ASSERT_EQ(::symlink("../secret", (folder + "/soft").c_str()), 0);
  ASSERT_EQ(::symlink("..", (folder + "/up").c_str()), 0);
  ASSERT_EQ(
      ::link((root + "/secret").str().c_str(), (folder + "/hard").c_str()), 0);
  EXPECT_REFUSED(read("soft"), "symbolic link");
  EXPECT_REFUSED(read("up/secret"), "symbolic link");
  EXPECT_REFUSED(read("hard"), "hard links");
}

TEST_F(ImportExternalData, RefusesOtherFiles) {
  std::string pipe = folder + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_REFUSED(read("pipe"), "not a regular file");
  // LLVM's remove_directories would leave it, and its folder.
  ASSERT_EQ(::unlink(pipe.c_str()), 0);
  EXPECT_REFUSED(read("sub"), "not a regular file");
  EXPECT_REFUSED(read("w/x"), "non-folder");
  EXPECT_REFUSED(read("missing"), "cannot be opened");
}

TEST_F(ImportExternalData, RefusesBadRanges) {
  EXPECT_REFUSED(read("w", "11"), "begins at 11");
  EXPECT_REFUSED(read("w", "-1"), "'-1' as offset");
  EXPECT_REFUSED(read("w", "0", "-5"), "'-5' as offset");
  EXPECT_REFUSED(read("w", "0", "11"), "takes 11");
  EXPECT_REFUSED(read("w", "5", "18446744073709551615"), "takes");
  EXPECT_REFUSED(read("w", "18446744073709551616"), "as offset");
  EXPECT_REFUSED(read("w", "0x1"), "as offset");
}

TEST_F(ImportExternalData, RefusesAllWithoutFolder) {
  ExternalData external(nullptr, false);
  auto slice = external.slice("w", "", "");
  EXPECT_FALSE(bool(slice));
  llvm::consumeError(slice.takeError());
}
