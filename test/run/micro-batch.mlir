// Slices of a batch compute what all images at once do: with a smaller last one,
// between guard pages, below a cap, and around what mixes images.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{expect} = --input random:3 --expect y=%t/y.npy --expect p=%t/p.npy --rtol 0 --atol 2e-5
// RUN: tenon-compile %s -o %t/off.tenon --micro-batch=off --quiet
// RUN: tenon-run %t/off.tenon %{expect}
// RUN: tenon-compile %s -o %t/1.tenon --micro-batch=1 --quiet
// RUN: tenon-run %t/1.tenon %{expect} --threads 1
// RUN: tenon-compile %s -o %t/4.tenon --micro-batch=4 --quiet
// RUN: tenon-run %t/4.tenon %{expect} --threads 3
// RUN: tenon-compile %s --mcpu=x86-64-v3 -o %t/g.tenon --micro-batch=2 --guard-memory --quiet
// RUN: tenon-run %t/g.tenon %{expect} --threads 2
// RUN: tenon-compile %s --mcpu=x86-64-v3 -o %t/f.tenon --micro-batch=3 --fusion=off --quiet
// RUN: tenon-run %t/f.tenon %{expect} --threads 2
// RUN: tenon-compile %s --mcpu=x86-64-v3 -o %t/w.tenon --micro-batch=3 --threads=8 --quiet
// RUN: tenon-run %t/w.tenon %{expect} --threads 8

// Copies share kernels, and what the weights are packed into.
// RUN: tenon-compile %s --mcpu=x86-64-v3 --threads=1 --micro-batch=1 --emit=mlir -o - | FileCheck %s --check-prefix=SHARED
// SHARED-LABEL: func.func @main(
// SHARED: kernel.launch @[[CONV:[a-z0-9_]+]] {{.*}}nodes = "wide"
// SHARED: kernel.launch @[[CONV]] {{.*}}nodes = "wide"
// SHARED: kernel.launch @[[CONV]] {{.*}}nodes = "wide"

// A cap that needs slices, one that nothing fits, and one without slices.
// RUN: tenon-compile %s --mcpu=x86-64-v3 --threads=1 -o %t/c.tenon --arena-cap=40K --micro-batch=auto --quiet
// RUN: tenon-run %t/c.tenon %{expect} --threads 1
// RUN: not tenon-compile %s --mcpu=x86-64-v3 --threads=1 -o %t/c.tenon --arena-cap=40K --micro-batch=off 2>&1 | FileCheck %s --check-prefix=CAP
// RUN: not tenon-compile %s --mcpu=x86-64-v3 --threads=1 -o %t/c.tenon --arena-cap=4K --micro-batch=auto 2>&1 | FileCheck %s --check-prefix=CAP
// CAP: error: no order of launches fits into

// RUN: not tenon-compile %s --micro-batch=0 2>&1 | FileCheck %s --check-prefix=WORD -DWORD=0
// RUN: not tenon-compile %s --micro-batch=-3 2>&1 | FileCheck %s --check-prefix=WORD -DWORD=-3
// RUN: not tenon-compile %s --micro-batch=all 2>&1 | FileCheck %s --check-prefix=WORD -DWORD=all
// RUN: not tenon-compile %s --micro-batch=99999999999999999999 2>&1 | FileCheck %s --check-prefix=WORD -DWORD=99999999999999999999
// WORD: --micro-batch: '[[WORD]]' is not auto, off or a number of images, 1 or more
// RUN: not tenon-compile %s --micro-batch=7 2>&1 | FileCheck %s --check-prefix=MOST
// MOST: error: --micro-batch: a batch of 6 has no slices of 7 images; the most is 6

func.func @main(%x: tensor<6x8x14x12xf32> {onnx.name = "x"}, %w: tensor<16x8x3x3xf32> {onnx.name = "w"},
    %v: tensor<16x16x1x1xf32> {onnx.name = "v"}, %u: tensor<16x10xf32> {onnx.name = "u"})
    -> (tensor<6x10xf32> {onnx.name = "y"}, tensor<6x10xf32> {onnx.name = "p"}) {
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<6x8x14x12xf32>, tensor<16x8x3x3xf32>) -> tensor<6x16x14x12xf32> loc("wide")
  %1 = graph.relu %0 : (tensor<6x16x14x12xf32>) -> tensor<6x16x14x12xf32> loc("wide")
  %2 = graph.conv %1, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<6x16x14x12xf32>, tensor<16x16x1x1xf32>) -> tensor<6x16x14x12xf32> loc("narrow")
  %3 = graph.add %2, %1 : (tensor<6x16x14x12xf32>, tensor<6x16x14x12xf32>) -> tensor<6x16x14x12xf32> loc("sum")
  %4 = graph.max_pool %3 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<6x16x14x12xf32>) -> tensor<6x16x7x6xf32> loc("pool")
  %5 = graph.reduce_mean %4 {axes = array<i64: 2, 3>} : (tensor<6x16x7x6xf32>) -> tensor<6x16x1x1xf32> loc("mean")
  %6 = graph.reshape %5 : (tensor<6x16x1x1xf32>) -> tensor<6x16xf32> loc("flat")
  %7 = graph.matmul %6, %u : (tensor<6x16xf32>, tensor<16x10xf32>) -> tensor<6x10xf32> loc("head")
  %8 = graph.reduce_mean %7 {axes = array<i64: 0>} : (tensor<6x10xf32>) -> tensor<1x10xf32> loc("batch mean")
  %9 = graph.sub %7, %8 : (tensor<6x10xf32>, tensor<1x10xf32>) -> tensor<6x10xf32> loc("centred")
  %10 = graph.softmax %9 {axis = 1 : i64} : (tensor<6x10xf32>) -> tensor<6x10xf32> loc("softmax")
  return %9, %10 : tensor<6x10xf32>, tensor<6x10xf32>
}
