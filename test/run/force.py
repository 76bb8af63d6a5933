# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much a comparison has to be able to say. Needs no package."""

# What another input must change, in tolerances. A kernel that is wrong changes
# what it computes by a part of itself, as another input does, and what follows
# damps both alike: so a fault of more than about a thirtieth is seen.
FORCE = 30
