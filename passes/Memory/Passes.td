//===- Passes.td - from buffers to offsets -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_MEMORY
#define TENON_PASSES_MEMORY

include "mlir/Pass/PassBase.td"

def UpdateStatesPass : Pass<"tenon-update-states", "::mlir::ModuleOp"> {
  let summary = "let states be overwritten where they lie";
  let description = [{
    A state of `graph.states` becomes `updated` where its input and its output can
    be one buffer: one launch writes the output, and reads the input at the place
    that it writes, if at all (`in_place`); all other launches that read the input,
    and all that check indices, come before. Launches move behind those where that
    is what is missing, unless the most bytes that live at once grow by more than
    the state has; with `keep-peak`, at all. Only in programs in which launches run
    one after the other.

    ```mlir
    graph.states = [{input = "w", output = "w'"} ]
    // becomes
    graph.states = [{input = "w", output = "w'", updated} ]
    ```
  }];
  let options = [Option<"keepPeak", "keep-peak", "bool", "false",
                        "whether no move may let more bytes live at once">];
  let statistics = [Statistic<"numUpdated", "updated", "states that are overwritten">,
                    Statistic<"numMoved", "moved", "launches that run later">];
}

def PlanArenaPass : Pass<"tenon-plan-arena", "::mlir::ModuleOp"> {
  let summary = "give every buffer its offset in the arena";
  let description = [{
    Reads lifetimes off the order of launches (through views), solves, proves the
    solution with an independent check, and writes it down. The program gets
    `memory.arena_bytes`, `memory.arena_lower_bound_bytes` and
    `memory.arena_solver`.

    A buffer that a launch reads for the last time may be the one that it writes
    for the first time, where the launch allows that (`in_place`). Plans with and
    without are compared; the bound is that of the problem whose plan was taken.
    Less than 64 bytes above it nothing smaller is searched for. Offsets that all
    buffers have already, of a schedule of streams, are a plan, too, and taken if
    none is smaller.

    ```mlir
    %b = memory.alloc : !memory.buffer<tensor<16xf32>, [1], 0, 64>
    // becomes
    %b = memory.alloc {offset = 0 : i64} : !memory.buffer<tensor<16xf32>, [1], 0, 64>
    ```
  }];
  let options = [Option<"work", "work", "int64_t", "::tenon::memory::arenaWork",
    "units of work for the solvers, about a second">];
  let statistics = [Statistic<"numBuffers", "buffers", "buffers placed">,
                    Statistic<"numInPlace", "in-place", "buffers that lie on what their launch reads">,
                    Statistic<"arenaBytes", "arena-bytes", "size of the arena">];
}

def GuardArenaPass : Pass<"tenon-guard-arena", "::mlir::ModuleOp"> {
  let summary = "move every buffer to pages of its own";
  let description = [{
    After `tenon-plan-arena`, in its place of a plan that shares storage: each
    buffer gets whole units of 64 KiB (the largest page of any system) with a unit
    that is nobody's before and after it. `side` is where a buffer touches its
    guard: `above` catches each overrun, `below` each underrun. The program gets
    `memory.arena_guard`, and the run time then opens a buffer's pages only to
    launches that it is an operand of.

    ```mlir
    %b = memory.alloc {offset = 0 : i64} : !memory.buffer<tensor<16xf32>, [1], 0, 64>
    // becomes, with side=above
    %b = memory.alloc {offset = 131008 : i64} : !memory.buffer<tensor<16xf32>, [1], 0, 64>
    ```
  }];
  let options = [Option<"side", "side", "std::string", "\"above\"",
                        "the end that touches the guard: above or below">];
  let statistics = [Statistic<"numBuffers", "buffers", "buffers guarded">,
                    Statistic<"arenaBytes", "arena-bytes", "size of the arena with its guards">];
}

def VerifyMemoryPass : Pass<"tenon-verify-memory", "::mlir::ModuleOp"> {
  let summary = "check that every buffer has a place inside the arena";
  let description = [{
    Fails on a `memory.alloc` without offset, or beyond `memory.arena_bytes`, or
    on the bytes of another that lives at the same time: unless both begin at one
    offset because a launch writes the one in the place of the other (`in_place`).

    ```mlir
    %b = memory.alloc : ...   // error: has no offset
    ```
  }];
}

def SolveMemoryProblemsPass : Pass<"tenon-solve-memory-problems", "::mlir::ModuleOp"> {
  let summary = "solve the memory.problem operations of a module";
  let description = [{
    Gives each `memory.storage` its offset and each problem its arenas, lower
    bounds and the name of the solver that found the plan, proven by an
    independent check. For tests and bug reports; no part of the pipeline.

    ```mlir
    memory.problem @p {
      memory.storage @a lives 0 to 3 bytes 4096
    }
    // becomes
    memory.problem @p attributes {arena_bytes = array<i64: 4096>,
        lower_bound_bytes = array<i64: 4096>, optimal, solver = "greedy"} {
      memory.storage @a lives 0 to 3 bytes 4096 at 0
    }
    ```
  }];
  let options = [
    Option<"solver", "solver", "std::string", "\"\"",
           "only this one: greedy, repair, exact; empty: all, until one reaches the goal">,
    Option<"work", "work", "int64_t", "7000000000", "units of work to spend on each problem">,
    Option<"capacity", "capacity", "int64_t", "0",
           "the arena that is good enough, in bytes; 0: the lower bound">];
  let statistics = [Statistic<"numProblems", "problems", "problems solved">,
                    Statistic<"numOptimal", "optimal", "plans proven optimal">];
}

#endif // TENON_PASSES_MEMORY
