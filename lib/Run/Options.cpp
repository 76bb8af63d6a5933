//===- Options.cpp - the command line of tenon-run ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds the table of options, from which parser and help are made.
//===----------------------------------------------------------------------===//
#include "lib/Run/Options.h"

#include <cstdlib>
#include <variant>

using namespace tenon;
using namespace tenon::run;

/// Where an option's value goes.
using Target =
    std::variant<bool Options::*, int64_t Options::*, double Options::*,
                 std::string Options::*, std::optional<std::string> Options::*,
                 std::vector<Assignment> Options::*,
                 std::vector<std::string> Options::*>;

struct Flag {
  const char *name;
  const char *value;
  const char *help;
  Target target;
};

static const Flag flags[] = {
    {"input", "name=SOURCE",
     "what input `name` holds: a .npy or .pb file, or random:SEED, or\n"
     "random:SEED:LIMIT for integers below LIMIT (100). Without `name=`: the\n"
     "only input, or with random: all inputs. Default: random:0. Elements\n"
     "that numpy lacks (float8, float4, int4, int2) are bytes in .npy files.\n"
     "Sequences are .pb files",
     &Options::inputs},
    {"expect", "name=FILE",
     "compare output `name` with a file; exit with 1 where they differ",
     &Options::expects},
    {"rtol", "X", "with --expect: |a - b| <= atol + rtol * |b| (1e-3)",
     &Options::rtol},
    {"atol", "X", "with --expect: the absolute part (1e-5)", &Options::atol},
    {"output-dir", "DIR",
     "write each output to DIR/<output>.npy, and DIR/outputs.json, which has\n"
     "each one's name, file, dtype and shape, in order. Output a/b is in the\n"
     "folder a; in odd names characters are %XX, long ones end in %~ and a "
     "hash.\nThe tensors of a sequence s are s/0, s/1, ...",
     &Options::outputDir},
    {"benchmark", nullptr,
     "repeat until times are stable; print median, minimum, 99th percentile",
     &Options::benchmark},
    {"runs", "N", "with --benchmark or --profile: exactly N runs",
     &Options::runs},
    {"steps", "N",
     "of a model with states (tenon-compile --state): a run is N steps from\n"
     "the beginning, each with what the one before left, and with the same\n"
     "other inputs; the outputs are those of the last step",
     &Options::steps},
    {"entry", "NAME",
     "which of the model's programs runs (see --signature); default: the\n"
     "first. Of one that has states, with what they are at first, or "
     "--load-state",
     &Options::entry},
    {"data", "name=FILE.npy",
     "train (tenon-compile --train): the input `name` takes batches of the\n"
     "rows of this file, as many in each as the model was compiled for. All\n"
     "inputs of --data have as many rows; those that fill no batch are left "
     "out",
     &Options::data},
    {"epochs", "N", "with --data: how often all rows are seen (1)",
     &Options::epochs},
    {"shuffle", nullptr, "with --data: in another order in each epoch",
     &Options::shuffle},
    {"seed", "N",
     "with --shuffle: what the order follows from (0, or that of --load-state)",
     &Options::seed},
    {"lr", "RATE",
     "with --data: the learning rate (1e-3), or how it changes: constant(X),\n"
     "step(X, every=N, factor=0.1), linear(X, end=0), cosine(X, end=0), each\n"
     "also with warmup=N: steps in which it rises",
     &Options::rate},
    {"eval-data", "name=FILE.npy",
     "with --data: what the loss is evaluated on (default: the data)",
     &Options::evalData},
    {"eval-every", "N",
     "with --data: evaluate after each N steps, and at the end",
     &Options::evalEvery},
    {"loss-curve", "FILE",
     "with --data: write the loss of each step, as a table (.csv) or a\n"
     "picture (.svg)",
     &Options::lossCurve},
    {"save-state", "FILE.safetensors",
     "with --data: write parameters, moments and the number of steps",
     &Options::saveState},
    {"save-every", "N", "with --save-state: after each N steps, too",
     &Options::saveEvery},
    {"load-state", "FILE.safetensors",
     "begin with what --save-state wrote. With --data, and the same other\n"
     "options, the run goes on as if it had not been stopped",
     &Options::loadState},
    {"profile", "FILE.json",
     "where the time goes: each kernel's calls, time, GFLOP/s and GB/s, and\n"
     "their share of this machine's measured roofline, slowest first. With\n"
     "=FILE.json also a trace of the last run, for https://ui.perfetto.dev",
     &Options::profile},
    {"by-launch", nullptr,
     "with --profile: one row for each launch, not for each kernel",
     &Options::byLaunch},
    {"roof", nullptr,
     "print this machine's roofline for --threads threads as JSON, no model \n"
     "needed: peak GFLOP/s of each vector width, read bandwidth of each level",
     &Options::roof},
    {"threads", "N", "threads of a run (default: all available processors)",
     &Options::threads},
    {"json", nullptr, "print one JSON object instead of text", &Options::json},
    {"signature", nullptr, "print inputs, outputs and sizes; do not run",
     &Options::signature},
    {"trace", nullptr,
     "print each instruction of the bytecode as it runs, what it read and\n"
     "made, and its time; for models with control flow",
     &Options::trace},
    {"disassemble", nullptr, "print the bytecode; do not run",
     &Options::disassemble},
    {"verify", nullptr,
     "also verify the checksum of large weights (reads them all)",
     &Options::verify},
    {"variant", "NAME",
     "run the variant for this CPU (see --signature); default: the best that\n"
     "this processor supports",
     &Options::variant},
    {"device", "cpu|cuda",
     "run on the processor or on a GPU, or fail; default: on a GPU where\n"
     "the model and the machine have one",
     &Options::device},
    {"interpret", nullptr,
     "MODEL is a .mlir or .onnx file: run it on the reference interpreter",
     &Options::interpret},
    {"shape", "name=1x3x224x224",
     "the shape of an input that the model leaves open, where no file has "
     "it;\nwith --interpret of a .onnx file: fix the shape of an input",
     &Options::shapes},
    {"dim", "name=N",
     "the size of the inputs' dimensions of that name, where no file has "
     "it;\nwith --interpret of a .onnx file: fix a symbolic dimension",
     &Options::dims},
    {"const", "name=VALUE",
     "with --interpret of a .onnx file: fix the value of an input, as\n"
     "tenon-compile does: mask=1, axes=2,3 or table=@table.npy",
     &Options::constants},
    {"version", nullptr, "print the version", &Options::version},
    {"help", nullptr, "print this text", &Options::help},
};

Assignment tenon::run::splitAssignment(const std::string &text) {
  size_t at = text.find('=');
  if (at == std::string::npos)
    return {"", text};
  return {text.substr(0, at), text.substr(at + 1)};
}

static bool parseNumber(const std::string &text, int64_t &number) {
  char *end;
  number = std::strtoll(text.c_str(), &end, 10);
  return !text.empty() && !*end && number >= 0 && number <= INT32_MAX;
}

static bool parseNumber(const std::string &text, double &number) {
  char *end;
  number = std::strtod(text.c_str(), &end);
  return !text.empty() && !*end && number >= 0;
}

static Status setValue(const Flag &flag, const std::string &text,
                       Options &options) {
  bool good = true;
  if (auto *target = std::get_if<int64_t Options::*>(&flag.target))
    good = parseNumber(text, options.**target);
  else if (auto *target = std::get_if<double Options::*>(&flag.target))
    good = parseNumber(text, options.**target);
  else if (auto *target = std::get_if<std::string Options::*>(&flag.target))
    options.**target = text;
  else if (auto *target =
               std::get_if<std::vector<Assignment> Options::*>(&flag.target))
    (options.**target).push_back(splitAssignment(text));
  else if (auto *target =
               std::get_if<std::vector<std::string> Options::*>(&flag.target))
    (options.**target).push_back(text);
  if (!good)
    return Error{std::string("--") + flag.name +
                 " needs a non-negative number, not '" + text + "'"};
  return Done{};
}

static const Flag *findFlag(const std::string &name) {
  for (const Flag &flag : flags)
    if (name == flag.name)
      return &flag;
  return nullptr;
}

static Status parseFlag(const std::vector<std::string> &arguments, size_t &at,
                        Options &options) {
  std::string name = arguments[at].substr(arguments[at][1] == '-' ? 2 : 1);
  size_t equals = name.find('=');
  bool hasValue = equals != std::string::npos;
  std::string value = hasValue ? name.substr(equals + 1) : "";
  name = name.substr(0, equals);
  const Flag *flag = findFlag(name);
  if (!flag)
    return Error{"unknown option --" + name + " (see --help)"};
  if (auto *target = std::get_if<bool Options::*>(&flag->target)) {
    if (hasValue)
      return Error{"--" + name + " takes no value"};
    options.**target = true;
    return Done{};
  }
  if (auto *target =
          std::get_if<std::optional<std::string> Options::*>(&flag->target)) {
    if (hasValue && value.empty())
      return Error{"--" + name + "= needs a value: " + flag->value};
    options.**target = value;
    return Done{};
  }
  if (!hasValue) {
    if (at + 1 == arguments.size())
      return Error{"--" + name + " needs a value: " + flag->value};
    value = arguments[++at];
  }
  return setValue(*flag, value, options);
}

/// What is for --data only, and what contradicts it.
static Status checkTraining(const Options &options) {
  bool isGiven = options.epochs || options.shuffle || !options.seed.empty() ||
                 !options.rate.empty() || !options.evalData.empty() ||
                 options.evalEvery || !options.lossCurve.empty() ||
                 !options.saveState.empty() || options.saveEvery;
  if (options.data.empty() && isGiven)
    return Error{"--epochs, --shuffle, --seed, --lr, --eval-data, "
                 "--eval-every, --loss-curve, --save-state and --save-every "
                 "are for training: give --data"};
  if (options.interpret && !(options.entry + options.loadState).empty())
    return Error{"--entry and --load-state are for artifacts"};
  if (options.data.empty())
    return Done{};
  if (options.interpret || options.benchmark || options.profile ||
      options.trace || options.signature || options.disassemble ||
      !options.expects.empty() || !options.outputDir.empty())
    return Error{"--data trains: --interpret, --benchmark, --profile, --trace, "
                 "--signature, --disassemble, --expect and --output-dir are "
                 "for other runs"};
  if (options.epochs && options.steps)
    return Error{"--epochs and --steps contradict each other"};
  if (options.saveEvery && options.saveState.empty())
    return Error{"--save-every needs --save-state"};
  return Done{};
}

Result<Options>
tenon::run::parseOptions(const std::vector<std::string> &arguments) {
  Options options;
  for (size_t at = 0; at < arguments.size(); ++at) {
    const std::string &argument = arguments[at];
    if (argument.size() > 1 && argument[0] == '-') {
      Status status = parseFlag(arguments, at, options);
      if (!status)
        return status.error();
    } else if (options.model.empty()) {
      options.model = argument;
    } else {
      return Error{"more than one model: '" + options.model + "' and '" +
                   argument + "'"};
    }
  }
  if (options.model.empty() && !options.help && !options.version &&
      !options.roof)
    return Error{"no model is named (see --help)"};
  if (!options.device.empty() && options.device != "cpu" &&
      options.device != "cuda")
    return Error{"--device is cpu or cuda, not '" + options.device + "'"};
  if (options.interpret && !options.device.empty())
    return Error{
        "--device is for artifacts: --interpret runs on the processor"};
  if (Status status = checkTraining(options); !status)
    return status.error();
  if (options.interpret && options.profile)
    return Error{"--profile is for artifacts: --interpret launches no kernels"};
  if (options.interpret && options.trace)
    return Error{"--trace is for artifacts: --interpret has no bytecode"};
  if (options.interpret && options.steps)
    return Error{"--steps is for artifacts: --interpret knows no states"};
  return options;
}

/// How a flag takes its value.
static std::string valueText(const Flag &flag) {
  if (!flag.value)
    return "";
  if (std::holds_alternative<std::optional<std::string> Options::*>(
          flag.target))
    return std::string("[=") + flag.value + "]";
  return std::string(" ") + flag.value;
}

std::string tenon::run::helpText() {
  std::string text =
      "tenon-run MODEL.tenon [options] - run a model that tenon-compile made\n"
      "\n"
      "Without options: runs once on random inputs and prints what came out.\n"
      "\n";
  for (const Flag &flag : flags) {
    std::string line = std::string("  --") + flag.name;
    text += line + valueText(flag) + "\n      ";
    for (const char *c = flag.help; *c; ++c)
      text += *c == '\n' ? std::string("\n      ") : std::string(1, *c);
    text += "\n";
  }
  return text +
         "\n"
         "Examples:\n"
         "  tenon-run net.tenon --signature\n"
         "  tenon-run net.tenon --input image=cat.npy --output-dir out\n"
         "  tenon-run net.tenon --input random:1 --shape image=2x3x64x96\n"
         "  tenon-run net.tenon --input x=input_0.pb --expect y=output_0.pb\n"
         "  tenon-run net.tenon --benchmark --threads 2 --json\n"
         "  tenon-run net.tenon --profile --threads 1\n"
         "  tenon-run net.tenon --profile=trace.json --by-launch\n"
         "  tenon-run --interpret net.onnx --input random:7\n"
         "  tenon-run step.tenon --data x=x.npy --data labels=l.npy "
         "--epochs 5 \\\n"
         "      --shuffle --lr 'cosine(1e-3, warmup=100)' --loss-curve "
         "loss.svg\n"
         "\n"
         "Exit status: 0, or 1 when something failed or outputs differ.\n";
}
