//===- MemoryTextTest.cpp - every text form, there and back ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests that text forms lose nothing, and that bad text is refused
// with its line, whatever it is.
//===----------------------------------------------------------------------===//
// LINK: TenonMemory LLVM NO_PCH
#include "MemoryTestPrograms.h"
#include "lib/Memory/Solve.h"
#include "lib/Memory/Streams/Clocks.h"
#include "lib/Memory/Text/Text.h"

#include "gtest/gtest.h"

using namespace tenon::mem;

static std::string written(const Instance &instance) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  writeInstance(instance, stream);
  return text;
}

static Instance readOrDie(const std::string &text) {
  llvm::Expected<Instance> instance = readInstance(text);
  if (instance)
    return std::move(*instance);
  ADD_FAILURE() << message(instance.takeError()) << "\n" << text;
  return {};
}

static std::string refusal(const std::string &text) {
  llvm::Expected<Instance> instance = readInstance(text);
  return instance ? "" : message(instance.takeError());
}

static void expectSame(const Problem &a, const Problem &b) {
  ASSERT_EQ(a.buffers.size(), b.buffers.size());
  for (size_t i = 0; i < a.buffers.size(); ++i) {
    const Buffer &x = a.buffers[i], &y = b.buffers[i];
    EXPECT_EQ(x.id, y.id);
    EXPECT_EQ(x.lower, y.lower);
    EXPECT_EQ(x.upper, y.upper);
    EXPECT_EQ(x.size, y.size);
    EXPECT_EQ(x.alignment, y.alignment);
    EXPECT_EQ(x.scope, y.scope);
    EXPECT_EQ(x.stream, y.stream);
    EXPECT_EQ(x.fixed, y.fixed);
  }
  ASSERT_EQ(a.lists.size(), b.lists.size());
  for (size_t i = 0; i < a.lists.size(); ++i) {
    EXPECT_EQ(a.lists[i].buffers, b.lists[i].buffers);
    EXPECT_EQ(a.lists[i].guardBytes, b.lists[i].guardBytes);
  }
  ASSERT_EQ(a.overlays.size(), b.overlays.size());
  for (size_t i = 0; i < a.overlays.size(); ++i) {
    EXPECT_EQ(a.overlays[i].whole, b.overlays[i].whole);
    EXPECT_EQ(a.overlays[i].part, b.overlays[i].part);
    EXPECT_EQ(a.overlays[i].delta, b.overlays[i].delta);
    EXPECT_EQ(a.overlays[i].kind, b.overlays[i].kind);
  }
}

static void expectRoundTrip(const Instance &instance) {
  std::string text = written(instance);
  Instance again = readOrDie(text);
  expectSame(instance.problem, again.problem);
  ASSERT_EQ(instance.program.has_value(), again.program.has_value()) << text;
  if (instance.program) {
    EXPECT_EQ(instance.program->streams, again.program->streams);
    EXPECT_EQ(instance.program->nodes, again.program->nodes);
    EXPECT_EQ(instance.program->events, again.program->events);
    EXPECT_EQ(instance.program->tensors, again.program->tensors);
  }
  ASSERT_EQ(instance.solution.has_value(), again.solution.has_value());
  if (instance.solution) {
    EXPECT_EQ(instance.solution->offsets, again.solution->offsets);
    EXPECT_EQ(instance.solution->arenas, again.solution->arenas);
  }
  EXPECT_EQ(text, written(again));
}

TEST(MemoryText, RandomProgramsSurvive) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomShape shape;
    shape.streams = 1 + seed % 4;
    shape.marks = seed % 2;
    shape.ties = seed % 3;
    Instance instance;
    instance.program = randomProgram(seed, shape);
    instance.problem = problemOf(*instance.program);
    if (seed % 5 == 0)
      instance.solution = solvePortfolio(instance.problem);
    expectRoundTrip(instance);
    // The same without its program: a bare problem, in CSV where it can be.
    instance.program.reset();
    expectRoundTrip(instance);
  }
}

TEST(MemoryText, AnyNameSurvives) {
  Instance instance;
  for (const char *name : {"", "a b", "100%", "%41", "reads", "writes", "guard",
                           "x,y", "#1", "'q'", "tab\t", "\xc3\xa9", "/m/a:0"}) {
    Buffer buffer{name, 0, 1, 8};
    instance.problem.buffers.push_back(buffer);
  }
  expectRoundTrip(instance);
  instance.problem.lists = {{{4, 5, 6}, 16}};
  expectRoundTrip(instance);
}

TEST(MemoryText, CsvHasOptionalColumns) {
  Instance instance =
      readOrDie("size,id,lower,upper,scope,fixed,offset,stream\n"
                "64,a,0:0,1:0,1,,128,0\n"
                "32,b,0:1,1:2,0,32,32,1\n");
  ASSERT_TRUE(instance.solution);
  EXPECT_EQ(instance.solution->offsets, (std::vector<int64_t>{128, 32}));
  EXPECT_EQ(instance.solution->arenas, (std::vector<int64_t>{64, 192}));
  EXPECT_EQ(instance.problem.buffers[1].fixed, 32);
  EXPECT_EQ(instance.problem.buffers[1].stream, 1u);
  EXPECT_FALSE(instance.problem.buffers[0].fixed);
  expectRoundTrip(instance);
}

static const char *const example = R"(# two convolutions side by side
streams 2
tensor x 4096 align 64
tensor a 4096 align 64
tensor y 8192            # written where a was
tensor s 1024
tensor w 512 scope 1 at 256
node conv1 on 0 cost 7 reads x w writes a
node conv2 on 1 reads a writes s
node add on 0 reads a writes y
wait conv2 for conv1
wait add for conv2
input x
output y
lifelong w
inplace y over a
view s of a at 1024
)";

TEST(MemoryText, AProgramIsReadable) {
  Instance instance = readOrDie(example);
  ASSERT_TRUE(instance.program);
  EXPECT_EQ(instance.program->nodes[0].cost, 7);
  EXPECT_EQ(instance.program->events.size(), 2u);
  EXPECT_TRUE(instance.program->tensors[0].input);
  EXPECT_TRUE(instance.program->tensors[4].lifelong);
  EXPECT_EQ(instance.problem.buffers[4].fixed, 256);
  EXPECT_EQ(instance.problem.overlays.size(), 2u);
  expectRoundTrip(instance);
  Solution solution = solvePortfolio(instance.problem);
  EXPECT_EQ(message(validateProgram(*instance.program, solution)), "");
}

TEST(MemoryText, BareProblemsHaveTiesToo) {
  Instance instance = readOrDie("buffer a 64 lives 0:0 1:0 align 64\n"
                                "buffer b 64 lives 0:0 2:1 on 1\n"
                                "buffer c 32 lives 1:0 2:1 scope 2 at 96\n"
                                "contiguous a b guard 64\n");
  EXPECT_EQ(instance.problem.streams(), 2u);
  EXPECT_EQ(instance.problem.scopes(), 3u);
  expectRoundTrip(instance);
}

TEST(MemoryText, PlacesAreASolution) {
  Instance instance = readOrDie("buffer a 64 lives 0 2\nbuffer b 64 lives 1 3\n"
                                "contiguous a b guard 8\n"
                                "place a 8\nplace b 72\n");
  ASSERT_TRUE(instance.solution);
  EXPECT_EQ(instance.solution->arenas, std::vector<int64_t>{144});
  EXPECT_EQ(message(validate(instance.problem, *instance.solution)), "");
  expectRoundTrip(instance);
}

TEST(MemoryText, BadCsvIsRefusedWithItsLine) {
  auto csv = [](const std::string &rows) {
    return refusal("id,lower,upper,size\n" + rows);
  };
  EXPECT_EQ(csv("a,0,1,4\n\nb,0,1,4"), "");
  EXPECT_EQ(csv("a,0,1\n"), "line 2: another number of fields than the header");
  EXPECT_EQ(csv("a,0,1,4,9\n"),
            "line 2: another number of fields than the header");
  EXPECT_EQ(csv("a,0,1,4 x\n"), "line 2: '4 x' is not an integer");
  EXPECT_EQ(csv("a,0,1,99999999999999999999\n"),
            "line 2: '99999999999999999999' is not an integer");
  EXPECT_EQ(csv("a,0,1,9223372036854775807\n"),
            "line 2: buffer 'a' is too large");
  EXPECT_EQ(csv("a,0,1,4\nb,0,1,-4\n"),
            "line 3: buffer 'b' has a negative size");
  EXPECT_EQ(csv("a,0,1,4\nb,3,3,4\n"), "line 3: buffer 'b' never lives");
  EXPECT_EQ(csv("a,0,1,4\n\na,0,1,4\n"), "line 4: buffer 'a' appears twice");
  EXPECT_EQ(csv("a,0:0,1,4\n"), "line 2: buffer 'a' has a clock of another "
                                "number of streams");
  EXPECT_EQ(csv("a,9999999999999999,1,4\n"),
            "line 2: '9999999999999999' is out of range");
  EXPECT_EQ(csv(",0,1,4\n"), "line 2: the id is empty");
  EXPECT_EQ(refusal("id,lower,upper\n"), "line 1: no column 'size'");
  EXPECT_EQ(refusal("\nid,lower,upper,size,id\n"), "line 2: two columns 'id'");
  EXPECT_EQ(refusal("id,lower,upper,size,hue\n"),
            "line 1: unknown column 'hue'");
  EXPECT_EQ(refusal("id,lower,upper,size,scope\na,0,1,4,-1\n"),
            "line 2: '-1' is out of range");
  EXPECT_EQ(refusal("id,lower,upper,size,scope\na,0,1,4,300\n"),
            "line 2: buffer 'a' has a scope above 255");
  EXPECT_EQ(refusal("id,lower,upper,size,fixed\na,0,1,4,\nb,0,1,4,-3\n"),
            "line 3: buffer 'b' has a negative offset");
}

static std::string replaced(std::string text, const std::string &from,
                            const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(MemoryText, BadProgramsAreRefusedWithTheirLine) {
  auto changed = [](const char *from, const char *to) {
    return refusal(replaced(example, from, to));
  };
  EXPECT_EQ(changed("wait add", "wait add for conv1\nwait conv1"),
            "line 8: node 'conv1' would wait for itself: the program is "
            "cyclic");
  EXPECT_EQ(changed("wait conv2 for conv1\n", ""),
            "line 9: node 'conv2' on stream 1 reads 'a' without waiting for "
            "'conv1'");
  EXPECT_EQ(changed("wait add for conv2\n", ""),
            "line 4: buffer 'a' is overwritten in place but used later");
  EXPECT_EQ(changed("reads x w", "reads x z"),
            "line 8: 'z' is not the name of a tensor");
  EXPECT_EQ(changed("for conv1", "for conv9"),
            "line 11: 'conv9' is not the name of a node");
  EXPECT_EQ(changed("input x", "input x 5"),
            "line 13: '5' is not the name of a tensor");
  EXPECT_EQ(changed("writes y", "writes a y"), "line 10: 'a' is written twice");
  EXPECT_EQ(changed("node add", "node conv2"),
            "line 10: 'conv2' appears twice");
  EXPECT_EQ(changed("tensor s", "tensor a"), "line 6: 'a' appears twice");
  EXPECT_EQ(changed("s 1024", "s 99999999999999999999"),
            "line 6: '99999999999999999999' is not an integer");
  EXPECT_EQ(changed("s 1024", "s -1"), "line 6: '-1' is out of range");
  EXPECT_EQ(changed("s 1024", "s 1024 1"), "line 6: '1' is not expected here");
  EXPECT_EQ(changed("align 64", "align 63"),
            "line 3: buffer 'x' has an alignment that is not a power of two");
  EXPECT_EQ(changed("align 64", "align"), "line 3: the line is too short");
  EXPECT_EQ(changed("on 1", "on 2"), "line 9: '2' is out of range");
  EXPECT_EQ(changed("on 1", "1"), "line 9: 'on' is expected");
  EXPECT_EQ(changed("cost 7", "cost x"), "line 8: 'x' is not an integer");
  EXPECT_EQ(changed("at 1024", "at 4096"),
            "line 6: buffer 's' is a view that leaves its buffer");
  EXPECT_EQ(changed("streams 2", "streams 2\nstreams 2"),
            "line 3: the number of streams is given twice");
  EXPECT_EQ(changed("streams 2", "stream 2"),
            "line 2: 'stream' is not a statement");
  EXPECT_EQ(changed("input x", "buffer q 8 lives 0 1"),
            "line 13: a buffer with a life stands beside a program");
  EXPECT_EQ(changed("input x", "place x 0"),
            "line 3: tensor 'x' is written by no node");
  EXPECT_EQ(changed("input x", "input x\nplace x 0"),
            "line 14: 'a' has no place, others have");
  EXPECT_EQ(changed("input x", "input x\nplace x 0\nplace x 0"),
            "line 15: a tensor has two places");
  EXPECT_EQ(changed("output y", "contiguous"),
            "line 14: the line is too short");
}

TEST(MemoryText, BadBareProblemsAreRefusedWithTheirLine) {
  auto bare = [](const std::string &rest) {
    return refusal("buffer a 64 lives 0 2\nbuffer b 64 lives 1 3\n" + rest);
  };
  EXPECT_EQ(bare(""), "");
  EXPECT_EQ(refusal("# nothing\n"), "line 1: the text is empty");
  EXPECT_EQ(bare("tensor c 8\n"),
            "line 3: a tensor stands beside buffers that have lives");
  EXPECT_EQ(bare("node c on 0\n"),
            "line 3: a node stands beside buffers that have lives");
  EXPECT_EQ(bare("output a\n"), "line 3: 'output' needs a program");
  EXPECT_EQ(bare("buffer c 8 lives 1 x\n"),
            "line 3: a moment is a number, or numbers with colons between "
            "them");
  EXPECT_EQ(bare("view b of a at 0\ncontiguous a b\n"),
            "line 1: buffers 'a' and 'b' would need two different distances");
  EXPECT_EQ(bare("buffer c 16 lives 0 3 align 128\ncontiguous a c\n"
                 "buffer d 16 lives 0 3 align 128\ncontiguous c d\n"),
            "line 5: buffer 'd' cannot be aligned where its list or view puts "
            "it");
  EXPECT_EQ(bare("buffer c 16 lives 0 3 at 16\ncontiguous a c\n"),
            "line 3: buffer 'c' cannot lie at its fixed offset");
  EXPECT_EQ(bare("buffer c 64 lives 0 3\nview a of c at 0\nview b of c at 0\n"
                 "inplace a over b\n"),
            "line 2: buffer 'b' is overwritten in place but used later");
  EXPECT_EQ(bare("buffer c 64 lives 0 3 scope 1\ncontiguous a c\n"),
            "line 3: buffer 'c' is tied to one of another scope");
  EXPECT_EQ(bare("buffer c 64 lives 2 3\nview a of c at 0\nview b of c at 0\n"),
            "line 1: buffers 'a' and 'b' would share bytes while both live");
  EXPECT_EQ(bare("contiguous a b guard 9223372036854775807\n"),
            "line 3: '9223372036854775807' is out of range");
  EXPECT_EQ(bare("contiguous a a\n"),
            "line 1: buffer 'a' is twice in one list");
}

/// What has been read and checked goes through everything else.
static void expectUsable(const Instance &instance, const std::string &text) {
  if (!instance.program)
    return;
  Solution solution = solvePortfolio(instance.problem);
  EXPECT_EQ(message(validateProgram(*instance.program, solution)), "") << text;
}

/// Damages text in many ways: nothing but an error with a line, or an
/// instance, may come out; and what comes out must survive.
TEST(MemoryText, DamagedTextIsNeverMisread) {
  std::string csv = "id,lower,upper,size,alignment,offset\n"
                    "a,0,3,64,8,0\nb,1,2,32,4,64\nc,2,4,16,1,96\n";
  std::string bare = "buffer a 44 lives 0 2\nbuffer b 18 lives 1 3\n"
                     "view b of a at 9\ncontiguous a guard 4\n";
  const char alphabet[] = "abn019-+*:,.% \n#'xreadsxwrites";
  unsigned read = 0, refused = 0;
  std::mt19937 generator(5);
  for (unsigned trial = 0; trial < 6000; ++trial) {
    std::string text = trial % 3 == 0 ? csv : trial % 3 == 1 ? bare : example;
    for (unsigned k = generator() % 2 + 1; k; --k) {
      size_t at = generator() % text.size();
      char with = alphabet[generator() % (sizeof(alphabet) - 1)];
      if (generator() % 3 == 0)
        text.erase(at, 1 + generator() % 6);
      else if (generator() % 2)
        text.insert(at, 1, with);
      else
        text[at] = with;
    }
    llvm::Expected<Instance> instance = readInstance(text);
    if (!instance) {
      std::string why = message(instance.takeError());
      ASSERT_EQ(why.rfind("line ", 0), 0u) << why;
      ++refused;
      continue;
    }
    ++read;
    expectRoundTrip(*instance);
    Solution solution = solvePortfolio(instance->problem);
    EXPECT_EQ(message(validate(instance->problem, solution)), "") << text;
    expectUsable(*instance, text);
  }
  EXPECT_GT(read, 300u);
  EXPECT_GT(refused, 2000u);
}
