//===- SymbolicRuns.h - one kernel, run at many sizes -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the test of a kernel whose group has symbols: it is
// planned on a typical instance, compiled once, and compared with the
// interpreter for each of many values of its symbols.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_SYMBOLICRUNS_H
#define TENON_TEST_UNIT_SYMBOLICRUNS_H

#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Shapes.h"
#include "test/unit/KernelRuns.h"

#include <map>

namespace tenon::test {

/// A value for each symbol; "broadcast(m, n)" follows from those of m and n.
using SymbolNumbers = std::map<std::string, int64_t>;

inline int64_t numberOf(llvm::StringRef symbol, const SymbolNumbers &numbers) {
  llvm::StringRef both = symbol;
  if (!both.consume_front("broadcast(")) {
    auto known = numbers.find(symbol.str());
    EXPECT_NE(known, numbers.end()) << symbol.str();
    return known == numbers.end() ? 1 : known->second;
  }
  auto [a, b] = both.drop_back().split(", ");
  int64_t first = numberOf(a, numbers);
  return first == 1 ? numberOf(b, numbers) : first;
}

inline mlir::Attribute lookUp(mlir::StringAttr symbol,
                              const SymbolNumbers &numbers) {
  return graph::sizeDim(symbol.getContext(),
                        numberOf(symbol.getValue(), numbers));
}

inline int64_t evaluate(mlir::Attribute dim, const SymbolNumbers &numbers) {
  return graph::sizeOf(graph::substitute(
      dim, [&](mlir::StringAttr symbol) { return lookUp(symbol, numbers); }));
}

/// A function with numbers in place of its symbols, in a module of its own.
class Instance {
public:
  Instance(mlir::func::FuncOp function, const SymbolNumbers &numbers)
      : module(mlir::ModuleOp::create(function.getLoc())) {
    module->push_back(function.clone());
    graph::substitute(get(), [&](mlir::StringAttr symbol) {
      return lookUp(symbol, numbers);
    });
  }
  mlir::func::FuncOp get() {
    return *module->getOps<mlir::func::FuncOp>().begin();
  }
  kernel::GroupOp group() { return *get().getOps<kernel::GroupOp>().begin(); }

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Weights that text would be long for.
inline void fillWeights(mlir::func::FuncOp function) {
  function.walk([&](graph::ConstantOp constant) {
    auto type = mlir::cast<mlir::RankedTensorType>(constant.getType());
    llvm::SmallVector<float> numbers;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      numbers.push_back(float(i * 37 % 101 - 50) / 32);
    constant.setValueAttr(
        mlir::DenseElementsAttr::get(type, llvm::ArrayRef<float>(numbers)));
  });
}

/// Compiles the only group of `function` once, with a plan that is made for
/// the sizes of `typical`, and runs it for each of `cases`.
inline void checkSizes(mlir::func::FuncOp function,
                       const SymbolNumbers &typical,
                       llvm::ArrayRef<SymbolNumbers> cases,
                       const cpu::CpuTarget &target, double slack = 1) {
  SCOPED_TRACE((function.getName() + " on " + target.cpu).str());
  auto group = *function.getOps<kernel::GroupOp>().begin();
  Instance planned(function, typical);
  auto plan = planFor(planned.group(), *target.row);
  ASSERT_TRUE(mlir::succeeded(plan));
  auto *strategy = strategyNamed(plan->plan.getStrategy());
  ASSERT_TRUE(strategy->takesSymbols && strategy->takesSymbols(group));
  codegen::widenHalos(group, *plan);
  CompiledKernel kernel = compile(group, *plan, target);
  ASSERT_TRUE(kernel.code);
  for (const SymbolNumbers &numbers : cases) {
    std::string text;
    for (const auto &[symbol, number] : numbers)
      text += symbol + " = " + std::to_string(number) + " ";
    SCOPED_TRACE(text);
    std::vector<int64_t> sizes;
    for (mlir::Attribute dim : kernel.sizes)
      sizes.push_back(evaluate(dim, numbers));
    mlir::Attribute tiles = kernel.info.tiles.dim(function.getContext());
    Instance instance(function, numbers);
    compareWithInterpreter(instance.get(), kernel, *plan,
                           evaluate(tiles, numbers), slack, 0, sizes);
  }
}

} // namespace tenon::test

#endif // TENON_TEST_UNIT_SYMBOLICRUNS_H
