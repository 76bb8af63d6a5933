//===- Tensor.cpp - bytes with a tensor type ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the interpreter's tensors and their way from and to
// attributes.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Elements.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace mlir;
using namespace tenon::interp;

/// Tensors of at most so many bytes print as text.
static constexpr size_t kDenseBytes = 1024;

/// Larger tensors are refused before the allocator is asked.
static constexpr int64_t kMaxBytes = int64_t(1) << 40;

/// Number of elements and bytes; nothing when dynamic, unknown or too large.
static std::optional<std::pair<int64_t, int64_t>>
measure(RankedTensorType type) {
  std::optional<int64_t> elementBytes = elementSize(type.getElementType());
  if (!elementBytes || !type.hasStaticShape())
    return std::nullopt;
  int64_t bytes = *elementBytes, limit = kMaxBytes;
  if (llvm::is_contained(type.getShape(), 0))
    return std::make_pair(int64_t(0), int64_t(0));
  for (int64_t extent : type.getShape()) {
    if (bytes > limit / extent)
      return std::nullopt;
    bytes *= extent;
  }
  return std::make_pair(bytes / *elementBytes, bytes);
}

/// Memory of which large pieces come in huge pages: filling the small pages of
/// weights costs more than computing them. Null when there is none.
static std::shared_ptr<char[]> allocateBytes(size_t size) {
  constexpr size_t hugePage = size_t(2) << 20;
  size_t alignment = size < 2 * hugePage ? 64 : hugePage;
  size_t rounded = llvm::alignTo(std::max<size_t>(size, 1), alignment);
  auto *bytes = static_cast<char *>(std::aligned_alloc(alignment, rounded));
#ifdef MADV_HUGEPAGE
  if (bytes && alignment == hugePage)
    (void)::madvise(bytes, rounded, MADV_HUGEPAGE);
#endif
  return bytes ? std::shared_ptr<char[]>(bytes, &std::free) : nullptr;
}

Tensor Tensor::allocate(RankedTensorType type) {
  auto size = measure(type);
  if (!size)
    return Tensor();
  Tensor tensor;
  tensor.owned = allocateBytes(size->second);
  if (!tensor.owned)
    return Tensor();
  tensor.type = type;
  tensor.data = tensor.owned.get();
  std::tie(tensor.count, tensor.byteCount) = *size;
  return tensor;
}

Tensor Tensor::borrow(RankedTensorType type, ArrayRef<char> bytes) {
  auto size = measure(type);
  if (!size || static_cast<size_t>(size->second) != bytes.size())
    return Tensor();
  Tensor tensor;
  tensor.type = type;
  tensor.data = bytes.data();
  std::tie(tensor.count, tensor.byteCount) = *size;
  return tensor;
}

Tensor Tensor::withType(RankedTensorType newType) const {
  auto size = measure(newType);
  if (!size || size->first != count ||
      static_cast<size_t>(size->second) != byteCount)
    return Tensor();
  Tensor tensor = *this;
  tensor.type = newType;
  return tensor;
}

/// Repeats the first `size` bytes over the whole buffer.
static void repeat(MutableArrayRef<char> buffer, size_t size) {
  for (size_t done = size; done < buffer.size();) {
    size_t step = std::min(done, buffer.size() - done);
    std::memcpy(buffer.data() + done, buffer.data(), step);
    done += step;
  }
}

static FailureOr<Tensor> orFailure(const Tensor &tensor) {
  if (!tensor)
    return failure();
  return tensor;
}

static FailureOr<Tensor> fromDense(DenseElementsAttr dense,
                                   RankedTensorType type) {
  bool isBool = type.getElementType().isInteger(1);
  if (!isBool && !dense.isSplat()) {
    Tensor tensor = Tensor::borrow(type, dense.getRawData());
    return orFailure(tensor);
  }
  Tensor tensor = Tensor::allocate(type);
  if (!tensor)
    return failure();
  MutableArrayRef<char> bytes = tensor.mutableBytes();
  if (bytes.empty())
    return tensor;
  if (!dense.isSplat()) {
    for (auto [byte, bit] : llvm::zip(bytes, dense.getValues<bool>()))
      byte = bit;
    return tensor;
  }
  size_t size = bytes.size() / tensor.size();
  if (isBool)
    bytes[0] = dense.getSplatValue<bool>();
  else
    std::memcpy(bytes.data(), dense.getRawData().data(), size);
  repeat(bytes, size);
  return tensor;
}

FailureOr<Tensor> Tensor::fromElements(ElementsAttr elements) {
  FailureOr<Tensor> view = viewElements(elements);
  if (failed(view))
    return failure();
  size_t size = *elementSize(view->getElementType());
  if (reinterpret_cast<uintptr_t>(view->data) % size == 0)
    return view;
  Tensor copy = allocate(view->type);
  if (!copy)
    return failure();
  llvm::copy(view->bytes(), copy.owned.get());
  return copy;
}

FailureOr<Tensor> Tensor::viewElements(ElementsAttr elements) {
  auto type = dyn_cast<RankedTensorType>(elements.getShapedType());
  if (!type || !measure(type))
    return failure();
  if (auto dense = dyn_cast<DenseElementsAttr>(elements))
    return fromDense(dense, type);
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  if (!resource)
    return failure();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return failure();
  Tensor tensor = borrow(type, blob->getData());
  return orFailure(tensor);
}

/// Whether all elements have the same bits.
static bool isSplat(ArrayRef<char> bytes, size_t elementBytes) {
  return bytes.size() > elementBytes &&
         std::memcmp(bytes.data(), bytes.data() + elementBytes,
                     bytes.size() - elementBytes) == 0;
}

/// As small or splat attribute.
static ElementsAttr toDense(const Tensor &tensor, int64_t count) {
  ArrayRef<char> bytes = tensor.bytes();
  if (tensor.getElementType().isInteger(1)) {
    SmallVector<bool> bits;
    for (int64_t i = 0; i < count; ++i)
      bits.push_back(bytes[i] != 0);
    return DenseElementsAttr::get(tensor.getType(), bits);
  }
  size_t size = *elementSize(tensor.getElementType()) * count;
  return DenseElementsAttr::getFromRawBuffer(tensor.getType(),
                                             bytes.take_front(size));
}

ElementsAttr Tensor::toElements() const {
  if (isSplat(bytes(), *elementSize(getElementType())))
    return toDense(*this, 1);
  if (byteCount <= kDenseBytes)
    return toDense(*this, count);
  std::string name =
      "folded_" +
      llvm::utohexstr(llvm::xxh3_64bits(StringRef(data, byteCount)), true, 16);
  AsmResourceBlob blob(
      bytes(), *elementSize(getElementType()),
      [keep = owned](void *, size_t, size_t) mutable { keep.reset(); },
      /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}
