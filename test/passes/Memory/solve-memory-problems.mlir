// RUN: tenon-opt %s --tenon-solve-memory-problems --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-solve-memory-problems=solver=greedy --split-input-file | tenon-opt --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-solve-memory-problems="work=1000 capacity=1048576" --split-input-file | FileCheck %s --check-prefix=SOLVED
// RUN: not tenon-opt %s --tenon-solve-memory-problems=solver=luck --split-input-file 2>&1 | FileCheck %s --check-prefix=LUCK

// LUCK: error: unknown solver 'luck'
// SOLVED-COUNT-3: solver =

// The first and the last never meet.
// CHECK: memory.problem @chain attributes {arena_bytes = array<i64: 128>, lower_bound_bytes = array<i64: 128>, optimal, solver = "{{[a-z]+}}"}
memory.problem @chain {
  // CHECK: @a {{.*}} at [[A:[0-9]+]]
  memory.storage @a lives 0 to 2 bytes 64
  memory.storage @b lives 1 to 3 bytes 64
  // CHECK: @c {{.*}} at [[A]]
  memory.storage @c lives 2 to 4 bytes 64
}

// -----

// Two scopes, a list with guards, a buffer that overwrites another, and a
// piece: everything is where it was asked to be.
// CHECK: memory.problem @ties attributes {arena_bytes = array<i64: 192, 64>, lower_bound_bytes = array<i64: {{[0-9]+}}, 64>
memory.problem @ties {
  // CHECK: @a {{.*}} at 8
  memory.storage @a lives 0 to 2 bytes 56 fixed 8
  // CHECK: @b {{.*}} at 64
  memory.storage @b lives 0 to 2 bytes 120
  // CHECK: @over {{.*}} at 64
  memory.storage @over lives 1 to 4 bytes 120
  // CHECK: @piece {{.*}} at 72
  memory.storage @piece lives 2 to 3 bytes 8
  // CHECK: @host {{.*}} at 0
  memory.storage @host lives 0 to 2 bytes 64 scope 1
  memory.contiguous [@a, @b] guard 8
  memory.in_place @over over @b
  memory.piece @piece of @over at 8
}

// -----

// Streams run at the same time: only what an event orders may share.
// CHECK: memory.problem @streams attributes {arena_bytes = array<i64: 128>
memory.problem @streams {
  memory.storage @a lives [0, 0] to [1, 0] bytes 64
  memory.storage @b lives [0, 0] to [0, 1] bytes 64 stream 1
  memory.storage @c lives [1, 1] to [2, 1] bytes 64
}
