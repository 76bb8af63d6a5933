//===- BytecodeDamageTest.cpp - bytecode that is refused ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file breaks each rule of the verifier once, and runs what still loads of
// bytecode with flipped bits.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestBytecode.h"
#include <random>

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

const ValueType index0 = tensorType(dtype::i64, 0);
const ValueType flag = tensorType(dtype::i1, 0);
const ValueType matrix = tensorType(dtype::f32, 2);
const ValueType list = sequenceType(dtype::f32);

/// main(n, x): n = other(n); until it is 3, n = n + 1 and [x] grows; gives n
/// and the sequence.
ArtifactDesc makeExample() {
  FunctionBuilder main("main", {index0, matrix}, {index0, list});
  uint32_t grown = main.add(list), number = main.add(index0);
  uint32_t most = main.add(index0), goesOn = main.add(flag);
  uint32_t always = main.add(optionalType(dtype::i1));
  main.call(CalleeKind::Function, 1, {number}, {0});                // 0
  main.primitive(TENON_PRIMITIVE_constant, {most}, {}, {0, 0, 64}); // 1
  main.primitive(TENON_PRIMITIVE_sequence_construct, {grown}, {1}, {2, 32});
  main.primitive(TENON_PRIMITIVE_optional, {always}, {});
  main.primitive(TENON_PRIMITIVE_loop_test, {goesOn},
                 {number, most, always}); // 4
  main.branch(goesOn, 6, 9);
  main.primitive(TENON_PRIMITIVE_sequence_insert, {grown}, {grown, 1, number});
  main.primitive(TENON_PRIMITIVE_increment, {number}, {number});
  main.jump(4);
  main.ret({number, grown}); // 9
  FunctionBuilder other("other", {index0}, {index0});
  uint32_t result = other.add(index0);
  other.primitive(TENON_PRIMITIVE_copy, {result}, {0});
  other.primitive(TENON_PRIMITIVE_kill, {}, {0});
  other.ret({result}); // 12
  ArtifactDesc desc = makeBytecode({main.function, other.function});
  static const int64_t three = 3;
  WeightDesc weight;
  weight.size = sizeof three;
  weight.data = {reinterpret_cast<const uint8_t *>(&three), sizeof three};
  desc.weights = {weight};
  layoutWeights(desc.weights);
  return desc;
}

/// The parts of the section.
struct Parts {
  explicit Parts(Image &image)
      : header(image.at<tenon_bytecode_header>(TENON_SECTION_BYTECODE, 0)),
        integers(reinterpret_cast<int64_t *>(&header + 1)),
        functions(reinterpret_cast<tenon_function_record *>(
            integers + header.integer_count)),
        instructions(reinterpret_cast<tenon_instruction_record *>(
            functions + header.function_count)),
        types(reinterpret_cast<tenon_type_record *>(instructions +
                                                    header.instruction_count)),
        callees(
            reinterpret_cast<tenon_callee_record *>(types + header.type_count)),
        operands(reinterpret_cast<uint32_t *>(callees + header.callee_count)) {}

  uint32_t &operand(uint32_t instruction, uint32_t index) {
    return operands[instructions[instruction].first_operand + index];
  }

  tenon_bytecode_header &header;
  int64_t *integers;
  tenon_function_record *functions;
  tenon_instruction_record *instructions;
  tenon_type_record *types;
  tenon_callee_record *callees;
  uint32_t *operands;
};

#define EXPECT_DAMAGE(text, ...)                                               \
  do {                                                                         \
    Image image(makeExample());                                                \
    Parts parts(image);                                                        \
    __VA_ARGS__;                                                               \
    image.sign();                                                              \
    EXPECT_FAILS(text, image.load());                                          \
  } while (0)

} // namespace

TEST(BytecodeDamage, TheIntactOneRuns) {
  Runner runner(makeExample());
  ASSERT_OK(runner.run({integer(1), floats({1, 2}, {1, 2})}));
  EXPECT_EQ(runner.outputs[0].data<int64_t>(), std::vector<int64_t>{3});
  EXPECT_EQ(runner.outputs[1].info().count, 3u);
}

TEST(BytecodeDamage, OfTheSection) {
  EXPECT_DAMAGE("the bytecode section has the wrong size",
                parts.header.type_count = ~0u);
  EXPECT_DAMAGE("type 0 of the bytecode is bad", parts.types[0].kind = 4);
  EXPECT_DAMAGE("type 0 of the bytecode is bad", parts.types[0].type_bits = 3);
  EXPECT_DAMAGE("type 0 of the bytecode is bad", parts.types[0].rank = 33);
  EXPECT_DAMAGE("callee 0 of the bytecode does not exist",
                parts.callees[0].number = 2);
  EXPECT_DAMAGE("callee 0 of the bytecode does not exist",
                parts.callees[0].kind = 3);
  EXPECT_DAMAGE("callee 0 of the bytecode does not exist",
                parts.callees[0].kind = 1, parts.callees[0].number = 0);
  EXPECT_DAMAGE("callee 1 of the bytecode does not exist",
                parts.callees[1].number = 0);
  EXPECT_DAMAGE("callee 1 of the bytecode does not exist",
                parts.callees[1].number = 99);
}

TEST(BytecodeDamage, OfFunctions) {
  EXPECT_DAMAGE("a name is outside the names section",
                parts.functions[0].name = 9999);
  EXPECT_DAMAGE("function 1 is bad", parts.functions[1].first_type = 10);
  EXPECT_DAMAGE("function 1 is bad", parts.functions[1].parameter_count = 3);
  EXPECT_DAMAGE("function 1 is bad", parts.functions[1].reserved = 1);
  EXPECT_DAMAGE("function 1 is bad", parts.functions[0].instruction_count += 3,
                parts.functions[1].first_instruction += 3,
                parts.functions[1].instruction_count = 0);
  EXPECT_DAMAGE("the functions do not follow each other",
                parts.functions[1].first_instruction = 9);
  EXPECT_DAMAGE("the functions do not follow each other",
                parts.functions[1].instruction_count = 2);
  EXPECT_DAMAGE("the functions do not follow each other",
                parts.functions[1].instruction_count = 4);
  EXPECT_DAMAGE("function 0 does not end in its last instruction",
                parts.functions[0].instruction_count += 1,
                parts.functions[1].first_instruction += 1,
                parts.functions[1].instruction_count -= 1);
}

TEST(BytecodeDamage, OfCalls) {
  FunctionBuilder main("main", {index0}, {index0});
  main.call(CalleeKind::Function, 1, {0}, {0});
  main.ret({0});
  FunctionBuilder other = main;
  other.function.instructions[0].callee = 0;
  EXPECT_FAILS("functions of the bytecode call each other in a circle",
               Image(makeBytecode({main.function, other.function})).load());
  other.function.instructions[0].callee = 2;
  FunctionBuilder large("large", {index0}, {index0});
  large.function.registers.resize(1 << 24, index0);
  large.ret({0});
  EXPECT_FAILS(
      "the bytecode wants too many registers at once",
      Image(makeBytecode({main.function, other.function, large.function}))
          .load());
}

TEST(BytecodeDamage, OfWhatIsNotThere) {
  ArtifactDesc empty;
  Image image(empty);
  EXPECT_OK(image.load());
  image.section(TENON_SECTION_BYTECODE).size = 8;
  image.sign();
  EXPECT_FAILS("the bytecode section is too small", image.load());
  FunctionBuilder main("main", {index0}, {});
  main.function.registers.resize(1 << 20, index0);
  for (uint32_t i = 0; i < 2000; ++i)
    main.jump(i + 1);
  main.ret({});
  EXPECT_FAILS("the bytecode is too intricate to be checked",
               Image(makeBytecode({main.function})).load());
}

TEST(BytecodeDamage, OfInstructions) {
  EXPECT_DAMAGE("instruction 3 of the bytecode has no opcode",
                parts.instructions[3].opcode = 5);
  EXPECT_DAMAGE("instruction 3 of the bytecode has no opcode",
                parts.instructions[3].opcode = 0);
  const char *schema =
      "instruction 8 of the bytecode does not have what its opcode has";
  EXPECT_DAMAGE(schema, parts.instructions[8].callee = 1);
  EXPECT_DAMAGE(schema, parts.instructions[8].result_count = 1);
  EXPECT_DAMAGE(schema, parts.instructions[8].operand_count = 1);
  EXPECT_DAMAGE(schema, parts.instructions[8].integer_count = 1);
  EXPECT_DAMAGE(schema, parts.instructions[8].first_operand = 999);
  EXPECT_DAMAGE(schema, parts.instructions[8].first_integer = 999);
  EXPECT_DAMAGE("instruction 5 of the bytecode does not have what its opcode",
                parts.instructions[5].operand_count = 0);
  EXPECT_DAMAGE("instruction 7 of the bytecode does not have what its opcode",
                parts.instructions[7].callee = 99);
  EXPECT_DAMAGE("instruction 7 of the bytecode names a register that does not",
                parts.operand(7, 0) = 7);
  EXPECT_DAMAGE("instruction 8 of the bytecode has a bad target",
                parts.instructions[8].targets[0] = 10);
  EXPECT_DAMAGE("instruction 8 of the bytecode has a bad target",
                parts.instructions[8].targets[1] = 1);
  EXPECT_DAMAGE("a name is outside the names section",
                parts.instructions[2].node = 9999);
}

/// That instruction `number` is refused for its types.
#define EXPECT_WRONG_TYPES(number, ...)                                        \
  EXPECT_DAMAGE("instruction " #number " of the bytecode has operands, "       \
                "results or integers of wrong types",                          \
                __VA_ARGS__)

TEST(BytecodeDamage, OfTypes) {
  EXPECT_WRONG_TYPES(0, parts.operand(0, 0) = 2); // the result
  EXPECT_WRONG_TYPES(0, parts.operand(0, 1) = 1); // the operand
  EXPECT_WRONG_TYPES(0, parts.instructions[0].operand_count = 0);
  EXPECT_WRONG_TYPES(1, parts.integers[1] = 2); // constant: the type
  EXPECT_WRONG_TYPES(1, parts.integers[0] = 1); // the offset
  EXPECT_WRONG_TYPES(1, parts.integers[0] = -1);
  EXPECT_WRONG_TYPES(1, parts.instructions[1].integer_count = 2);
  EXPECT_WRONG_TYPES(1, parts.instructions[1].integer_count = 4,
                     parts.integers[3] = -1);
  EXPECT_WRONG_TYPES(2, parts.operand(2, 1) = 0); // another element type
  EXPECT_WRONG_TYPES(4, parts.operand(4, 1) = 1); // not an i64
  EXPECT_WRONG_TYPES(4, parts.operand(4, 3) = 2); // not an optional
  EXPECT_WRONG_TYPES(4, parts.instructions[4].operand_count = 2);
  EXPECT_WRONG_TYPES(5, parts.operand(5, 0) = 3); // no boolean
  EXPECT_WRONG_TYPES(6, parts.operand(6, 2) = 3); // another element type
  EXPECT_WRONG_TYPES(6, parts.operand(6, 1) = 1); // no sequence
  EXPECT_WRONG_TYPES(7, parts.instructions[7].result_count = 0);
  EXPECT_WRONG_TYPES(9, parts.operand(9, 0) = 2); // what is returned
  EXPECT_WRONG_TYPES(9, parts.instructions[9].operand_count = 1);
}

TEST(BytecodeDamage, OfTheOrder) {
  const char *text =
      " of the bytecode reads a register that may not have been written";
  EXPECT_DAMAGE(std::string("instruction 4") + text, parts.operand(1, 0) = 3);
  EXPECT_DAMAGE(std::string("instruction 12") + text, parts.operand(11, 0) = 1);
  // Only one of two ways leads past the instruction that writes.
  FunctionBuilder main("main", {flag, index0}, {index0});
  uint32_t result = main.add(index0);
  main.branch(0, 1, 2);
  main.primitive(TENON_PRIMITIVE_copy, {result}, {1});
  main.ret({result});
  EXPECT_FAILS(std::string("instruction 2") + text,
               Image(makeBytecode({main.function})).load());
  main.function.instructions[0].targets = {1, 1};
  EXPECT_OK(Image(makeBytecode({main.function})).load());
}

TEST(BytecodeDamage, OfEntries) {
  auto entry = [](Image &image) -> tenon_entry_record & {
    return image.at<tenon_entry_record>(TENON_SECTION_ENTRIES, 0);
  };
  EXPECT_DAMAGE("the function of entry 'main' does not exist",
                entry(image).function = 3);
  EXPECT_DAMAGE("the function of entry 'main' has another signature",
                entry(image).function = 2);
  // A rank that the function knows and the signature does not, or reversely.
  FunctionBuilder main("main", {tensorType(dtype::f32)}, {matrix});
  main.ret({0});
  ArtifactDesc desc = makeBytecode({main.function});
  desc.functions[0].registers[0] = matrix;
  EXPECT_FAILS("the function of entry 'main' has another signature",
               Image(desc).load());
  desc = makeBytecode({main.function});
  desc.functions[0].results[0] = tensorType(dtype::f32);
  EXPECT_FAILS("the function of entry 'main' has another signature",
               Image(desc).load());
  EXPECT_DAMAGE("'in0' is not what launches take or give",
                image
                    .at<tenon_tensor_record>(TENON_SECTION_SIGNATURE,
                                             sizeof(tenon_signature_header))
                    .kind = 1,
                image
                    .at<tenon_tensor_record>(TENON_SECTION_SIGNATURE,
                                             sizeof(tenon_signature_header))
                    .byte_size = TENON_SIZE_UNKNOWN,
                entry(image).function = 0);
  EXPECT_DAMAGE("entry 0 has bad flags", entry(image).flags = 2);
  EXPECT_DAMAGE("0 entries are not internal; there can be 1 to 64",
                entry(image).flags = TENON_ENTRY_INTERNAL);
  EXPECT_DAMAGE("program 0 has a bad arena",
                image
                    .at<tenon_program_record>(TENON_SECTION_LAUNCHES,
                                              sizeof(tenon_launches_header))
                    .arena_bytes = -99);
  EXPECT_DAMAGE("entry 0 has both bytecode and launches",
                image
                    .at<tenon_program_record>(TENON_SECTION_LAUNCHES,
                                              sizeof(tenon_launches_header))
                    .arena_bytes = 64,
                image.at<tenon_plan_header>(TENON_SECTION_PLAN, 0).arena_bytes =
                    64);
}

TEST(BytecodeDamage, OfGuards) {
  ArtifactDesc desc = makeGuardedDesc();
  desc.functions = makeExample().functions;
  TemporaryFile file;
  EXPECT_FAILS("a guarded artifact has bytecode",
               writeArtifact(desc, file.path));
}

TEST(BytecodeDamage, TheWriterRefusesTheSame) {
  TemporaryFile file;
  auto errorOf = [&](llvm::function_ref<void(ArtifactDesc &)> change) {
    ArtifactDesc desc = makeExample();
    change(desc);
    return messageOf(writeArtifact(desc, file.path));
  };
  EXPECT_FAILS("instruction 8 of function 'main' has what its opcode has not",
               errorOf([](ArtifactDesc &desc) {
                 desc.functions[0].instructions[8].operands = {0};
               }));
  EXPECT_FAILS("has an opcode that does not exist",
               errorOf([](ArtifactDesc &desc) {
                 desc.functions[0].instructions[8].opcode = Opcode(9);
               }));
  EXPECT_FAILS("function 'main' has more parameters than registers",
               errorOf([](ArtifactDesc &desc) {
                 desc.functions[0].parameterCount = 99;
               }));
  EXPECT_FAILS(
      "entry 'main' is a function that does not exist",
      errorOf([](ArtifactDesc &desc) { desc.entries[0].function = 2; }));
  EXPECT_FAILS(
      "0 public entries instead of 1 to 64",
      errorOf([](ArtifactDesc &desc) { desc.entries[0].isInternal = true; }));
  EXPECT_FAILS("entry 'more' stands behind internal ones",
               errorOf([](ArtifactDesc &desc) {
                 desc.entries.push_back({"part"});
                 desc.entries.push_back({"more"});
                 desc.entries[1].isInternal = true;
                 desc.sizePrograms.resize(3);
               }));
  EXPECT_FAILS("input 'in1' of an entry without bytecode is not a plain tensor",
               errorOf([](ArtifactDesc &desc) {
                 desc.entries[0].function.reset();
                 desc.entries[0].inputs[1].kind = ValueKind::Sequence;
               }));
  EXPECT_FAILS("the arenas are not those of the entries",
               errorOf([](ArtifactDesc &desc) {
                 desc.variants[0].plan.programArenas = {0, 0};
               }));
}

//===----------------------------------------------------------------------===//
// Nonsense
//===----------------------------------------------------------------------===//

/// Runs what loads; it may do anything but crash, hang or leak.
static bool runWhatLoads(Image &image) {
  tenon_model *model = nullptr;
  tenon_status *status =
      tenon_model_load_memory(image.data(), image.size, nullptr, &model);
  bool isLoaded = !status;
  tenon_status_destroy(status);
  if (!isLoaded)
    return false;
  CountedMemory memory;
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 1;
  options.max_steps = 2000;
  options.allocator = memory.get();
  tenon_context *context = nullptr;
  tenon_status_destroy(tenon_context_create(model, &options, &context));
  if (context) {
    Value number = integer(1), x = floats({1, 2}, {1, 2});
    tenon_value *inputs[] = {number.get(), x.get()}, *outputs[2] = {};
    if (tenon_status *failed = tenon_run_values(context, inputs, 2, outputs, 2))
      tenon_status_destroy(failed);
    tenon_value_release(outputs[0]);
    tenon_value_release(outputs[1]);
    tenon_context_destroy(context);
  }
  tenon_model_destroy(model);
  EXPECT_EQ(memory.live, 0);
  return true;
}

/// main(n, x) calls most primitives once.
static ArtifactDesc makeMany() {
  const ValueType any = tensorType(dtype::f32), number = tensorType(dtype::i64);
  FunctionBuilder main("main", {index0, matrix}, {any, list});
  uint32_t indices = main.add(number), unique = main.add(any);
  uint32_t a = main.add(number), b = main.add(number), c = main.add(number);
  uint32_t parts = main.add(list), whole = main.add(any);
  uint32_t stacked = main.add(any), isFirst = main.add(tensorType(dtype::i1));
  uint32_t some = main.add(any), maybe = main.add(optionalType(dtype::f32));
  uint32_t sizes = main.add(tensorType(dtype::i8));
  main.primitive(TENON_PRIMITIVE_nonzero, {indices}, {1});
  main.primitive(TENON_PRIMITIVE_unique, {unique, a, b, c}, {1}, {1, 1, 0});
  main.primitive(TENON_PRIMITIVE_split_to_sequence, {parts}, {1, 0}, {1, 1});
  main.primitive(TENON_PRIMITIVE_sequence_concat, {whole}, {parts}, {0, 0});
  main.primitive(TENON_PRIMITIVE_stack, {stacked}, {parts}, {2, 32, -1, 2});
  main.primitive(TENON_PRIMITIVE_optional, {maybe}, {whole});
  main.primitive(TENON_PRIMITIVE_optional_has, {isFirst}, {maybe});
  main.primitive(TENON_PRIMITIVE_compress, {some}, {stacked, isFirst}, {0, 0});
  main.primitive(TENON_PRIMITIVE_optional_get, {whole}, {maybe});
  main.primitive(TENON_PRIMITIVE_sequence_length, {a}, {parts});
  main.primitive(TENON_PRIMITIVE_extents, {sizes}, {c});
  main.primitive(TENON_PRIMITIVE_sequence_erase, {parts}, {parts, 0});
  main.primitive(TENON_PRIMITIVE_sequence_insert, {parts}, {parts, some});
  main.primitive(TENON_PRIMITIVE_sequence_at, {unique}, {parts, 0});
  main.ret({unique, parts});
  return makeBytecode({main.function});
}

/// Damages copies of an artifact's bytecode by `damage(bytes, size, round)`.
template <typename Fn>
static int runDamaged(const ArtifactDesc &desc, int rounds, Fn damage) {
  Image image(desc);
  const Image intact = image;
  tenon_section &section = image.section(TENON_SECTION_BYTECODE);
  const uint64_t begin = section.offset, size = section.size;
  int loaded = 0;
  for (int i = 0; i < rounds; ++i) {
    image.words = intact.words;
    damage(image.data() + begin, size, i);
    image.sign();
    loaded += runWhatLoads(image);
  }
  return loaded;
}

TEST(BytecodeDamage, TheExamplesRun) {
  Runner many(makeMany());
  ASSERT_OK(many.run({integer(1), floats({1, 2}, {1, 2})}));
  EXPECT_EQ(many.outputs[1].info().count, 2u);
}

TEST(BytecodeDamage, FlippedBitsDoNotCrash) {
  const auto flip = [](uint8_t *bytes, uint64_t, int i) {
    bytes[i / 8] ^= 1 << i % 8;
  };
  for (const ArtifactDesc &desc : {makeExample(), makeMany()}) {
    Image image(desc);
    int bits = image.section(TENON_SECTION_BYTECODE).size * 8;
    EXPECT_GT(runDamaged(desc, bits, flip), 50);
  }
}

TEST(BytecodeDamage, OtherNumbersDoNotCrash) {
  std::mt19937 random(1);
  // Small ones, as most of the section has them.
  const auto change = [&](uint8_t *bytes, uint64_t size, int i) {
    for (int k = 0; k <= i % 3; ++k)
      bytes[24 + random() % ((size - 24) / 4) * 4] = random() % 12;
  };
  std::vector<ArtifactDesc> descs = {makeExample(), makeMany()};
#if defined(__x86_64__)
  descs.push_back(makeProgram());
#endif
  for (const ArtifactDesc &desc : descs)
    EXPECT_GT(runDamaged(desc, 5000, change), 50);
}
