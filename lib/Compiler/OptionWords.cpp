//===- OptionWords.cpp - options as words ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/OptionWords.h"

#include "lib/Tile/Target.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using llvm::StringRef;

namespace {
using Set = std::string (*)(CompileOptions &, StringRef value);

struct Option {
  llvm::StringLiteral name;
  bool takesValue;
  Set set; ///< returns why the value is wrong
};
} // namespace

//===-- Kinds of options --------------------------------------------------===//

template <std::string CompileOptions::*field>
static std::string text(CompileOptions &options, StringRef value) {
  options.*field = value.str();
  return "";
}

template <bool CompileOptions::*field, bool state>
static std::string flag(CompileOptions &options, StringRef value) {
  if (!value.empty())
    return "takes no value";
  options.*field = state;
  return "";
}

template <bool (onnximport::ImportOptions::*add)(StringRef, std::string &)>
static std::string import(CompileOptions &options, StringRef value) {
  std::string error;
  return (options.import.*add)(value, error) ? "" : error;
}

template <typename Number>
static std::string number(Number &field, StringRef value, uint64_t least,
                          uint64_t most) {
  uint64_t read;
  if (value.getAsInteger(10, read) || read < least || read > most)
    return "is not a number from " + std::to_string(least) + " to " +
           std::to_string(most);
  field = Number(read);
  return "";
}

std::optional<int64_t> tenon::parseBytes(StringRef text) {
  constexpr llvm::StringLiteral units = "KMG";
  unsigned shift = 0;
  if (size_t unit = units.find(text.empty() ? ' ' : text.back());
      unit != StringRef::npos) {
    shift = 10 * (unsigned(unit) + 1);
    text = text.drop_back();
  }
  uint64_t number;
  if (text.getAsInteger(10, number) || number > uint64_t(INT64_MAX) >> shift)
    return std::nullopt;
  return int64_t(number << shift);
}

std::optional<MicroBatch> tenon::parseMicroBatch(StringRef value) {
  MicroBatch micro;
  if (value == "off")
    return micro;
  if (value == "auto")
    micro.images = 0;
  else if (value.getAsInteger(10, micro.images) || micro.images < 1)
    return std::nullopt;
  return micro;
}

static std::optional<Schedule> parseSchedule(StringRef value) {
  if (value == "auto")
    return Schedule::Auto;
  if (value == "order")
    return Schedule::Order;
  if (value == "waves")
    return Schedule::Waves;
  if (value == "streams")
    return Schedule::Streams;
  return std::nullopt;
}

static std::optional<ensemble::Inputs> parseEnsembleInputs(StringRef value) {
  if (value == "shared")
    return ensemble::Inputs::Shared;
  if (value == "each")
    return ensemble::Inputs::Each;
  return std::nullopt;
}

static std::optional<EmitKind> parseEmit(StringRef value) {
  if (value == "artifact")
    return EmitKind::Artifact;
  if (value == "object")
    return EmitKind::Object;
  if (value == "asm")
    return EmitKind::Assembly;
  if (value == "onnx")
    return EmitKind::Onnx;
  return std::nullopt;
}

static std::optional<Guard> parseGuard(StringRef value) {
  if (value.empty() || value == "above")
    return Guard::Above;
  if (value == "below")
    return Guard::Below;
  return std::nullopt;
}

//===-- The options -------------------------------------------------------===//

#define CHOICE(field, parse, choices)                                          \
  [](CompileOptions &options, StringRef value) {                               \
    auto chosen = parse(value);                                                \
    if (chosen)                                                                \
      options.field = *chosen;                                                 \
    return std::string(chosen ? "" : "is not " choices);                       \
  }

static std::string setCacheSize(CompileOptions &options, StringRef value) {
  uint64_t mebibytes = 0;
  std::string wrong = number(mebibytes, value, 0, UINT64_MAX >> 20);
  options.kernelCacheBytes = mebibytes << 20;
  return wrong;
}

template <std::string TrainingOptions::*field>
static std::string trainingText(CompileOptions &options, StringRef value) {
  options.training.*field = value.str();
  return "";
}

template <double TrainingOptions::*field>
static std::string trainingNumber(CompileOptions &options, StringRef value) {
  bool isNumber = !value.getAsDouble(options.training.*field);
  return isNumber ? "" : "is not a number";
}

static constexpr Option options[] = {
    {"accumulate", true,
     [](CompileOptions &options, StringRef value) {
       return number(options.training.accumulate, value, 1, UINT32_MAX);
     }},
    {"apply-state", true, text<&CompileOptions::applyState>},
    {"arena-budget", true, text<&CompileOptions::arenaBudget>},
    {"arena-cap", true,
     CHOICE(arenaCap, parseBytes, "a number of bytes, as 64M or 65536")},
    {"clip-norm", true, trainingNumber<&TrainingOptions::clipNorm>},
    {"clip-value", true, trainingNumber<&TrainingOptions::clipValue>},
    {"code-size", true,
     CHOICE(codeSize, parseBytes, "a number of bytes, as 64M or 65536")},
    {"const", true, import<&onnximport::ImportOptions::addConst>},
    {"device", true, text<&CompileOptions::device>},
    {"dim", true, import<&onnximport::ImportOptions::addDim>},
    {"emit", true,
     CHOICE(emit, parseEmit, "\"artifact\", \"object\", \"asm\" or \"onnx\"")},
    {"ensemble", true,
     [](CompileOptions &options, StringRef value) {
       options.ensemble.others.push_back(value.str());
       return std::string();
     }},
    {"ensemble-inputs", true,
     CHOICE(ensemble.inputs, parseEnsembleInputs, "\"shared\" or \"each\"")},
    {"fusion", true,
     CHOICE(fusion, fuse::parseFusionMode,
            "\"off\", \"atoms\", \"greedy\" or \"full\"")},
    {"guard-memory", false,
     CHOICE(guard, parseGuard, "\"above\" or \"below\"")},
    {"j", true,
     [](CompileOptions &options, StringRef value) {
       return number(options.jobs, value, 0, UINT32_MAX);
     }},
    {"kernel-cache", true, text<&CompileOptions::kernelCache>},
    {"kernel-cache-size", true, setCacheSize},
    {"loss", true, trainingText<&TrainingOptions::loss>},
    {"mcpu", true, text<&CompileOptions::cpu>},
    {"micro-batch", true,
     CHOICE(microBatch, parseMicroBatch,
            "\"auto\", \"off\" or a number of images")},
    {"mtriple", true, text<&CompileOptions::triple>},
    {"no-bf16x6", false, flag<&CompileOptions::bf16x6, false>},
    {"no-decay", true, trainingText<&TrainingOptions::noDecay>},
    {"no-kernel-cache", false,
     [](CompileOptions &options, StringRef) {
       options.kernelCache.clear();
       return std::string();
     }},
    {"optimizer", true, trainingText<&TrainingOptions::optimizer>},
    {"precision", true,
     CHOICE(precision, tile::parsePrecision,
            "\"f32\", \"tf32\", \"f16\" or \"bf16\"")},
    {"schedule", true,
     CHOICE(schedule, parseSchedule,
            "\"auto\", \"order\", \"waves\" or \"streams\"")},
    {"seed", true,
     [](CompileOptions &options, StringRef value) {
       return number(options.training.seed, value, 0, UINT64_MAX);
     }},
    {"shape", true, import<&onnximport::ImportOptions::addShape>},
    {"state", true,
     [](CompileOptions &options, StringRef value) {
       std::string error;
       return addState(value, options.states, error) ? "" : error;
     }},
    {"streams", true,
     [](CompileOptions &options, StringRef value) {
       return number(options.streams, value, 1, mostStreams);
     }},
    {"strict", false, flag<&CompileOptions::strict, true>},
    {"threads", true,
     [](CompileOptions &options, StringRef value) {
       return number(options.threads, value, 1, tile::mostThreads);
     }},
    {"times", true, text<&CompileOptions::times>},
    {"train", false,
     [](CompileOptions &, StringRef value) {
       return std::string(value.empty() ? "" : "takes no value");
     }},
    {"trainable", true, trainingText<&TrainingOptions::trainable>},
    {"typical", true,
     [](CompileOptions &options, StringRef value) {
       std::string error;
       return addTypical(value, options.typical, error) ? "" : error;
     }},
    {"unchecked-indices", false, flag<&CompileOptions::checkIndices, false>},
    {"weights", true,
     CHOICE(weights, parseWeights, "\"f32\", \"f16\" or \"bf16\"")},
    {"winograd", true,
     CHOICE(winograd, tile::parseWinogradUse,
            "\"off\", \"exact\", \"safe\" or \"max\"")},
};

static const Option *find(StringRef name) {
  auto *found = llvm::find_if(
      options, [&](const Option &option) { return option.name == name; });
  return found == std::end(options) ? nullptr : found;
}

/// A sentence about an option, after what the setter found.
static std::string about(StringRef name, const std::string &wrong) {
  if (wrong.empty())
    return "";
  bool isPredicate = StringRef(wrong).starts_with("is not ");
  return name.str() + (isPredicate ? " " : ": ") + wrong;
}

std::string OptionWords::set(StringRef name, StringRef value) {
  const Option *option = find(name);
  if (!option)
    return "there is no option '" + name.str() + "'";
  winogradGiven |= name == "winograd";
  train |= name == "train";
  return about(name, option->set(options, value));
}

std::string OptionWords::read(llvm::ArrayRef<StringRef> words) {
  while (!words.empty()) {
    StringRef word = words.consume_front();
    StringRef body = word;
    if (!body.consume_front("--") && !body.consume_front("-"))
      return "'" + word.str() + "' is not an option";
    auto [name, value] = body.split('=');
    // As in -j4.
    if (!find(name) && name.consume_front("j"))
      value = std::exchange(name, StringRef("j"));
    const Option *option = find(name);
    if (!option)
      return "there is no option '" + word.str() + "'";
    bool hasValue = body.contains('=') || !value.empty();
    if (option->takesValue && !hasValue) {
      if (words.empty())
        return "'" + word.str() + "' needs a value";
      value = words.consume_front();
    }
    if (std::string wrong = set(name, value); !wrong.empty())
      return wrong;
  }
  return "";
}

std::string OptionWords::finish() {
  std::string against = againstStrict(options, winogradGiven);
  if (!against.empty())
    return "strict and " + against.substr(2) + " contradict each other";
  TrainingOptions given = options.training;
  std::string budget = std::exchange(options.arenaBudget, "free");
  llvm::Error wrong = setTraining(options, train, given);
  if (!wrong)
    wrong = setArenaBudget(options, budget == "free" ? "" : budget);
  if (!wrong)
    wrong = checkEnsemble(options);
  return llvm::toString(std::move(wrong));
}
