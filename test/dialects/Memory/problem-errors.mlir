// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{buffer 'a' never lives}}
memory.problem @p {
  memory.storage @a lives 3 to 3 bytes 1
}

// -----

// expected-error @+1 {{buffer 'b' has a clock of another number of streams}}
memory.problem @p {
  memory.storage @a lives 0 to 3 bytes 1
  memory.storage @b lives [0, 0] to [1, 3] bytes 1
}

// -----

// expected-error @+1 {{buffer 'a' has a clock of another number of streams}}
memory.problem @p {
  memory.storage @a lives [] to [] bytes 1
}

// -----

// expected-error @+1 {{buffer 'a' has an alignment that is not a power of two}}
memory.problem @p {
  memory.storage @a lives 0 to 3 bytes 1 align 3
}

// -----

memory.problem @p {
  // expected-error @+1 {{'scope' failed to satisfy constraint}}
  memory.storage @a lives 0 to 3 bytes 1 scope 256
}

// -----

memory.problem @p {
  // expected-note @+1 {{see existing symbol definition here}}
  memory.storage @a lives 0 to 3 bytes 1
  // expected-error @+1 {{redefinition of symbol named 'a'}}
  memory.storage @a lives 0 to 3 bytes 1
}

// -----

memory.problem @p {
  // expected-error @+1 {{@b is not a storage of this problem}}
  memory.contiguous [@b]
}

// -----

memory.problem @p {
  memory.storage @a lives 0 to 3 bytes 1
  // expected-error @+1 {{@b is not a storage of this problem}}
  memory.in_place @a over @b
}

// -----

memory.problem @p {
  // expected-error @+1 {{does not belong into a 'memory.problem'}}
  %0 = memory.input 0 : <tensor<16xf32>, [1], 0, 64>
}

// -----

// expected-error @+1 {{expects parent op 'memory.problem'}}
memory.storage @a lives 0 to 3 bytes 1

// -----

// expected-error @+1 {{a contiguous list is empty}}
memory.problem @p {
  memory.contiguous []
}

// -----

// expected-error @+1 {{is twice in one list}}
memory.problem @p {
  memory.storage @a lives 0 to 3 bytes 1
  memory.contiguous [@a, @a]
}

// -----

// expected-error @+1 {{would need two different distances}}
memory.problem @p {
  memory.storage @a lives 0 to 3 bytes 64
  memory.storage @b lives 0 to 3 bytes 64
  memory.piece @b of @a
  memory.contiguous [@a, @b]
}

// -----

// expected-error @+1 {{cannot lie at its fixed offset}}
memory.problem @p {
  memory.storage @a lives 0 to 3 bytes 64 fixed 0
  memory.storage @b lives 0 to 3 bytes 64 fixed 128
  memory.contiguous [@a, @b]
}

// -----

// expected-error @+1 {{cannot be aligned where its list or view puts it}}
memory.problem @p {
  memory.storage @a lives 0 to 3 bytes 65 align 64
  memory.storage @b lives 0 to 3 bytes 64 align 64
  memory.contiguous [@a, @b]
}

// -----

// expected-error @+1 {{is tied to one of another scope}}
memory.problem @p {
  memory.storage @a lives 0 to 3 bytes 64
  memory.storage @b lives 0 to 3 bytes 64 scope 1
  memory.contiguous [@a, @b]
}

// -----

memory.problem @p attributes {arena_bytes = array<i64: 64>} {
  // expected-error @+1 {{has no offset, but the problem is solved}}
  memory.storage @a lives 0 to 3 bytes 64
}

// -----

// expected-error @+1 {{has a wrong plan: buffers 'a' and 'b' overlap}}
memory.problem @p attributes {arena_bytes = array<i64: 64>} {
  memory.storage @a lives 0 to 3 bytes 64 at 0
  memory.storage @b lives 2 to 4 bytes 64 at 0
}

// -----

// expected-error @+1 {{the solution has another number of arenas}}
memory.problem @p attributes {arena_bytes = array<i64: 64>} {
  memory.storage @a lives 0 to 3 bytes 64 scope 1 at 0
}

// -----

// expected-error @+1 {{has a wrong plan: buffer 'a' is not at its fixed offset}}
memory.problem @p attributes {arena_bytes = array<i64: 64>} {
  memory.storage @a lives 0 to 3 bytes 64 fixed 64 at 0
}

// -----

// expected-error @+1 {{buffer 'b' is not directly after 'a'}}
memory.problem @p attributes {arena_bytes = array<i64: 192>} {
  memory.storage @a lives 0 to 3 bytes 64 at 0
  memory.storage @b lives 0 to 3 bytes 64 at 128
  memory.contiguous [@a, @b]
}

// -----

// expected-error @+1 {{the guard of buffer 'a' is outside the arena}}
memory.problem @p attributes {arena_bytes = array<i64: 64>} {
  memory.storage @a lives 0 to 3 bytes 64 at 0
  memory.contiguous [@a] guard 8
}

// -----

// expected-error @+1 {{buffer 'b' lies in the guard of 'a'}}
memory.problem @p attributes {arena_bytes = array<i64: 192>} {
  memory.storage @a lives 0 to 3 bytes 64 at 64
  memory.storage @b lives 0 to 3 bytes 64 at 128
  memory.contiguous [@a] guard 8
}

// -----

// expected-error @+1 {{buffer 'b' is not at its place in 'a'}}
memory.problem @p attributes {arena_bytes = array<i64: 192>} {
  memory.storage @a lives 0 to 3 bytes 64 at 0
  memory.storage @b lives 2 to 3 bytes 32 at 0
  memory.piece @b of @a at 32
}
