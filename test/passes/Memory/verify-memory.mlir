// RUN: tenon-opt %s --tenon-verify-memory --split-input-file --verify-diagnostics

// expected-error @+1 {{has no 'arena_bytes'}}
func.func @main() {
  return
}

// -----

func.func @main() attributes {arena_bytes = 64 : i64} {
  // expected-error @+1 {{has no offset}}
  %0 = memory.alloc : <tensor<16xf32>, [1], 0, 64>
  return
}

// -----

func.func @main() attributes {arena_bytes = 64 : i64} {
  // expected-error @+1 {{lies outside of the arena}}
  %0 = memory.alloc {offset = 64 : i64} : <tensor<16xf32>, [1], 0, 64>
  return
}
