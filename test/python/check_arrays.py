# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes in and comes out, and what is refused."""

import ctypes
import os
import threading
import unittest
import warnings

import ml_dtypes
import numpy as np
import onnx
import tenon

HEADER = '<ir_version: 8, opset_import: ["" : 17, "my" : 1]>\n'


def text(body):
    return (HEADER + body).encode()


ADD = text("net (float[batch, 3] x, float[3] b) => (float[batch, 3] y) "
           "{ y = Add(x, b) }")
NONZERO = text("net (float[4] x) => (int64[1, n] y) { y = NonZero(x) }")
BFLOAT16 = text("net (bfloat16[2, 3] x) => (bfloat16[2, 3] y) { y = Add(x, x) }")


def compile(body, **options):
    return tenon.compile(body, name="net.onnxtxt", **options)


TWICE = text("net (float[4] x) => (int64[1, n] y, int64[1, n] z) "
             "{ y = NonZero(x) z = Identity(y) }")
NARROW = text("net (float[3] x) => (bfloat16[3] y) { y = Cast<to = 16>(x) }")


def refused(name):
    """A model of a node of this name that has a bad axis."""
    info = onnx.helper.make_tensor_value_info
    float32 = onnx.TensorProto.FLOAT
    node = onnx.helper.make_node("Flatten", ["x"], ["y"], name=name, axis=9)
    graph = onnx.helper.make_graph([node], "g", [info("x", float32, [3])],
                                   [info("y", float32, [3])])
    return onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)


class Capsule:
    """Gives another tensor's capsule, once or always the same."""

    def __init__(self, tensor, legacy=False):
        self.tensor, self.legacy = tensor, legacy

    def __dlpack__(self, **options):
        if self.legacy and options:
            raise TypeError("no such argument")
        return self.tensor.__dlpack__(**options)


class Broken:
    def __init__(self, error):
        self.error = error

    def __dlpack__(self, **options):
        raise self.error


class Header(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2),
                ("rank", ctypes.c_int32), ("dtype", ctypes.c_uint32),
                ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("offset", ctypes.c_uint64)]


class Table(ctypes.Structure):
    """DLPack's table of functions, by which types exchange tensors."""

    View = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object,
                             ctypes.POINTER(Header))
    Make = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p,
                             ctypes.POINTER(ctypes.c_void_p))
    _fields_ = [("version", ctypes.c_uint32 * 2), ("previous", ctypes.c_void_p),
                ("allocate", ctypes.c_void_p), ("get", ctypes.c_void_p),
                ("make", Make), ("view", View), ("stream", ctypes.c_void_p)]


class Exchanged:
    """What torch's tensors are: a type with a table. `data` is of the array or
    of the managed tensor that another gave."""

    def __init__(self, array=None, managed=None):
        self.array, self.managed = array, managed


def view_of(exchanged, header):
    array = exchanged.array
    if array is None:
        return -1
    exchanged.shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    float32 = 2 | 32 << 8 | 1 << 16
    header[0] = Header(array.ctypes.data, (1, 0), array.ndim, float32,
                       ctypes.addressof(exchanged.shape), None, 0)
    return 0


def make_of(managed, to):
    made = Exchanged(managed=managed)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(made))
    to[0] = id(made)
    return 0


TABLE = Table((1, 3), None, None, None, Table.Make(make_of), Table.View(view_of))
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
Exchanged.__dlpack_c_exchange_api__ = new_capsule(
    ctypes.addressof(TABLE), b"dlpack_exchange_api", None)


class Used:
    """A capsule that somebody took before."""

    def __init__(self, array):
        self.capsule = array.__dlpack__()
        self.array = np.from_dlpack(self)

    def __dlpack__(self, **options):
        return self.capsule

    def __dlpack_device__(self):
        return 1, 0


class Arrays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = compile(ADD)
        cls.x = np.arange(6, dtype=np.float32).reshape(2, 3)
        cls.b = np.ones(3, np.float32)

    def check(self, y):
        np.testing.assert_array_equal(np.asarray(y), self.x + 1)

    def test_signature(self):
        self.assertEqual(self.model.inputs[0], ("x", "float32", ("batch", 3)))
        self.assertEqual(self.model.outputs, (("y", "float32", ("batch", 3)),))

    def test_results_are_of_the_kind_of_inputs(self):
        y, = self.model(self.x, self.b)
        self.assertIsInstance(y, np.ndarray)
        self.assertFalse(y.flags.owndata)
        self.check(y)
        tensor, = self.model(memoryview(self.x), self.b)
        self.assertIsInstance(tensor, tenon.Tensor)
        self.check(tensor)
        self.check(np.from_dlpack(tensor))

    def test_results_live_on_and_are_shared(self):
        tensor, = self.model.compute(self.x, self.b)
        first, second = np.asarray(tensor), np.from_dlpack(tensor)
        address = first.ctypes.data
        self.assertEqual(address, second.ctypes.data)
        self.assertEqual(address % 64, 0)
        del tensor, second
        for _ in range(100):
            self.model(self.x, self.b)
        self.check(first)

    def test_dlpack_in(self):
        for legacy in (False, True):
            y, = self.model(Capsule(self.x, legacy), self.b)
            self.check(y)
        tensor, = self.model.compute(self.x, self.b)
        capsule = tensor.__dlpack__(max_version=(1, 1))
        self.assertIn("dltensor_versioned", repr(capsule))
        tensor.__dlpack__(dl_device=(1, 0))
        for wrong in {"copy": True}, {"dl_device": (2, 0)}:
            with self.assertRaises(BufferError):
                tensor.__dlpack__(**wrong)
        with self.assertRaises(ValueError):
            tensor.__dlpack__(max_version=(-1, 0))

    def test_tables_of_types(self):
        y, = self.model(Exchanged(self.x), Exchanged(self.b))
        self.assertIsInstance(y, Exchanged)
        # Behind version, context, release and flags.
        tensor = Header.from_address(y.managed + 8 + 8 + 8 + 8)
        got = (ctypes.c_float * 6).from_address(tensor.data)
        self.check(np.array(got).reshape(2, 3))
        with self.assertRaisesRegex(TypeError, "input 'x': its type's table"):
            self.model(Exchanged(), self.b)
        release = ctypes.c_void_p.from_address(y.managed + 16).value
        ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(release)(y.managed)

    def test_rows_are_contiguous(self):
        tensor, = self.model.compute(self.x, self.b)
        get = ctypes.pythonapi.PyObject_GetBuffer
        get.argtypes = [ctypes.py_object, ctypes.c_void_p, ctypes.c_int]
        room = ctypes.create_string_buffer(256)  # a Py_buffer
        columns = 0x58  # PyBUF_F_CONTIGUOUS
        with self.assertRaises(BufferError):
            get(tensor, room, columns)

    def test_names(self):
        self.check(self.model.run({"b": self.b, "x": self.x})["y"])
        with self.assertRaisesRegex(TypeError, "no input 'c'"):
            self.model.run({"c": self.b})
        with self.assertRaisesRegex(TypeError, "input 'b' is missing"):
            self.model.run({"x": self.x})

    def refuses(self, what, *inputs):
        with self.assertRaisesRegex(TypeError, what):
            self.model(*inputs)

    def test_never_a_silent_copy(self):
        x, b = self.x, self.b
        self.refuses("input 'x': ndarray is not C-contiguous", x.T.copy().T, b)
        self.refuses("'x'", x.astype(np.float64), b)
        self.refuses("input 'x': no tensor has elements of '>f'",
                     x.astype(">f4"), b)
        self.refuses("'b'", x, np.ones(4, np.float32))
        self.refuses("input 'x': .*list.* is neither a buffer", [1, 2, 3], b)
        self.refuses("input 'x': lost", Broken(ValueError("lost")), b)
        with self.assertRaises(KeyboardInterrupt):
            self.model(Broken(KeyboardInterrupt()), b)
        self.refuses("input 'x': __dlpack__ gave no tensor", Used(x), b)
        self.refuses("1 inputs were given; the model has 2", x)
        self.check(self.model(x, b)[0])

    def test_errors_say_what_they_are(self):
        with self.assertRaises(tenon.TensorError) as raised:
            self.model(self.x, np.ones(4, np.float32))
        self.assertEqual((raised.exception.code, raised.exception.status,
                          raised.exception.node), ("TN0006", 6, "b"))
        with self.assertRaisesRegex(tenon.Error, "does-not-exist"):
            tenon.load("does-not-exist.tenon")
        with self.assertRaises(tenon.Error):
            tenon.load(b"no artifact")
        with self.assertRaisesRegex(tenon.Error, "no option '--colour'"):
            compile(ADD, options=["--colour"])

    def test_sizes_that_data_decide(self):
        y, = compile(NONZERO)(np.array([0, 1, 0, 2], np.float32))
        np.testing.assert_array_equal(y, [[1, 3]])
        y, z = compile(TWICE)(np.array([0, 1, 0, 2], np.float32))
        y[0, 0] = 99
        np.testing.assert_array_equal(z, [[1, 3]])

    def test_types_without_a_buffer(self):
        model = compile(BFLOAT16)
        half = Capsule(model.compute(*[Bits(model)])[0])
        tensor, = model.compute(half)
        self.assertEqual(tensor.dtype, "bfloat16")
        with self.assertRaises(BufferError):
            memoryview(tensor)
        half, = compile(NARROW)(np.ones(3, np.float32))
        self.assertEqual(half.dtype, ml_dtypes.bfloat16)
        np.testing.assert_array_equal(half, np.ones(3))

    def test_models_are_loaded_once(self):
        model = tenon.Model.__new__(tenon.Model)
        for method in model.signature, model.compute:
            with self.assertRaisesRegex(RuntimeError, "not loaded"):
                method()
        with self.assertRaises(tenon.Error):
            model.__init__(b"no artifact")
        for each in model, self.model:
            with self.assertRaisesRegex(RuntimeError, "loaded once"):
                each.__init__(b"no artifact")

    def test_bytes_that_change_later(self):
        artifact = np.frombuffer(self.model._source, np.uint8)
        room = np.empty(artifact.size + 64, np.uint8)
        begin = -room.ctypes.data % 64  # else the loader copies
        aligned = room[begin:begin + artifact.size]
        aligned[:] = artifact
        model = tenon.load(aligned)
        aligned[:] = 0
        self.check(model(self.x, self.b)[0])

    def test_text_that_is_cut_or_no_utf8(self):
        for start in "a", "ab":
            with self.assertRaises(tenon.Error) as raised:
                tenon.compile(refused(start + "é" * 900))
            self.assertRegex(raised.exception.node, f"^{start}é+$")
            self.assertRegex(str(raised.exception), f"'{start}é+ .TN0313.$")
        damaged = refused("QQ").SerializeToString().replace(b"QQ", b"\xff\xff")
        self.assertEqual(tenon.check(damaged)[0].name, "\ufffd\ufffd")

    def test_threads_share_a_model(self):
        wrong = []

        def work(seed):
            x = np.full((50, 3), seed, np.float32)
            for _ in range(100):
                y, = self.model(x, self.b)
                if not (y == seed + 1).all():
                    wrong.append(seed)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_after_a_fork(self):
        child = os.fork()
        if not child:
            os._exit(int(not (self.model(self.x, self.b)[0] ==
                              self.x + 1).all()))
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Bits:
    """A bfloat16 tensor of zeros: what a model made of none."""

    def __init__(self, model):
        self.array = np.zeros((2, 3), np.uint16)

    def __dlpack__(self, **options):
        capsule = self.array.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype = ctypes.c_void_p
        pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        # The type's code is behind data, device and rank.
        ctypes.c_uint8.from_address(
            pointer(capsule, b"dltensor") + 8 + 8 + 4).value = 4
        return capsule


class Compiling(unittest.TestCase):
    def test_protos_and_files_beside_them(self):
        weights = np.array([1, 2, 3], np.float32)
        tensor = onnx.numpy_helper.from_array(weights, "b")
        onnx.external_data_helper.set_external_data(tensor, "b.bin")
        tensor.ClearField("raw_data")
        info = onnx.helper.make_tensor_value_info
        float32 = onnx.TensorProto.FLOAT
        graph = onnx.helper.make_graph(
            [onnx.helper.make_node("Add", ["x", "b"], ["y"])], "g",
            [info("x", float32, [3])], [info("y", float32, [3])], [tensor])
        proto = onnx.helper.make_model(
            graph, opset_imports=[onnx.helper.make_opsetid("", 17)],
            ir_version=8)
        with self.assertRaisesRegex(tenon.Error, "'b.bin' cannot be read"):
            tenon.compile(proto)
        files = {"b.bin": weights.tobytes()}
        y, = tenon.compile(proto, external=files.get)(np.ones(3, np.float32))
        np.testing.assert_array_equal(y, weights + 1)
        with self.assertRaisesRegex(KeyError, "b.bin"):
            tenon.compile(proto, external={}.__getitem__)

    def test_check(self):
        nodes = tenon.check(text("g (float[2] x) => (float[2] y) "
                                 "{ a = Relu(x) y = my.Foo(a) }"),
                            name="g.onnxtxt")
        self.assertEqual(nodes, [("a", "Relu", None, None),
                                 ("y", "my::Foo", "ONNX has no such operator",
                                  "TN0206")])

    def test_options(self):
        model = compile(ADD, dims={"batch": range(1, 9)}, cpu="x86-64",
                        options=["--strict"])
        self.assertEqual(model.inputs[0].shape, ("batch", 3))
        with self.assertRaises(TypeError):
            model(np.zeros((9, 3), np.float32), np.ones(3, np.float32))
        model = compile(ADD, shapes={"x": (4, None)})
        self.assertEqual(model.inputs[0].shape, (4, 3))

    def test_warnings(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compile(ADD)
        folder = os.path.join(__file__, "in-a-file")
        with self.assertWarnsRegex(tenon.CompileWarning, "are not cached"):
            compile(ADD, options=["--kernel-cache=" + folder])


if __name__ == "__main__":
    unittest.main()
