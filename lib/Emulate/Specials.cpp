//===- Specials.cpp - what a thread knows of its place --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file fills the special registers of a warp.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Machine.h"

using namespace tenon::emulate;

/// A value that all lanes share.
static uint32_t common(const Warp &warp, Special which) {
  const Launch &launch = warp.machine.launch;
  const Cta &cta = warp.cta;
  unsigned number = unsigned(which);
  auto along = [&](Special first) { return number - unsigned(first); };
  const Extent &c = launch.cluster, &g = launch.grid;
  switch (which) {
  case Special::ntidX... Special::ntidZ:
    return launch.block[along(Special::ntidX)];
  case Special::ctaidX... Special::ctaidZ:
    return cta.index[along(Special::ctaidX)];
  case Special::nctaidX... Special::nctaidZ:
    return g[along(Special::nctaidX)];
  case Special::clusterX... Special::clusterZ:
    return cta.index[along(Special::clusterX)] / c[along(Special::clusterX)];
  case Special::nclusterX... Special::nclusterZ:
    return g[along(Special::nclusterX)] / c[along(Special::nclusterX)];
  case Special::rankX... Special::rankZ:
    return cta.index[along(Special::rankX)] % c[along(Special::rankX)];
  case Special::nrankX... Special::nrankZ:
    return c[along(Special::nrankX)];
  case Special::rank:
    return cta.rank;
  case Special::nrank:
    return cta.cluster->ctas.size();
  case Special::warpid:
    return warp.index;
  case Special::nwarpid:
    return (cta.threads + lanes - 1) / lanes;
  case Special::smid:
    return cta.index[0] % 132;
  case Special::nsmid:
    return 132;
  case Special::dynamicShared:
    return launch.dynamicShared;
  case Special::totalShared:
    return warp.machine.sharedBytes;
  default:
    return 0;
  }
}

static uint32_t valueOf(const Warp &warp, Special which, unsigned lane) {
  Mask bit = Mask(1) << lane;
  switch (which) {
  case Special::tidX:
    return warp.threadIndex(lane)[0];
  case Special::tidY:
    return warp.threadIndex(lane)[1];
  case Special::tidZ:
    return warp.threadIndex(lane)[2];
  case Special::laneid:
    return lane;
  case Special::lanemaskEq:
    return bit;
  case Special::lanemaskLt:
    return bit - 1;
  case Special::lanemaskLe:
    return bit | (bit - 1);
  case Special::lanemaskGt:
    return ~(bit | (bit - 1));
  case Special::lanemaskGe:
    return ~(bit - 1);
  default:
    return common(warp, which);
  }
}

void Warp::setSpecials() {
  uint64_t used = machine.program.specialsUsed;
  for (unsigned i = 0; i < unsigned(Special::count); ++i) {
    if (!(used >> i & 1))
      continue;
    uint32_t *to = at<uint32_t>(Program::special(Special(i)));
    for (unsigned lane = 0; lane < lanes; ++lane)
      to[lane] = valueOf(*this, Special(i), lane);
  }
}
