#ifndef TENON_LIB_FUSION_SOLVE_H
#define TENON_LIB_FUSION_SOLVE_H
#include "lib/Fusion/Problem.h"
namespace tenon::fusion {
Solution solve(const Problem &, Oracle &);
}
#endif
