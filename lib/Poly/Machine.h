//===- Machine.h - statements on hashes -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what executions run on, within this library only: memory
// of hashes, and a store of its own for each tile.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_POLY_MACHINE_H
#define TENON_LIB_POLY_MACHINE_H

#include "lib/Poly/Box.h"
#include <map>
#include <unordered_map>

namespace tenon::poly {

/// A tile that runs: its launch, and what it has written.
struct Tile {
  uint64_t launch = 0;
  std::vector<bool> outputs; ///< tensors that it writes to memory, too
  std::map<unsigned, std::unordered_map<int64_t, uint64_t>> store;
};

class Machine {
public:
  /// Everything that is live in is there.
  explicit Machine(const Scop &scop);

  const Scop &scop() const { return program; }
  /// What went wrong first; empty if nothing did.
  const std::string &problem() const { return firstProblem; }

  /// Runs instances in ranges of a statement's dimensions, in memory or in a
  /// tile. Does nothing after a problem.
  void run(unsigned statement, llvm::ArrayRef<Range> ranges, Tile *tile);

  /// What of that which is live out is not as `other` has it.
  std::string differenceFrom(const Machine &other) const;

private:
  struct Element {
    uint64_t value = 0;
    uint64_t launch = 0; ///< of the tile that wrote it
    enum { Missing, LiveIn, Written } state = Missing;
  };
  using Point = std::vector<int64_t>;

  std::string nameOf(unsigned tensor, int64_t place) const;
  void fail(const Statement &statement, const std::string &what);
  uint64_t valueOf(const Statement &statement, Point &point,
                   llvm::ArrayRef<Range> ranges, size_t dim, Tile *tile);
  uint64_t termOf(const Statement &statement, const Point &point, Tile *tile);
  uint64_t readAll(const Statement &statement, const Access &access,
                   const Point &point, size_t dim, int64_t place, Tile *tile);
  uint64_t read(const Statement &statement, unsigned tensor, int64_t place,
                Tile *tile);
  void write(const Statement &statement, const Point &point, uint64_t value,
             Tile *tile);
  void runFrom(const Statement &statement, Point &point,
               llvm::ArrayRef<Range> ranges, size_t dim, Tile *tile);

  const Scop &program;
  std::string firstProblem;
  std::vector<std::vector<Element>> memory; ///< of each tensor
};

} // namespace tenon::poly

#endif // TENON_LIB_POLY_MACHINE_H
