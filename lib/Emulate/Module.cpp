//===- Module.cpp - modules and their variables ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is class Module.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Check.h"
#include "lib/Emulate/Reader.h"

#include <cstring>

using namespace tenon;
using namespace tenon::emulate;

Module::Module(std::unique_ptr<Program> program)
    : program(std::move(program)) {}
Module::Module(Module &&) = default;
Module &Module::operator=(Module &&) = default;
Module::~Module() = default;

Result<Module> Module::parse(std::string_view text) {
  auto program = std::make_unique<Program>();
  program->text = text.substr(0, text.find('\0'));
  program->lineStarts.push_back(0);
  for (size_t i = 0; i < program->text.size(); ++i)
    if (program->text[i] == '\n')
      program->lineStarts.push_back(i + 1);
  if (Status done = Reader(*program).read(); !done)
    return done.error();
  program->readBegins.push_back(program->reads.size());
  program->writeBegins.push_back(program->writes.size());
  for (Kernel &kernel : program->kernels)
    kernel.waitsForGrid = waitsForGrid(*program, kernel);
  return Module(std::move(program));
}

std::string_view Program::line(unsigned number) const {
  if (number == 0 || number > lineStarts.size())
    return {};
  std::string_view rest = std::string_view(text).substr(lineStarts[number - 1]);
  rest = rest.substr(0, rest.find('\n'));
  size_t begin = rest.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos)
    return {};
  return rest.substr(begin, rest.find_last_not_of(" \t\r") + 1 - begin);
}

const Kernel *Module::find(std::string_view name) const {
  for (const Kernel &kernel : program->kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

const std::vector<Kernel> &Module::kernels() const { return program->kernels; }

const Global *Module::findGlobal(std::string_view name) const {
  for (const Global &global : program->globals)
    if (global.name == name)
      return &global;
  return nullptr;
}

Status Module::load(Memory &memory) {
  if (program->loaded)
    return Error{"the module is loaded already"};
  for (size_t i = 0; i < program->globals.size(); ++i) {
    Global &global = program->globals[i];
    Result<uint64_t> address = memory.allocate(global.size);
    if (!address)
      return address.error();
    global.address = *address;
    std::vector<uint8_t> contents = program->initial[i];
    contents.resize(global.size);
    if (Status done =
            memory.write(global.address, contents.data(), contents.size());
        !done)
      return done;
  }
  for (const Program::Relocation &place : program->relocations) {
    uint64_t address = program->globals[place.global].address + place.added;
    for (unsigned lane = 0; lane < lanes; ++lane)
      std::memcpy(program->constants.data() + place.constant + lane * 8,
                  &address, 8);
  }
  program->loaded = true;
  return Done();
}

Status Module::unload(Memory &memory) {
  if (!program->loaded)
    return Done();
  program->loaded = false;
  for (Global &global : program->globals)
    if (Status done = memory.free(global.address); !done)
      return done;
  return Done();
}

std::vector<std::string> Module::check() const {
  return emulate::check(*program);
}
