//===- Footprint.cpp - what a tile needs of each statement ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Footprint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::poly;

const Box *Footprint::domainOf(const Group &group, unsigned statement) const {
  for (auto [index, domain] : llvm::zip_equal(group.statements, domains))
    if (index == statement)
      return domain ? &*domain : nullptr;
  return nullptr;
}

static int64_t coefficientOf(const Index &index, size_t dim) {
  return dim < index.coefficients.size() ? index.coefficients[dim] : 0;
}

//===-- Through reads -----------------------------------------------------===//

/// What an index is of before it is divided.
static BoxDim numeratorOf(const Index &index, const Box &domain,
                          const BoxMath &math) {
  BoxDim sum = BoxMath::constant(index.offset, 1);
  for (auto [number, dim] : llvm::enumerate(domain.dims))
    if (int64_t factor = coefficientOf(index, number))
      sum = math.plus(math.times(dim, factor), sum);
  return sum;
}

/// Whether two indices are digits of one number: quotients and remainders of
/// the same sum.
static bool areDigits(const Index &x, const Index &y) {
  auto same = [](const Index &x, const Index &y) {
    for (size_t dim = 0; dim < x.coefficients.size(); ++dim)
      if (x.coefficients[dim] != coefficientOf(y, dim))
        return false;
    return true;
  };
  return x.offset == y.offset && same(x, y) && same(y, x);
}

/// Whether the indices, digits of one number, name different elements for
/// different numbers: the first is a quotient by what the next ones span.
static bool areAllDigits(llvm::ArrayRef<Index> digits) {
  for (size_t i = 0; i + 1 < digits.size(); ++i)
    if (digits[i + 1].modulus == 0 ||
        digits[i].divisor != digits[i + 1].divisor * digits[i + 1].modulus)
      return false;
  return digits.back().divisor == 1;
}

/// Whether the product of `sides` has as many elements in each tile as the
/// number that they are digits of.
static bool isProduct(llvm::ArrayRef<BoxDim> sides, const BoxDim &number,
                      const BoxMath &math) {
  std::vector<BoxDim> moving;
  int64_t constant = 1;
  for (const BoxDim &side : sides) {
    if (side.tileDim >= 0)
      moving.push_back(side);
    else
      constant *= math.at(side, 0).count();
  }
  if (number.tileDim < 0)
    return moving.empty() && constant == math.at(number, 0).count();
  for (const BoxDim &side : moving)
    if (side.tileDim != number.tileDim)
      return false;
  moving.push_back(number);
  bool all = true;
  for (BoxMath::Sample sample : math.samples(number.tileDim, moving, all)) {
    int64_t count = constant;
    for (const BoxDim &side : llvm::ArrayRef(moving).drop_back())
      count *= math.at(side, sample.tile).count();
    if (count != math.at(number, sample.tile).count())
      return false;
  }
  return all;
}

/// Whether the sides move without each other, so that all of their products are
/// touched: no dimension of the domain is in two, but as digits.
static bool areIndependent(const Access &access, const Box &domain,
                           llvm::ArrayRef<BoxDim> sides, const BoxMath &math) {
  for (auto [number, dim] : llvm::enumerate(domain.dims)) {
    std::vector<Index> in;
    std::vector<BoxDim> sidesIn;
    for (auto [index, side] : llvm::zip_equal(access.index, sides))
      if (coefficientOf(index, number) != 0) {
        in.push_back(index);
        sidesIn.push_back(side);
      }
    // Nothing read for nothing: one of the sides must be empty, too.
    bool isSingle = in.size() < 2 || math.mostCount(dim) <= 1;
    bool shows =
        llvm::any_of(in, [](const Index &index) { return index.modulus == 0; });
    if (isSingle && !shows && math.leastCount(dim) == 0)
      return false;
    if (isSingle)
      continue;
    for (const Index &index : in)
      if (!areDigits(index, in.front()))
        return false;
    BoxDim sum = numeratorOf(in.front(), domain, math);
    if (!areAllDigits(in) || !isProduct(sidesIn, sum, math))
      return false;
  }
  return true;
}

Box poly::imageOf(const Scop &scop, const Statement &statement,
                  const Access &access, const Box &domain,
                  llvm::ArrayRef<TileDim> tiles) {
  BoxMath math(tiles);
  Box image;
  image.exact = domain.exact && access.exact;
  const Tensor &tensor = scop.tensors[access.tensor];
  std::vector<BoxDim> unclipped;
  for (auto [index, extent] : llvm::zip_equal(access.index, tensor.shape)) {
    BoxDim side = BoxMath::constant(0, extent);
    side.exact = !index.any;
    if (!index.any)
      side = math.divide(numeratorOf(index, domain, math), index.divisor);
    if (!index.any && index.modulus != 0)
      side = math.modulo(side, index.modulus);
    image.exact &= side.exact;
    unclipped.push_back(side);
    image.dims.push_back(math.clip(side, 0, extent));
  }
  image.exact &= areIndependent(access, domain, unclipped, math);
  return image;
}

//===-- Through writes ----------------------------------------------------===//

/// The one dimension that an index follows with a positive factor, -1 if it is
/// a number; none if it is anything else.
static std::optional<int> dimOf(const Index &index) {
  if (index.any || index.divisor != 1 || index.modulus != 0)
    return std::nullopt;
  int found = -1;
  for (auto [dim, factor] : llvm::enumerate(index.coefficients)) {
    if (factor == 0)
      continue;
    if (factor < 0 || found >= 0)
      return std::nullopt;
    found = int(dim);
  }
  return found;
}

Box poly::writersOf(const Statement &statement, const Box &elements,
                    llvm::ArrayRef<TileDim> tiles) {
  BoxMath math(tiles);
  Box box;
  box.exact = elements.exact && statement.write.exact;
  for (const Dim &dim : statement.dims)
    box.dims.push_back(BoxMath::constant(0, dim.extent));
  std::vector<bool> solved(statement.dims.size());
  for (auto [index, side] :
       llvm::zip_equal(statement.write.index, elements.dims)) {
    std::optional<int> dim = dimOf(index);
    if (dim && *dim < 0) {
      BoxDim number = BoxMath::constant(index.offset, 1);
      box.exact &= math.join(side, number) == side;
    } else if (!dim || solved[*dim]) {
      box.exact = false;
    } else {
      solved[*dim] = true;
      BoxDim along = math.solve(side, index.coefficients[*dim], index.offset);
      box.dims[*dim] = math.clip(along, 0, statement.dims[*dim].extent);
      box.exact &= box.dims[*dim].exact;
    }
  }
  return box;
}

//===-- Groups ------------------------------------------------------------===//

std::optional<int64_t>
poly::stepsBetween(unsigned host, const Statement &writer, const Access &read) {
  for (auto [to, from] : llvm::zip_equal(writer.write.index, read.index)) {
    std::optional<int> written = dimOf(to), wanted = dimOf(from);
    if (written == int(host) && wanted == int(host) &&
        to.coefficients[host] == 1 && from.coefficients[host] == 1)
      return to.offset - from.offset;
  }
  return std::nullopt;
}

bool poly::isCarried(const Statement &writer, const Statement &reader,
                     const Access &read) {
  for (unsigned host = 0; host < hostDimsOf(reader); ++host) {
    std::optional<int64_t> distance = stepsBetween(host, writer, read);
    if (distance != 0)
      return true;
  }
  return false;
}

bool poly::isCarried(const Scop &scop, const Group &group,
                     const Statement &reader, const Access &read) {
  if (hostDimsOf(reader) == 0)
    return false;
  bool isWritten = false;
  for (unsigned index : group.statements) {
    const Statement &writer = scop.statements[index];
    if (writer.write.tensor != read.tensor)
      continue;
    isWritten = true;
    if (!isCarried(writer, reader, read))
      return false;
  }
  return isWritten;
}

namespace {
class Footprints {
public:
  Footprints(const Scop &scop, const Group &group) : scop(scop), group(group) {
    result.tiles = tilesOf(scop, group);
    result.domains.resize(group.statements.size());
  }

  Footprint run() {
    for (size_t i = group.statements.size(); i-- > 0;)
      visit(group.statements[i], result.domains[i]);
    for (auto &[tensor, parts] : volumes) {
      const Box &box = result.reads.at(tensor);
      if (volumeOf(box) / 2 > parts)
        result.wide.push_back(tensor);
    }
    return std::move(result);
  }

private:
  BoxMath math() const { return BoxMath(result.tiles); }

  /// The instances of a sink that a tile is made of.
  Box windowOf(const Sink &sink) const {
    const Statement &statement = scop.statements[sink.statement];
    Box box;
    for (const Dim &dim : statement.dims)
      box.dims.push_back(BoxMath::constant(0, dim.extent));
    for (auto [k, dim] : llvm::enumerate(sink.dims))
      if (dim >= 0)
        box.dims[dim] = math().window(k);
    for (unsigned host = 0; host < hostDimsOf(statement); ++host)
      box.dims[host] = math().window(group.sizes.size() + host);
    return box;
  }

  void visit(unsigned index, std::optional<Box> &domain) {
    const Statement &statement = scop.statements[index];
    for (const Sink &sink : group.sinks)
      if (sink.statement == index)
        add(domain, windowOf(sink));
    auto needed = result.reads.find(statement.write.tensor);
    if (needed != result.reads.end()) {
      ++result.visits;
      add(domain, writersOf(statement, needed->second, result.tiles));
    }
    if (!domain)
      return;
    for (const Access &read : statement.reads) {
      ++result.visits;
      Box image = imageOf(scop, statement, read, *domain, result.tiles);
      if (isCarried(scop, group, statement, read)) {
        add(result.carried, read.tensor, image);
        continue;
      }
      add(result.reads, read.tensor, image);
      volumes[read.tensor] =
          llvm::SaturatingAdd(volumes[read.tensor], volumeOf(image));
    }
  }

  void add(std::optional<Box> &to, const Box &box) const {
    to = to ? math().join(*to, box) : box;
  }

  void add(std::map<unsigned, Box> &to, unsigned tensor, const Box &box) const {
    auto [found, isNew] = to.try_emplace(tensor, box);
    if (!isNew)
      found->second = math().join(found->second, box);
  }

  uint64_t volumeOf(const Box &box) const {
    uint64_t volume = 1;
    for (const BoxDim &dim : box.dims)
      volume =
          llvm::SaturatingMultiply(volume, uint64_t(math().mostCount(dim)));
    return volume;
  }

  const Scop &scop;
  const Group &group;
  Footprint result;
  std::map<unsigned, uint64_t> volumes; ///< of all reads of a tensor
};
} // namespace

Footprint poly::footprintOf(const Scop &scop, const Group &group) {
  return Footprints(scop, group).run();
}
