// RUN: tenon-opt %s --split-input-file --tenon-fuse-groups --tenon-plan-kernels=target=avx2 --tenon-form-views --tenon-assign-buffers=target=avx2 | FileCheck %s

// Input and output lie in one buffer with room behind, which the copy leaves
// as it is but for what is new. States of one length have one capacity.
// CHECK: module attributes {graph.states = [{axis = 1 : i64, input = "k", output = "all_k", room = "room(past + 1)"}, {axis = 1 : i64, input = "v", output = "all_v", room = "room(past + 1)"}]}
// CHECK-LABEL: func.func @grow
// CHECK: kernel.group
// CHECK-SAME: buffers = [!memory.buffer<tensor<3x?x16xf32, #graph.dims<[3, "past", 16]>>, [16 * "past" + 16 * "room(past + 1)" + 16, 16, 1], 0
// CHECK-SAME: in_place = array<i64: 0>
module attributes {graph.states = [{input = "k", output = "all_k"}, {input = "v", output = "all_v"}]} {
  func.func @grow(%k: tensor<3x?x16xf32, #graph.dims<[3, "past", 16]>> {onnx.name = "k"}, %v: tensor<3x?x16xf32, #graph.dims<[3, "past", 16]>> {onnx.name = "v"}, %x: tensor<3x1x16xf32>)
      -> (tensor<3x?x16xf32, #graph.dims<[3, "past" + 1, 16]>> {onnx.name = "all_k"}, tensor<3x?x16xf32, #graph.dims<[3, "past" + 1, 16]>> {onnx.name = "all_v"}, tensor<3x?x1xf32, #graph.dims<[3, "past" + 1, 1]>>) {
    %0 = graph.concat %k, %x {axis = 1 : i64} : (tensor<3x?x16xf32, #graph.dims<[3, "past", 16]>>, tensor<3x1x16xf32>) -> tensor<3x?x16xf32, #graph.dims<[3, "past" + 1, 16]>>
    %1 = graph.concat %v, %x {axis = 1 : i64} : (tensor<3x?x16xf32, #graph.dims<[3, "past", 16]>>, tensor<3x1x16xf32>) -> tensor<3x?x16xf32, #graph.dims<[3, "past" + 1, 16]>>
    %2 = graph.reduce_sum %1 {axes = array<i64: 2>} : (tensor<3x?x16xf32, #graph.dims<[3, "past" + 1, 16]>>) -> tensor<3x?x1xf32, #graph.dims<[3, "past" + 1, 1]>>
    return %0, %1, %2 : tensor<3x?x16xf32, #graph.dims<[3, "past" + 1, 16]>>, tensor<3x?x16xf32, #graph.dims<[3, "past" + 1, 16]>>, tensor<3x?x1xf32, #graph.dims<[3, "past" + 1, 1]>>
  }
}

// -----

// What is new comes first.
// CHECK: module attributes {graph.states = [{input = "old", output = "all"}]}
// CHECK-LABEL: func.func @prepend
// CHECK-NOT: room
module attributes {graph.states = [{input = "old", output = "all"}]} {
  func.func @prepend(%old: tensor<3x?xf32, #graph.dims<[3, "n"]>> {onnx.name = "old"}, %x: tensor<3x16xf32>) -> (tensor<3x?xf32, #graph.dims<[3, "n" + 16]>> {onnx.name = "all"}) {
    %0 = graph.concat %x, %old {axis = 1 : i64} : (tensor<3x16xf32>, tensor<3x?xf32, #graph.dims<[3, "n"]>>) -> tensor<3x?xf32, #graph.dims<[3, "n" + 16]>>
    return %0 : tensor<3x?xf32, #graph.dims<[3, "n" + 16]>>
  }
}

// -----

// A reader that no strides serve: rows with room behind are no vector.
// CHECK: module attributes {graph.states = [{input = "old", output = "all"}]}
// CHECK-LABEL: func.func @flat
module attributes {graph.states = [{input = "old", output = "all"}]} {
  func.func @flat(%old: tensor<3x?xf32, #graph.dims<[3, "n"]>> {onnx.name = "old"}, %x: tensor<3x16xf32>) -> (tensor<3x?xf32, #graph.dims<[3, "n" + 16]>> {onnx.name = "all"}, tensor<?xf32, #graph.dims<[3 * "n" + 48]>>) {
    %0 = graph.concat %old, %x {axis = 1 : i64} : (tensor<3x?xf32, #graph.dims<[3, "n"]>>, tensor<3x16xf32>) -> tensor<3x?xf32, #graph.dims<[3, "n" + 16]>>
    %1 = graph.reshape %0 : (tensor<3x?xf32, #graph.dims<[3, "n" + 16]>>) -> tensor<?xf32, #graph.dims<[3 * "n" + 48]>>
    %2 = graph.relu %1 : (tensor<?xf32, #graph.dims<[3 * "n" + 48]>>) -> tensor<?xf32, #graph.dims<[3 * "n" + 48]>>
    return %0, %2 : tensor<3x?xf32, #graph.dims<[3, "n" + 16]>>, tensor<?xf32, #graph.dims<[3 * "n" + 48]>>
  }
}
