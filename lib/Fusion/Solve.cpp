#include "lib/Fusion/Solve.h"
using namespace tenon::fusion;
Cost &Cost::operator+=(const Cost &o) {
  time += o.time;
  memory += o.memory;
  mid += o.mid;
  work += o.work;
  tiles += o.tiles;
  return *this;
}
Solution tenon::fusion::solve(const Problem &p, Oracle &o) {
  Solution s;
  unsigned n = p.atoms;
  std::vector<Cost> best(n + 1);
  std::vector<unsigned> from(n + 1, 0);
  for (unsigned i = 1; i <= n; ++i) {
    bool set = false;
    for (unsigned len = 1; len <= 6 && len <= i; ++len) {
      unsigned j = i - len;
      Group g;
      bool bad = false;
      for (unsigned k = j; k < i; ++k) {
        g.atoms.push_back(k);
        if (len > 1 && p.alone[k])
          bad = true;
        if (len > 1 && k > j) {
          bool c = false;
          for (auto e : p.edges)
            if (e.to == k && e.from >= j && e.from < k)
              c = true;
          if (!c)
            bad = true;
        }
      }
      if (bad)
        continue;
      auto c = o.cost(g);
      ++s.statistics.asked;
      if (!c)
        continue;
      Cost t = best[j];
      t += *c;
      if (!set || t < best[i]) {
        best[i] = t;
        from[i] = j;
        set = true;
      }
    }
  }
  for (unsigned i = n; i > 0; i = from[i]) {
    Group g;
    for (unsigned k = from[i]; k < i; ++k)
      g.atoms.push_back(k);
    s.groups.insert(s.groups.begin(), g);
  }
  s.cost = best[n];
  return s;
}
