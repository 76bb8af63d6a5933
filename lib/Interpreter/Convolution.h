//===- Convolution.h - sliding windows --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the geometry that convolutions and pools share.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_CONVOLUTION_H
#define TENON_LIB_INTERPRETER_CONVOLUTION_H

#include "lib/Interpreter/Call.h"

#include <array>

namespace tenon::interp {

mlir::LogicalResult convolve(Call &call);
mlir::LogicalResult convolveTransposed(Call &call);

/// A window that slides over an image of three dimensions; images of one or two
/// get leading dimensions of extent 1.
///
///   position in the image = position of the window * stride
///                           + position in the window * dilation - begin
struct Window {
  using Extents = std::array<int64_t, 3>;
  Extents image = {1, 1, 1};  ///< slid over
  Extents places = {1, 1, 1}; ///< of the window
  Extents kernel = {1, 1, 1};
  Extents stride = {1, 1, 1};
  Extents dilation = {1, 1, 1};
  Extents begin = {0, 0, 0};
  Extents end = {0, 0, 0};

  /// False: not one to three dimensions, or lists of other lengths.
  bool set(Shape imageShape, Shape placesShape, Shape kernelShape,
           Shape strides, Shape dilations, Shape pads);

  int64_t at(int dim, int64_t place, int64_t tap) const {
    return place * stride[dim] + tap * dilation[dim] - begin[dim];
  }
  bool contains(int dim, int64_t position) const {
    return position >= 0 && position < image[dim];
  }
};

inline int64_t volume(const Window::Extents &extents) {
  return extents[0] * extents[1] * extents[2];
}

/// The order of dimensions that moves channels from place 1 to the end, or
/// back.
llvm::SmallVector<int64_t> channelsLast(int64_t rank);
llvm::SmallVector<int64_t> channelsFirst(int64_t rank);

/// Extents N, C, spatial of a tensor whatever its layout.
llvm::SmallVector<int64_t> shapeChannelsFirst(const Tensor &tensor,
                                              bool isChannelsLast);

/// Numbers of an image in the order N, C, spatial.
template <typename W>
std::vector<W> loadImage(const Tensor &tensor, bool isChannelsLast) {
  std::vector<W> numbers = loadAll<W>(tensor);
  return isChannelsLast ? permute(numbers, tensor.getShape(),
                                  channelsFirst(tensor.getRank()))
                        : std::move(numbers);
}

/// The inverse of `loadImage`.
template <typename W>
void storeImage(Tensor &tensor, const std::vector<W> &numbers,
                bool isChannelsLast) {
  if (!isChannelsLast)
    return storeAll(tensor, numbers);
  storeAll(tensor, permute(numbers, shapeChannelsFirst(tensor, true),
                           channelsLast(tensor.getRank())));
}

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_CONVOLUTION_H
