// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{cpu} = native
// DEFINE: %{expect} = --input random:3 --expect y0=%t/y0.npy --expect y1=%t/y1.npy --expect y2=%t/y2.npy --rtol 1e-4 --atol 1e-5
// DEFINE: %{agree} = tenon-compile %s --mcpu=%{cpu} -o %t/a.tenon --quiet && tenon-run %t/a.tenon %{expect} --threads 1 && tenon-compile %s --mcpu=%{cpu} --guard-memory -o %t/a.tenon --quiet && tenon-run %t/a.tenon %{expect} --threads 3
// RUN: %{agree}
// REDEFINE: %{cpu} = x86-64
// RUN: %{agree}
// REDEFINE: %{cpu} = x86-64-v3
// RUN: %if avx2 %{ %{agree} %}
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %if avx512 %{ %{agree} %}
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 | FileCheck %s

// Chains of stencils in tiles of rows. The image is read where it is, without
// zeros around it: the first and the last tile leave taps out.
// CHECK: kernel.group
// CHECK-SAME: halos = [array<i64>, array<i64>, array<i64>]
// CHECK: plan = #kernel.plan<"stencil"
// CHECK: plan = #kernel.plan<"stencil"
// CHECK: kernel.group
// CHECK-SAME: halos = [array<i64>, array<i64>, array<i64>, array<i64>]
// CHECK: kernel.group
// CHECK-SAME: halos = [array<i64>]
func.func @main(%x0: tensor<1x23x37x1xf32> {onnx.name = "x0"}, %x1: tensor<1x29x53x1xf32> {onnx.name = "x1"}, %x2: tensor<1x31x45x1xf32> {onnx.name = "x2"}) -> (tensor<1x23x37x1xf32> {onnx.name = "y0"}, tensor<1x29x53x1xf32> {onnx.name = "y1"}, tensor<1x31x45x1xf32> {onnx.name = "y2"}) {
  %c0_0 = graph.constant dense<[[[[0.0625, 0.25, 0.375, 0.25, 0.0625]]]]> : tensor<1x1x1x5xf32>
  %c0_1 = graph.constant dense<[[[[0.0625], [0.25], [0.375], [0.25], [0.0625]]]]> : tensor<1x1x5x1xf32>
  %y0 = kernel.group(%x0, %c0_0, %c0_1) {tile = #kernel.tile<dims = [1], sizes = [8]>} : (tensor<1x23x37x1xf32>, tensor<1x1x1x5xf32>, tensor<1x1x5x1xf32>) -> tensor<1x23x37x1xf32> {
  ^bb0(%i0: tensor<1x23x37x1xf32>, %i1: tensor<1x1x1x5xf32>, %i2: tensor<1x1x5x1xf32>):
    %s0 = kernel.stage(%i0, %i1) : (tensor<1x23x37x1xf32>, tensor<1x1x1x5xf32>) -> tensor<1x23x37x1xf32> {
    ^bb0(%p0: tensor<1x23x37x1xf32>, %p1: tensor<1x1x1x5xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 2, 0, 2>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x23x37x1xf32>, tensor<1x1x1x5xf32>) -> tensor<1x23x37x1xf32>
      kernel.yield %0 : tensor<1x23x37x1xf32>
    }
    %s1 = kernel.stage(%s0, %i2, %i0) : (tensor<1x23x37x1xf32>, tensor<1x1x5x1xf32>, tensor<1x23x37x1xf32>) -> tensor<1x23x37x1xf32> {
    ^bb0(%p0: tensor<1x23x37x1xf32>, %p1: tensor<1x1x5x1xf32>, %p2: tensor<1x23x37x1xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 2, 0, 2, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x23x37x1xf32>, tensor<1x1x5x1xf32>) -> tensor<1x23x37x1xf32>
      %k = graph.constant dense<1.5> : tensor<f32>
      %1 = graph.sub %p2, %0 : (tensor<1x23x37x1xf32>, tensor<1x23x37x1xf32>) -> tensor<1x23x37x1xf32>
      %2 = graph.mul %1, %k : (tensor<1x23x37x1xf32>, tensor<f32>) -> tensor<1x23x37x1xf32>
      %3 = graph.add %p2, %2 : (tensor<1x23x37x1xf32>, tensor<1x23x37x1xf32>) -> tensor<1x23x37x1xf32>
      kernel.yield %3 : tensor<1x23x37x1xf32>
    }
    kernel.yield %s1 : tensor<1x23x37x1xf32>
  }
  %c1_0 = graph.constant dense<[[[[-0.125,0.0,0.125],[-0.25,0.0,0.25],[-0.125,0.0,0.125]]]]> : tensor<1x1x3x3xf32>
  %c1_1 = graph.constant dense<[[[[-0.125,-0.25,-0.125],[0.0,0.0,0.0],[0.125,0.25,0.125]]]]> : tensor<1x1x3x3xf32>
  %c1_2 = graph.constant dense<1.0> : tensor<1x1x3x3xf32>
  %y1 = kernel.group(%x1, %c1_0, %c1_1, %c1_2) {tile = #kernel.tile<dims = [1], sizes = [7]>} : (tensor<1x29x53x1xf32>, tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>) -> tensor<1x29x53x1xf32> {
  ^bb0(%i0: tensor<1x29x53x1xf32>, %i1: tensor<1x1x3x3xf32>, %i2: tensor<1x1x3x3xf32>, %i3: tensor<1x1x3x3xf32>):
    %gx = kernel.stage(%i0, %i1) : (tensor<1x29x53x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x29x53x1xf32> {
    ^bb0(%p0: tensor<1x29x53x1xf32>, %p1: tensor<1x1x3x3xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x29x53x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x29x53x1xf32>
      kernel.yield %0 : tensor<1x29x53x1xf32>
    }
    %gy = kernel.stage(%i0, %i2) : (tensor<1x29x53x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x29x53x1xf32> {
    ^bb0(%p0: tensor<1x29x53x1xf32>, %p1: tensor<1x1x3x3xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x29x53x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x29x53x1xf32>
      kernel.yield %0 : tensor<1x29x53x1xf32>
    }
    %xx = kernel.stage(%gx) : (tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32> {
    ^bb0(%p0: tensor<1x29x53x1xf32>):
      %0 = graph.mul %p0, %p0 : (tensor<1x29x53x1xf32>, tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32>
      kernel.yield %0 : tensor<1x29x53x1xf32>
    }
    %yy = kernel.stage(%gy) : (tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32> {
    ^bb0(%p0: tensor<1x29x53x1xf32>):
      %0 = graph.mul %p0, %p0 : (tensor<1x29x53x1xf32>, tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32>
      kernel.yield %0 : tensor<1x29x53x1xf32>
    }
    %xy = kernel.stage(%gx, %gy) : (tensor<1x29x53x1xf32>, tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32> {
    ^bb0(%p0: tensor<1x29x53x1xf32>, %p1: tensor<1x29x53x1xf32>):
      %0 = graph.mul %p0, %p1 : (tensor<1x29x53x1xf32>, tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32>
      kernel.yield %0 : tensor<1x29x53x1xf32>
    }
    %sxx = kernel.stage(%xx, %i3) : (tensor<1x29x53x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x29x53x1xf32> {
    ^bb0(%p0: tensor<1x29x53x1xf32>, %p1: tensor<1x1x3x3xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x29x53x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x29x53x1xf32>
      kernel.yield %0 : tensor<1x29x53x1xf32>
    }
    %syy = kernel.stage(%yy, %i3) : (tensor<1x29x53x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x29x53x1xf32> {
    ^bb0(%p0: tensor<1x29x53x1xf32>, %p1: tensor<1x1x3x3xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x29x53x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x29x53x1xf32>
      kernel.yield %0 : tensor<1x29x53x1xf32>
    }
    %e = kernel.stage(%xy, %i3, %sxx, %syy) : (tensor<1x29x53x1xf32>, tensor<1x1x3x3xf32>, tensor<1x29x53x1xf32>, tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32> {
    ^bb0(%p0: tensor<1x29x53x1xf32>, %p1: tensor<1x1x3x3xf32>, %p2: tensor<1x29x53x1xf32>, %p3: tensor<1x29x53x1xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x29x53x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x29x53x1xf32>
      %1 = graph.mul %0, %0 : (tensor<1x29x53x1xf32>, tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32>
      %2 = graph.mul %p2, %p3 : (tensor<1x29x53x1xf32>, tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32>
      %3 = graph.sub %2, %1 : (tensor<1x29x53x1xf32>, tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32>
      %4 = graph.add %p2, %p3 : (tensor<1x29x53x1xf32>, tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32>
      %5 = graph.mul %4, %4 : (tensor<1x29x53x1xf32>, tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32>
      %k = graph.constant dense<0.04> : tensor<f32>
      %6 = graph.mul %5, %k : (tensor<1x29x53x1xf32>, tensor<f32>) -> tensor<1x29x53x1xf32>
      %7 = graph.sub %3, %6 : (tensor<1x29x53x1xf32>, tensor<1x29x53x1xf32>) -> tensor<1x29x53x1xf32>
      kernel.yield %7 : tensor<1x29x53x1xf32>
    }
    kernel.yield %e : tensor<1x29x53x1xf32>
  }

  %y2 = kernel.group(%x2) {tile = #kernel.tile<dims = [1], sizes = [16]>} : (tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32> {
  ^bb0(%i0: tensor<1x31x45x1xf32>):
    %q = kernel.stage(%i0) : (tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32> {
    ^bb0(%p0: tensor<1x31x45x1xf32>):
      %0 = graph.mul %p0, %p0 : (tensor<1x31x45x1xf32>, tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32>
      kernel.yield %0 : tensor<1x31x45x1xf32>
    }
    %m = kernel.stage(%i0) : (tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32> {
    ^bb0(%p0: tensor<1x31x45x1xf32>):
      %0 = graph.avg_pool %p0 {kernel = array<i64: 7, 7>, strides = array<i64: 1, 1>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>} : (tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32>
      kernel.yield %0 : tensor<1x31x45x1xf32>
    }
    %e = kernel.stage(%q, %m, %i0) : (tensor<1x31x45x1xf32>, tensor<1x31x45x1xf32>, tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32> {
    ^bb0(%p0: tensor<1x31x45x1xf32>, %p1: tensor<1x31x45x1xf32>, %p2: tensor<1x31x45x1xf32>):
      %0 = graph.avg_pool %p0 {kernel = array<i64: 7, 7>, strides = array<i64: 1, 1>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>} : (tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32>
      %1 = graph.mul %p1, %p1 : (tensor<1x31x45x1xf32>, tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32>
      %2 = graph.sub %0, %1 : (tensor<1x31x45x1xf32>, tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32>
      %3 = graph.relu %2 : (tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32>
      %4 = graph.sqrt %3 : (tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32>
      %5 = graph.sub %p2, %p1 : (tensor<1x31x45x1xf32>, tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32>
      %k = graph.constant dense<0.01> : tensor<f32>
      %6 = graph.add %4, %k : (tensor<1x31x45x1xf32>, tensor<f32>) -> tensor<1x31x45x1xf32>
      %7 = graph.div %5, %6 : (tensor<1x31x45x1xf32>, tensor<1x31x45x1xf32>) -> tensor<1x31x45x1xf32>
      kernel.yield %7 : tensor<1x31x45x1xf32>
    }
    kernel.yield %e : tensor<1x31x45x1xf32>
  }
  return %y0, %y1, %y2 : tensor<1x23x37x1xf32>, tensor<1x29x53x1xf32>, tensor<1x31x45x1xf32>
}
