//===- Draw.cpp - a frontier as a picture ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/Draw/Draw.h"
#include "lib/Memory/Draw/Front.h"

using namespace tenon;
using namespace tenon::ckpt;

static mem::FrontPoint pointOf(std::string name, const Plan &plan) {
  return {std::move(name), plan.time, plan.peak, {}};
}

std::string ckpt::drawFrontier(const Frontier &frontier,
                               llvm::ArrayRef<OtherPlan> others,
                               llvm::StringRef title) {
  mem::FrontScene scene;
  scene.program = pointOf("program", frontier.program);
  for (const Plan &plan : frontier.plans)
    scene.plans.push_back(pointOf("ours", plan));
  for (const OtherPlan &other : others) {
    scene.others.push_back(pointOf(other.name, other.plan));
    scene.others.back().isOnWay =
        llvm::StringRef(other.name).starts_with("min-cut");
  }
  scene.bound = frontier.bound;
  return mem::drawFront(scene, title);
}
