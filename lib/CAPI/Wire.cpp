//===- Wire.cpp - what compiler and child tell each other -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/CAPI/Wire.h"

#include "tenon-c/Version.h"
#include "llvm/Config/llvm-config.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>

using namespace tenon::capi;

namespace {
struct Head {
  uint64_t size;
  uint32_t kind;
  uint32_t unused;
};
} // namespace

std::string tenon::capi::wireVersion() {
  return std::string(TENON_VERSION_STRING " " LLVM_VERSION_STRING) + " 1";
}

Message &Message::put(uint64_t number) {
  bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
  return *this;
}

Message &Message::put(llvm::StringRef text) {
  put(uint64_t(text.size()));
  bytes.append(text.data(), text.size());
  return *this;
}

uint64_t Message::number() {
  uint64_t number = 0;
  if (bytes.size() - position < sizeof number)
    return 0;
  std::memcpy(&number, bytes.data() + position, sizeof number);
  position += sizeof number;
  return number;
}

std::string Message::text() {
  uint64_t size = std::min<uint64_t>(number(), bytes.size() - position);
  std::string text = bytes.substr(position, size);
  position += size;
  return text;
}

static bool sendAll(int socket, const char *data, size_t size) {
  while (size) {
    ssize_t sent = ::send(socket, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    data += sent;
    size -= size_t(sent);
  }
  return true;
}

static bool receiveAll(int socket, char *data, size_t size) {
  while (size) {
    ssize_t got = recv(socket, data, size, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    data += got;
    size -= size_t(got);
  }
  return true;
}

bool Message::send(int socket) const {
  Head head = {bytes.size(), uint32_t(kind), 0};
  return sendAll(socket, reinterpret_cast<const char *>(&head), sizeof head) &&
         sendAll(socket, bytes.data(), bytes.size());
}

std::optional<Message> Message::receive(int socket) {
  Head head;
  if (!receiveAll(socket, reinterpret_cast<char *>(&head), sizeof head))
    return std::nullopt;
  Message message{MessageKind(head.kind)};
  // Memory as bytes come: the other end may say any size.
  constexpr size_t most = 1 << 20;
  for (uint64_t left = head.size; left;) {
    size_t at = message.bytes.size(), part = std::min<uint64_t>(left, most);
    message.bytes.resize(at + part);
    if (!receiveAll(socket, message.bytes.data() + at, part))
      return std::nullopt;
    left -= part;
  }
  return message;
}
