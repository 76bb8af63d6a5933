// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt %s --emit-bytecode | tenon-opt | FileCheck %s

// CHECK-LABEL: memory.problem @everything {
memory.problem @everything {
  // CHECK-NEXT: memory.storage @input lives 0 to 4 bytes 65536
  memory.storage @input lives 0 to 4 bytes 65536
  // CHECK-NEXT: memory.storage @relu lives 3 to 7 bytes 65536 align 64
  memory.storage @relu lives 3 to 7 bytes 65536 align 64
  memory.storage @concat lives 5 to 9 bytes 131072
  memory.storage @half lives 4 to 6 bytes 65536
  // CHECK: memory.storage @"grad 1" lives 8 to 12 bytes 20000
  memory.storage @"grad 1" lives 8 to 12 bytes 20000
  memory.storage @grad2 lives 8 to 12 bytes 30000
  // CHECK: memory.storage @given lives 0 to 12 bytes 8192 fixed 262144
  memory.storage @given lives 0 to 12 bytes 8192 fixed 262144
  // CHECK: memory.storage @host lives -1 to 12 bytes 8192 scope 1
  memory.storage @host lives -1 to 12 bytes 8192 scope 1
  // CHECK: memory.contiguous [@"grad 1", @grad2] guard 512
  memory.contiguous [@"grad 1", @grad2] guard 512
  // CHECK: memory.in_place @relu over @input
  memory.in_place @relu over @input
  // CHECK: memory.piece @half of @concat at 65536
  memory.piece @half of @concat at 65536
}

// CHECK-LABEL: memory.problem @streams
memory.problem @streams {
  // CHECK-NEXT: memory.storage @a lives [0, 0] to [2, 1] bytes 64
  memory.storage @a lives [0, 0] to [2, 1] bytes 64
  // CHECK-NEXT: memory.storage @b lives [0, 1] to [1, 2] bytes 64 stream 1
  memory.storage @b lives [0, 1] to [1, 2] bytes 64 stream 1
}

// A plan is checked wherever it is read.
// CHECK: memory.problem @solved attributes {arena_bytes = array<i64: 96>}
memory.problem @solved attributes {arena_bytes = array<i64: 96>} {
  // CHECK-NEXT: memory.storage @a lives 0 to 2 bytes 64 at 0
  memory.storage @a lives 0 to 2 bytes 64 at 0
  // CHECK-NEXT: memory.storage @b lives 1 to 3 bytes 32 at 64
  memory.storage @b lives 1 to 3 bytes 32 at 64
}

// CHECK: memory.problem @empty {
memory.problem @empty {
}
