//===- ArtifactStatesTest.cpp - states in artifacts -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file writes states that cannot be, and damages those that can. What runs
// do with them is test/capi/states.c.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestImage.h"
#include "test/unit/ArtifactTestSymbols.h"

using namespace tenon::artifact;
using namespace tenon::test;

/// x is y of the run before, and z is w.
static ArtifactDesc makeStates() {
  ArtifactDesc desc = makeSymbolic();
  desc.entries[0].outputs.push_back(desc.entries[0].outputs[0]);
  desc.entries[0].outputs.back().name = "w";
  desc.entries[0].states = {{0, 0}, {1, 2}};
  return desc;
}

static std::string refusal(const ArtifactDesc &desc) {
  TemporaryFile file;
  return messageOf(writeArtifact(desc, file.path));
}

TEST(StateErrors, Descriptions) {
  EXPECT_EQ("", refusal(makeStates()));
  auto refused = [](size_t index, StateDesc state) {
    ArtifactDesc desc = makeStates();
    desc.entries[0].states[index] = state;
    return refusal(desc);
  };
  EXPECT_FAILS("state 0 of 'main' is bad", refused(0, {2, 0}));
  EXPECT_FAILS("state 0 of 'main' is bad", refused(0, {0, 3}));
  EXPECT_FAILS("state 0 of 'main' is bad", refused(0, {0, 1})); // i64
  EXPECT_FAILS("state 1 of 'main' is bad", refused(1, {0, 2}));
  EXPECT_FAILS("state 1 of 'main' is bad", refused(1, {1, 0}));
  // Weights and roles that there are not, and one of another size.
  EXPECT_FAILS("state 0 of 'main' is bad",
               refused(0, {0, 0, {}, 0, TENON_STATE_ROLES}));
  EXPECT_FAILS("state 0 of 'main' is bad", refused(0, {0, 0, {}, 0, 4}));
  EXPECT_FAILS("state 0 of 'main' is bad", refused(0, {0, 0, {}, 0, 0, 99}));
  EXPECT_FAILS("state 0 of 'main' is bad", refused(0, {0, 0, {}, 0, 0, 0}));
  // Along a dimension that is a number, none, and without a capacity.
  EXPECT_FAILS("state 0 of 'main' is bad", refused(0, {0, 0, 1, 0}));
  EXPECT_FAILS("state 0 of 'main' is bad", refused(0, {0, 0, 2, 0}));
  EXPECT_FAILS("state 0 of 'main' is bad", refused(0, {0, 0, 0, 2}));
}

TEST(StateErrors, RunsOnValues) {
  TemporaryFile file;
  ASSERT_OK(writeArtifact(makeStates(), file.path));
  tenon_model *model = nullptr;
  ASSERT_OK(tenon_model_load_file(file.path.c_str(), nullptr, &model));
  tenon_context *context = nullptr;
  ASSERT_OK(tenon_context_create(model, nullptr, &context));
  EXPECT_FAILS("a model with states is run with tenon_run_state",
               tenon_run_values(context, nullptr, 0, nullptr, 0));
  tenon_context_destroy(context);
  tenon_model_destroy(model);
}

TEST(StateErrors, OfBytecode) {
  ArtifactDesc desc = makeStates();
  Image image(desc);
  image.at<tenon_entry_record>(TENON_SECTION_ENTRIES, 0).function = 1;
  image.sign();
  EXPECT_FAILS("state 0 is bad", image.load());
}

/// Where the second state stands in the signature.
static constexpr size_t secondAt = sizeof(tenon_signature_header) +
                                   5 * sizeof(tenon_tensor_record) +
                                   sizeof(tenon_state_record);

TEST(StateDamage, WhatGrowsIsInNoWave) {
  ArtifactDesc desc = makeStates();
  for (size_t i : {1, 2})
    desc.variants[0].launches[i].wave = 0;
  Image image(desc);
  EXPECT_OK(image.load());
  auto &state =
      image.at<tenon_state_record>(2, secondAt - sizeof(tenon_state_record));
  state.axis = 0, state.capacity = 0;
  image.sign();
  EXPECT_FAILS("wave 0 is of a program whose states grow", image.load());
}

#define EXPECT_DAMAGE(text, ...)                                               \
  do {                                                                         \
    Image image(makeStates());                                                 \
    auto &state = image.at<tenon_state_record>(2, secondAt);                   \
    (void)state;                                                               \
    __VA_ARGS__;                                                               \
    image.sign();                                                              \
    EXPECT_FAILS(text, image.load());                                          \
  } while (0)

TEST(StateDamage, Records) {
  EXPECT_DAMAGE("state 1 is bad", state.entry = 1);
  EXPECT_DAMAGE("state 1 is bad", state.input = 2);
  EXPECT_DAMAGE("state 1 is bad", state.input = 0);
  EXPECT_DAMAGE("state 1 is bad", state.output = 3);
  EXPECT_DAMAGE("state 1 is bad", state.output = 0);
  EXPECT_DAMAGE("state 1 is bad", state.output = 1);
  EXPECT_DAMAGE("state 1 is bad", state.axis = 1);
  EXPECT_DAMAGE("state 1 is bad", state.axis = 2);
  EXPECT_DAMAGE("state 1 is bad", state.axis = 0, state.capacity = 2);
  EXPECT_DAMAGE("state 1 is bad", state.reserved = 1);
  EXPECT_DAMAGE("state 1 is bad", state.role = TENON_STATE_ROLES);
  EXPECT_DAMAGE("state 1 is bad", state.role = TENON_STATE_COUNTER);
  EXPECT_DAMAGE("state 1 is bad", state.role = TENON_STATE_SKIPPED);
  EXPECT_DAMAGE("state 1 is bad", state.slot = 2);
  EXPECT_DAMAGE("state 1 is bad", state.slot = 0);
  EXPECT_DAMAGE("state 1 is bad", state.first = 1 << 20);
  EXPECT_DAMAGE("state 1 is bad", state.output = TENON_STATE_READ,
                state.axis = 0);
  EXPECT_DAMAGE("the signature section has the wrong size",
                image.at<tenon_signature_header>(2, 0).state_count = 3);
}

//===----------------------------------------------------------------------===//
// States that are updated
//===----------------------------------------------------------------------===//

/// x is y of the run before, which the second launch writes over it.
static ArtifactDesc makeUpdated() {
  ArtifactDesc desc = makeDesc();
  desc.entries[0].states = {{0, 0}};
  desc.entries[0].states[0].isUpdated = true;
  return desc;
}

static const char inUse[] = "state 'x' is overwritten while it is in use";

TEST(UpdatedStates, Descriptions) {
  EXPECT_EQ("", refusal(makeUpdated()));
  ArtifactDesc late = makeUpdated();
  std::swap(late.variants[0].launches[0], late.variants[0].launches[1]);
  EXPECT_FAILS(inUse, refusal(late));
  ArtifactDesc steps = makeUpdated();
  steps.variants[0].launches[1].steps = 2;
  EXPECT_FAILS(inUse, refusal(steps));
  ArtifactDesc twice = makeUpdated();
  twice.variants[0].launches.push_back(twice.variants[0].launches[1]);
  EXPECT_FAILS(inUse, refusal(twice));
  ArtifactDesc read = makeUpdated();
  read.entries[0].states[0].output = stateIsRead;
  EXPECT_FAILS("state 0 of 'main' is bad", refusal(read));
}

/// Where the only state stands in the signature.
static constexpr size_t onlyAt =
    sizeof(tenon_signature_header) + 2 * sizeof(tenon_tensor_record);

/// The loader looks at launches by itself.
TEST(UpdatedStates, LoaderProves) {
  ArtifactDesc desc = makeUpdated();
  EXPECT_OK(Image(desc).load());
  std::swap(desc.variants[0].launches[0], desc.variants[0].launches[1]);
  desc.entries[0].states[0].isUpdated = false;
  Image image(desc);
  EXPECT_OK(image.load());
  image.at<tenon_state_record>(TENON_SECTION_SIGNATURE, onlyAt).axis =
      TENON_STATE_UPDATED;
  image.sign();
  EXPECT_FAILS("state 0 is overwritten while it is in use", image.load());
}

/// A run that fails behind an update, which no loader lets pass: the bytes
/// change when they have been checked.
TEST(UpdatedStates, Torn) {
  ArtifactDesc desc = makeDesc();
  desc.entries[0].states = {{0, 0}};
  BufferRef w{Space::Weights, 0, 0, bytes}, fault{Space::Arena, 0, 0, 8};
  desc.variants[0].kernels.push_back({"check", 0, 1, false, true});
  desc.variants[0].launches.push_back({1, 2, 2, {w, w, fault}, {"check"}});
  Image image(desc);
  tenon_model *model = nullptr;
  ASSERT_OK(tenon_model_load_memory(image.data(), image.size, nullptr, &model));
  image.at<tenon_state_record>(TENON_SECTION_SIGNATURE, onlyAt).axis =
      TENON_STATE_UPDATED;
  tenon_context *context = nullptr;
  tenon_state *state = nullptr, *clone = nullptr;
  ASSERT_OK(tenon_context_create(model, nullptr, &context));
  ASSERT_OK(tenon_state_create(model, nullptr, &state));
  auto run = [&] {
    return tenon_run_state(context, state, nullptr, 0, nullptr, 0);
  };
  EXPECT_FAILS("an index is out of range", run());
  const char *torn =
      "the state is torn: a run that changed it failed half-way; "
      "load or reset it";
  EXPECT_FAILS(torn, run());
  EXPECT_FAILS(torn, tenon_state_clone(state, &clone));
  tenon_state_reset(state);
  EXPECT_FAILS("an index is out of range", run());
  tenon_state_destroy(state);
  tenon_context_destroy(context);
  tenon_model_destroy(model);
}
