# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that are loaded, and how they run: what both packages have."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Union

from . import _arrays, _core

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Any]


class Value(NamedTuple):
    """An input or output. In `shape` a name stands for a size that inputs
    decide, None for one without a name; a shape of None has any rank."""

    name: str
    dtype: str
    shape: tuple[int | str | None, ...] | None


class Launch(NamedTuple):
    """What the runs of a context spent in one kernel; `nodes` are ONNX's."""

    kernel: str
    nodes: tuple[str, ...]
    calls: int
    seconds: float
    flops: int
    bytes: int


def _threads(threads: int) -> int:
    """0: those of $TENON_NUM_THREADS, else as many as the processors that this
    process may use, which the run time counts."""
    if threads:
        return threads
    text = os.environ.get("TENON_NUM_THREADS", "")
    if not text:
        return 0
    if not text.isdecimal() or not 0 < int(text) <= 1024:
        raise ValueError(
            f"TENON_NUM_THREADS is '{text}', not a number from 1 to 1024")
    return int(text)


def _in_order(values: Iterable[Value], given: Mapping[str, Any],
              what: str) -> list[Any]:
    """What is given by names, in the order of the signature."""
    names = [value.name for value in values]
    unknown = sorted(set(given) - set(names))
    missing = [name for name in names if name not in given]
    if unknown or missing:
        raise TypeError(f"no {what} '{unknown[0]}'" if unknown else
                        f"{what} '{missing[0]}' is missing")
    return [given[name] for name in names]


class Model(_core.Model):
    """A loaded artifact. `model(x, ...)` gives the outputs in the order of
    `outputs`. Threads may share a model: each run has a context of its own, and
    does not hold the interpreter's lock."""

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]

    def __init__(self, source: Source, *, threads: int = 0) -> None:
        self.threads = _threads(threads)
        super().__init__(source, threads=self.threads)
        self._source = source
        self._report: dict[str, Any] = {}
        inputs, outputs = self.signature()
        self.inputs = tuple(Value(*each) for each in inputs)
        self.outputs = tuple(Value(*each) for each in outputs)

    def _call_with(self, *inputs: Any, copy: bool = False) -> list[Any]:
        """What __call__ does with keywords: `copy` makes arrays of inputs that
        are none, or have another type or layout."""
        if copy:
            inputs = tuple(_arrays.fit(each, value.dtype)
                           for each, value in zip(inputs, self.inputs)) + \
                inputs[len(self.inputs):]
        return self(*inputs)

    def run(self, feeds: Mapping[str, Any], *,
            copy: bool = False) -> dict[str, Any]:
        """The same by names."""
        inputs = _in_order(self.inputs, feeds, "input")
        results = self(*inputs, copy=True) if copy else self(*inputs)
        return {value.name: result
                for value, result in zip(self.outputs, results)}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the artifact of a model that lies in memory, whole or not at
        all."""
        if isinstance(self._source, (str, os.PathLike)):
            raise ValueError(f"the model is the file '{self._source}'")
        path = os.fspath(path)
        beside = f"{path}.{os.getpid()}"
        try:
            with open(beside, "xb") as file:
                file.write(memoryview(self._source))
            os.replace(beside, path)
        except BaseException:
            if os.path.exists(beside):
                os.unlink(beside)
            raise

    def context(self, *, threads: int = 0,
                outputs: Mapping[str, Any] | Iterable[Any] | None = None,
                stream: int = 0, profile: bool = False) -> Context:
        """A context of one's own: see Context."""
        return Context(self, threads=threads, outputs=outputs, stream=stream,
                       profile=profile)

    def state(self, *, capacity: int = 0, max_capacity: int = 0) -> State:
        """What one sequence of runs keeps: see State."""
        return State(self, capacity=capacity, max_capacity=max_capacity)

    def report(self) -> dict[str, Any]:
        """Sizes in bytes, the processor, how many kernels and launches; of a
        model that was compiled here what the compiler said, too."""
        return {**self.facts(), **self._report}

    def profile(self, *inputs: Any, runs: int = 10) -> list[Launch]:
        """What runs on these inputs spend in each launch, in their order."""
        context = self.context(threads=self.threads, profile=True)
        for _ in range(runs):
            context(*inputs)
        return context.profile()


class Context(_core.Context):
    """What one run at a time needs, for a thread that wants its own: a number
    of `threads`; `outputs` that runs write to (arrays in their order, or by
    names), which they return; the `stream` of a GPU (a cudaStream_t as a
    number) that runs are put on; times of launches (`profile`).

    `context(x, ...)` runs the model. run_async(x, ...) starts a run, and wait()
    gives its outputs; inputs must not change in between. A context works in
    the process that made it, not after a fork."""

    def __init__(self, model: Model, *, threads: int = 0,
                 outputs: Mapping[str, Any] | Iterable[Any] | None = None,
                 stream: int = 0, profile: bool = False) -> None:
        if isinstance(outputs, Mapping):
            outputs = _in_order(model.outputs, outputs, "output")
        super().__init__(model, threads=threads or model.threads,
                         outputs=outputs, stream=stream, profile=profile)
        self._model = model

    def run(self, feeds: Mapping[str, Any]) -> dict[str, Any]:
        """The outputs by names, of inputs by names."""
        results = self(*_in_order(self._model.inputs, feeds, "input"))
        return {value.name: result
                for value, result in zip(self._model.outputs, results)}

    def profile(self) -> list[Launch]:
        """What all runs spent in each launch, in the order of execution."""
        return [Launch(*each) for each in self.launches()]


class State(_core.State):
    """What one run leaves to the next: caches that grow in place, recurrent
    states, parameters that are trained. `state(x, ...)` runs the model on the
    inputs that are no states, and gives the outputs that are none; `inputs`
    and `outputs` list these, `names` the states. One thread at a time uses it;
    a model has any number of them."""

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    names: tuple[str, ...]

    def __init__(self, model: Model, *, capacity: int = 0,
                 max_capacity: int = 0) -> None:
        super().__init__(model, capacity=capacity, max_capacity=max_capacity)
        numbers = self.numbers()
        of_inputs = {each[0] for each in numbers}
        of_outputs = {each[1] for each in numbers}
        self.names = tuple(model.inputs[each[0]].name for each in numbers)
        self.inputs = tuple(value for i, value in enumerate(model.inputs)
                            if i not in of_inputs)
        self.outputs = tuple(value for i, value in enumerate(model.outputs)
                             if i not in of_outputs)

    def run(self, feeds: Mapping[str, Any]) -> dict[str, Any]:
        """The outputs by names, of inputs by names."""
        results = self(*_in_order(self.inputs, feeds, "input"))
        return {value.name: result
                for value, result in zip(self.outputs, results)}

    def _number(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(f"no state '{name}'; there are "
                           f"{', '.join(self.names)}")
        return self.names.index(name)

    def __getitem__(self, name: str) -> Any:
        """A copy of what the next run gets as this input; an array of numpy's
        where that is loaded."""
        tensor = self.get_at(self._number(name))
        return _arrays.array(tensor) if "numpy" in sys.modules else tensor

    def __setitem__(self, name: str, value: Any) -> None:
        """Copies an array to where the next run finds it."""
        self.set_at(self._number(name), value)


def load(source: Source, *, threads: int = 0) -> Model:
    """Loads an artifact: a file, which is mapped, or bytes. `threads` of a
    run, the caller's among them; 0: $TENON_NUM_THREADS, else all processors
    that this process may use."""
    return Model(source, threads=threads)


_core.set_hooks(_arrays.kind, _arrays.dtype, _arrays.adapt)
