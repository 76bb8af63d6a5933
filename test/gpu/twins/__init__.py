# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX graphs as PyTorch modules, for comparison on devices."""
