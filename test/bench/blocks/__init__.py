# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of networks that are not among the models: detectors, diffusion,
decoders, speech. Written after the papers that describe them, in the operators
that exporters make of them, with seeded weights."""

from blocks import audio, language, vision

BLOCKS = vision.BLOCKS | language.BLOCKS | audio.BLOCKS
