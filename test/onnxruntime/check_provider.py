# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results of sessions with Tenon are ONNX Runtime's own, for two inputs that
tell: check_provider.py LIBRARY FOLDER FILE.onnx...

Models that hold artifacts are written to the folder."""

import pathlib
import sys
import threading

import numpy
import onnx
import onnxruntime

import networks

RELATIVE, OF_SCALE, OF_HALVES = 1e-3, 1e-4, 4e-3


def session(model, config=(), **options):
    """With Tenon; refusals are errors."""
    given = onnxruntime.SessionOptions()
    given.log_severity_level = 3
    given.intra_op_num_threads = 2
    given.add_session_config_entry("session.record_ep_graph_assignment_info",
                                   "1")
    for key, value in config:
        given.add_session_config_entry(key, value)
    given.add_provider_for_devices(DEVICES, options)
    return onnxruntime.InferenceSession(model.SerializeToString(),
                                        sess_options=given, enable_fallback=0)


def plain(model):
    return onnxruntime.InferenceSession(model.SerializeToString(),
                                        providers=["CPUExecutionProvider"])


def error(want, got):
    """The largest, as a part of what is allowed."""
    if want.shape != got.shape or want.dtype != got.dtype:
        return numpy.inf
    if want.dtype.kind != "f":
        return 0.0 if numpy.array_equal(want, got) else numpy.inf
    of_scale = OF_HALVES if want.dtype == "float16" else OF_SCALE
    want, got = want.astype("float64"), got.astype("float64")
    allowed = of_scale * numpy.abs(want).max() + RELATIVE * numpy.abs(want)
    return float((numpy.abs(want - got) / allowed).max())


def compare(name, ours, theirs, sizes=(3, 5)):
    for size in sizes:
        given, others = networks.feeds(theirs, 1, size), networks.feeds(theirs, 2, size)
        want, other = theirs.run(None, given), theirs.run(None, others)
        for each, (a, b, c) in enumerate(zip(want, ours.run(None, given),
                                             other)):
            assert error(a, b) <= 1, f"{name}, output {each}: {error(a, b)}"
            if a.dtype.kind == "f":
                assert error(a, c) > 1, f"{name}: another input gives the same"


def assigned(session):
    """(operators of Tenon's sets, operators of the session)"""
    ours, theirs = [], set()
    for part in session.get_provider_graph_assignment_info():
        ops = [node.op_type for node in part.get_nodes()]
        if part.ep_name == "TenonExecutionProvider":
            ours.append(ops)
        else:
            theirs.update(ops)
    return ours, theirs


def check_networks():
    for make in networks.WHOLE:
        model = make()
        made = session(model)
        ours, theirs = assigned(made)
        assert len(ours) == 1 and not theirs, (make.__name__, ours, theirs)
        compare(make.__name__, made, plain(model))
    for make, lacking in networks.PARTS.items():
        model = make()
        made = session(model)
        ours, theirs = assigned(made)
        assert ours and lacking <= theirs, (make.__name__, ours, theirs)
        compare(make.__name__, made, plain(model))
    print(len(networks.WHOLE), "whole,", len(networks.PARTS), "in parts")


def check_files(paths):
    for path in paths:
        for model, count in ((onnx.load(path), 1), (networks.plant(path), 2)):
            made = session(model)
            ours, theirs = assigned(made)
            assert len(ours) == count and theirs <= {"QuickGelu"}, (
                path, len(ours), theirs)
            compare(path, made, plain(model), sizes=(1,))
    print(len(paths), "files, whole and in two")


def holding(model, path):
    """The model as one that holds artifacts."""
    session(model, config=[("ep.context_enable", "1"),
                           ("ep.context_file_path", str(path))])
    return onnx.load(path)


def check_contexts(folder):
    """Saved and loaded; damaged ones, and artifacts of others, are refused."""
    for make in (networks.attention, networks.data_dependent, networks.inverse):
        model = make()
        held = holding(model, folder / f"{make.__name__}.onnx")
        assert any(node.op_type == "EPContext" for node in held.graph.node)
        assert not any(node.op_type == "MatMul" for node in held.graph.node)
        compare(make.__name__, session(held), plain(model))
        # What was loaded from a node can be held once more.
        again = holding(held, folder / f"{make.__name__}.again.onnx")
        compare(make.__name__, session(again), plain(model))
    for attribute in held.graph.node[0].attribute:
        if attribute.name == "ep_cache_context":
            attribute.s = attribute.s[:-100]
    try:
        session(held)
        print("taken: half an artifact")
    except Exception:
        print("artifacts of models agree")


def check_threads():
    """Eight at once, of different sizes, with either kind of threads."""
    model = networks.attention()
    theirs = plain(model)
    for options in ({}, {"threads": "2"}, {"threads": "1"}):
        made, wrong = session(model, **options), []

        def work(size):
            given = networks.feeds(theirs, size, size)
            want = theirs.run(None, given)[0]
            wrong.extend(size for _ in range(40)
                         if error(want, made.run(None, given)[0]) > 1)

        threads = [threading.Thread(target=work, args=(size,))
                   for size in range(1, 9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong, wrong
    print("eight threads agree")


def check_refusals():
    for options in ({"threads": "many"}, {"isolate": "yes"}, {"speed": "1"},
                    {"mcpu": "abacus"}, {"arguments": "--fast"}):
        try:
            session(networks.perceptron(), **options)
            print("taken", options)
        except Exception as reason:
            text = str(reason)
            print("refused:", text[text.index("tenon: "):])


onnxruntime.register_execution_provider_library("tenon", sys.argv[1])
DEVICES = [device for device in onnxruntime.get_ep_devices()
           if device.ep_name == "TenonExecutionProvider"]
assert len(DEVICES) == 1, DEVICES
check_networks()
check_files(sys.argv[3:])
check_contexts(pathlib.Path(sys.argv[2]))
check_threads()
check_refusals()
