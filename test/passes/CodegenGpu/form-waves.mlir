// Launches of one wave become one: the kernel that takes longest has the first
// blocks, launches of one kernel share its body. Waits count launches anew.
// RUN: tenon-opt %s --tenon-form-waves | FileCheck %s
// RUN: tenon-opt %s --tenon-form-waves --tenon-plan-arena --tenon-verify-memory -o /dev/null
// RUN: not tenon-opt %s --tenon-plan-arena --tenon-verify-memory 2>&1 | FileCheck %s --check-prefix=APART
// APART: error: {{.*}}is in a wave that is not one kernel

// CHECK-LABEL: func.func @main
// CHECK: kernel.launch @first {{.*}}nodes = "first"
// Reads and writes of slow, quick and quick again, and their maps, of which the
// second and third are of quick's.
// CHECK: kernel.launch @gpu_wave_0 tiles(11) reads(%[[A:.*]], %[[A]], %[[B:[0-9]+]] : {{.*}}) writes(%[[S:.*]], %[[Q:.*]], %[[R:[0-9]+]] : {{.*}}) {bytes = 60 : i64, costs = {gpu_wave = 3500 : i64}
// CHECK-SAME: shared = 512, cluster = 1, cooperative = false, programmatic = true, maps = [#kernel.map<operand = 1, {{.*}}#kernel.map<operand = 2, {{.*}}]>, flops = 6 : i64, in_place = array<i64: 1, 1, 2, 2>, nodes = "slow;quick;again", operators = [
// CHECK-SAME: operands = array<i64>}, {{.*}}operands = array<i64: 0>}, {{.*}}operands = array<i64>}, {{.*}}operands = array<i64: 2>}, {{.*}}operands = array<i64>}]
// CHECK-SAME: stream = 1 : i64, time = 3500 : i64, waits = array<i64: 0>}
// CHECK: kernel.launch @first {{.*}}nodes = "beside"
// CHECK: kernel.launch @first {{.*}}nodes = "last", waits = array<i64: 1>}
// CHECK-NOT: wave =

// CHECK-NOT: @quick(
// CHECK-NOT: @slow(
// CHECK: llvm.func {{.*}}@gpu_wave_0(%[[M0:.*]]: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>}, %[[M1:.*]]: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>}, %[[SX:.*]]: !llvm.ptr<1>, %[[QX:.*]]: !llvm.ptr<1> {llvm.noalias}, %[[RX:.*]]: !llvm.ptr<1> {llvm.noalias}, %[[SY:.*]]: !llvm.ptr<1>, %[[QY:.*]]: !llvm.ptr<1>, %[[RY:.*]]: !llvm.ptr<1>)
// CHECK-SAME: kernel.error_growth = 2.0{{.*}} nvvm.kernel, nvvm.maxntid = array<i32: 32>, nvvm.minctasm = 2
// CHECK: %[[ID:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK: %[[C3:.*]] = arith.constant 3 : i32
// CHECK: %[[IS_SLOW:.*]] = arith.cmpi slt, %[[ID]], %[[C3]] : i32
// CHECK: scf.if %[[IS_SLOW]] {
// CHECK: nvvm.griddepcontrol wait
// CHECK: llvm.store {{.*}}, %[[SY]]
// CHECK: } else {
// CHECK: %[[C7:.*]] = arith.constant 7 : i32
// CHECK: %[[IS_QUICK:.*]] = arith.cmpi slt, %[[ID]], %[[C7]] : i32
// CHECK: arith.select %[[IS_QUICK]], %[[M0]], %[[M1]]
// CHECK: arith.select %{{.*}}, %[[QX]], %[[RX]]
// CHECK: %[[Y:.*]] = arith.select %{{.*}}, %[[QY]], %[[RY]]
// CHECK: %[[START:.*]] = arith.select
// CHECK: %[[BLOCK:.*]] = arith.subi %[[ID]], %[[START]] : i32
// CHECK-NOT: nvvm.griddepcontrol
// CHECK: llvm.store %[[BLOCK]], %[[Y]]
// CHECK: llvm.return
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
#map = #kernel.map<operand = 0, element = f32, dims = [16], strides = [], box = [16], steps = [1], swizzle = 0, offset = 0>
#first = #kernel.device<grid = [1, 1], threads = 32, shared = 0, cluster = 1, cooperative = false, programmatic = true, maps = []>
#quick = #kernel.device<grid = [1, 1], threads = 32, shared = 0, cluster = 1, cooperative = false, programmatic = true, maps = [#map]>
#slow = #kernel.device<grid = [1, 1], threads = 32, shared = 512, cluster = 1, cooperative = false, programmatic = false, maps = []>
func.func @main() {
  %x = memory.input 0 : !b
  %a = memory.alloc : !b
  kernel.launch @first tiles(8) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, device = #first, flops = 0 : i64, nodes = "first"}
  %q = memory.alloc : !b
  kernel.launch @quick tiles(4) reads(%a : !b) writes(%q : !b) {bytes = 10 : i64, costs = {gpu_wave = 3500 : i64}, device = #quick, flops = 1 : i64, in_place = array<i64: 0, 0>, nodes = "quick", operators = [{kind = "exp", nodes = "quick", operands = array<i64>}, {kind = "relu", nodes = "quick", operands = array<i64: 0>}], stream = 1 : i64, time = 1000 : i64, waits = array<i64: 0>, wave = 0 : i64}
  %s = memory.alloc : !b
  kernel.launch @slow tiles(3) reads(%a : !b) writes(%s : !b) {bytes = 20 : i64, device = #slow, flops = 2 : i64, nodes = "slow", operators = [{kind = "exp", nodes = "slow", operands = array<i64>}, {kind = "relu", nodes = "slow", operands = array<i64: 0>}], stream = 1 : i64, time = 3000 : i64, wave = 0 : i64}
  %r = memory.alloc : !b
  kernel.launch @quick tiles(4) reads(%x : !b) writes(%r : !b) {bytes = 30 : i64, device = #quick, flops = 3 : i64, in_place = array<i64: 0, 0>, nodes = "again", operators = [{kind = "exp", nodes = "again", operands = array<i64>}], stream = 1 : i64, time = 1000 : i64, wave = 0 : i64}
  %y = memory.output 0 : !b
  kernel.launch @first tiles(8) reads(%x : !b) writes(%y : !b) {bytes = 0 : i64, device = #first, flops = 0 : i64, nodes = "beside"}
  %z = memory.output 1 : !b
  kernel.launch @first tiles(8) reads(%r : !b) writes(%z : !b) {bytes = 0 : i64, device = #first, flops = 0 : i64, nodes = "last", waits = array<i64: 1, 3>}
  return
}

llvm.func @first(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32>, sym_visibility = "private"} {
  llvm.return
}
llvm.func @quick(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>}, %x: !llvm.ptr<1> {llvm.noalias}, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32>, nvvm.minctasm = 4 : i32, sym_visibility = "private"} {
  %b = nvvm.read.ptx.sreg.ctaid.x : i32
  llvm.store %b, %y : i32, !llvm.ptr<1>
  llvm.return
}
llvm.func @slow(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {kernel.error_growth = 2.0, nvvm.kernel, nvvm.maxntid = array<i32: 32>, nvvm.minctasm = 2 : i32, sym_visibility = "private"} {
  %b = nvvm.read.ptx.sreg.ctaid.x : i32
  llvm.store %b, %y : i32, !llvm.ptr<1>
  llvm.return
}
