# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contexts, states, profiles, types of ml_dtypes, sessions as ONNX Runtime's."""

import contextlib
import os
import resource
import signal
import tempfile
import threading
import unittest

import ml_dtypes
import numpy as np
import tenon

HEADER = '<ir_version: 10, opset_import: ["" : 21]>\n'
ADD = ("net (float[batch, 3] x, float[3] b) => (float[batch, 3] y) "
       "{ y = Add(x, b) }")
SUMS = ("net (float[n, 2] old, float[1, 2] x) => (float[m, 2] all, float[2] y) "
        "<int64[1] a = {0}> { all = Concat<axis = 0>(old, x) "
        "y = ReduceSum<keepdims = 0>(all, a) }")


def compile(body, **options):
    return tenon.compile((HEADER + body).encode(), name="net.onnxtxt", **options)


@contextlib.contextmanager
def without_room():
    """No place for temporary files."""
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = "/dev/null/nowhere"
    try:
        yield
    finally:
        del os.environ["TMPDIR"]
        if before is not None:
            os.environ["TMPDIR"] = before


class Contexts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = compile(ADD)
        cls.x = np.arange(6, dtype=np.float32).reshape(2, 3)
        cls.b = np.ones(3, np.float32)

    def test_threads(self):
        context = self.model.context(threads=2)
        self.assertEqual(context.threads, 2)
        np.testing.assert_array_equal(context(self.x, self.b)[0], self.x + 1)
        self.assertEqual(
            list(context.run({"b": self.b, "x": self.x})), ["y"])

    def test_outputs_are_where_they_were_given(self):
        y = np.zeros((2, 3), np.float32)
        for outputs in [y], {"y": y}:
            y[:] = 0
            context = self.model.context(outputs=outputs)
            self.assertIs(context(self.x, self.b)[0], y)
            np.testing.assert_array_equal(y, self.x + 1)
        with self.assertRaises(tenon.TensorError):
            context(self.x[:1], self.b)

    def refuses(self, what, outputs):
        with self.assertRaisesRegex(TypeError, what):
            self.model.context(outputs=outputs)

    def test_outputs_that_cannot_be_written(self):
        y = np.zeros((2, 3), np.float32)
        y.flags.writeable = False
        self.refuses("output 'y': .*read-only", [y])
        self.refuses("output 'y': .*writable", [bytes(24)])
        self.refuses("output 'y': .*not C-contiguous",
                     [np.zeros((3, 2), np.float32).T])
        self.refuses("2 outputs were given; the model has 1", [y, y])
        self.refuses("no output 'z'", {"z": y})

    def test_a_run_that_is_waited_for(self):
        context = self.model.context()
        with self.assertRaisesRegex(RuntimeError, "no run was started"):
            context.wait()
        context.run_async(self.x, self.b)
        with self.assertRaisesRegex(RuntimeError, "wait"):
            context(self.x, self.b)
        np.testing.assert_array_equal(context.wait()[0], self.x + 1)
        context.run_async(self.x, self.b)  # and dropped

    def test_one_thread_at_a_time(self):
        context = self.model.context()

        class Meddler:
            """Stands for a thread that waits while a run is prepared."""
            def __dlpack__(self, **unused):
                return context.wait()

        for start in context, context.run_async:
            with self.assertRaisesRegex(TypeError, "'x': another thread uses"):
                start(Meddler(), self.b)
        np.testing.assert_array_equal(context(self.x, self.b)[0], self.x + 1)

    def test_a_fork(self):
        context = self.model.context(threads=2)
        context(self.x, self.b)
        child = os.fork()
        if not child:
            try:
                context(self.x, self.b)
            except RuntimeError as error:
                again = self.model.context(threads=2)(self.x, self.b)[0]
                os._exit(int("fork" not in str(error) or
                             not (again == self.x + 1).all()))
            os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_profile(self):
        launch, = self.model.profile(self.x, self.b, runs=3)
        self.assertEqual((launch.calls, launch.nodes), (3, ("Add_0",)))
        self.assertGreater(launch.seconds, 0)
        self.assertEqual(self.model.context().profile(), [])

    def test_report(self):
        report = self.model.report()
        self.assertEqual(report["kernel_count"], 1)
        self.assertEqual(report["artifact_bytes"], report["file_bytes"])

    def test_a_disk_without_room(self):
        before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.tenon")
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
            try:
                with self.assertRaises(OSError):
                    self.model.save(path)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, limits)
                signal.signal(signal.SIGXFSZ, before)
            self.assertEqual(os.listdir(folder), [])
        with self.assertRaisesRegex(tenon.Error, "no temporary") as raised:
            with without_room():
                compile(ADD)
        self.assertEqual(raised.exception.code, "TN0108")

    def test_another_processor(self):
        options = ["--mtriple=aarch64-linux-gnu"]
        with self.assertRaises(tenon.Error) as raised:
            compile(ADD, options=options)
        self.assertEqual(raised.exception.code, "TN0004")

    def test_threads_of_the_environment(self):
        os.environ["TENON_NUM_THREADS"] = "3"
        try:
            self.assertEqual(tenon.load(self.model._source).context().threads, 3)
            self.assertEqual(self.model.context(threads=2).threads, 2)
            os.environ["TENON_NUM_THREADS"] = "many"
            with self.assertRaisesRegex(ValueError, "TENON_NUM_THREADS"):
                tenon.load(self.model._source)
        finally:
            del os.environ["TENON_NUM_THREADS"]

    def test_threads_of_the_affinity(self):
        all_of_it = os.sched_getaffinity(0)
        os.sched_setaffinity(0, [min(all_of_it)])
        try:
            self.assertEqual(self.model.context().threads, 1)
        finally:
            os.sched_setaffinity(0, all_of_it)

    def test_a_run_leaves_the_lock(self):
        products = "".join(f"a{i + 1} = MatMul(a{i}, x) " for i in range(40))
        model = compile("net (float[512, 512] x) => (float[512, 512] y) "
                        f"{{ a0 = Relu(x) {products} y = Relu(a40) }}")
        x = np.eye(512, dtype=np.float32)
        thread = threading.Thread(
            target=lambda: [model.context(threads=1)(x) for _ in range(5)])
        count = 0
        thread.start()
        while thread.is_alive():
            count += 1
        thread.join()
        # A run that held it would let this loop turn some five times.
        self.assertGreater(count, 1000)

    def test_copies_that_are_asked_for(self):
        wrong = self.x.astype(np.float64).T.copy().T
        np.testing.assert_array_equal(
            self.model(wrong, [1, 1, 1], copy=True)[0], self.x + 1)
        y = self.model.run({"x": wrong, "b": self.b}, copy=True)["y"]
        np.testing.assert_array_equal(y, self.x + 1)
        with self.assertRaises(TypeError):
            self.model(self.x, self.b, colour=True)


class States(unittest.TestCase):
    def test_what_grows(self):
        model = compile(SUMS, states={"old": "all"})
        state = model.state(capacity=2)
        self.assertEqual((state.names, [v.name for v in state.inputs],
                          [v.name for v in state.outputs]),
                         (("old",), ["x"], ["y"]))
        x = np.array([[1, 2]], np.float32)
        for i in range(1, 6):
            np.testing.assert_array_equal(state(x)[0], i * x[0])
        self.assertEqual(state["old"].tolist(), [[1, 2]] * 5)
        state.truncate(1)
        self.assertEqual(state.run({"x": x})["y"].tolist(), [2, 4])
        state["old"] = 3 * x
        self.assertEqual(state(x)[0].tolist(), [4, 8])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state.safetensors")
            state.save(path)
            state.reset()
            self.assertEqual(state["old"].shape, (0, 2))
            state.load(path)
            self.assertEqual(state["old"].tolist(), [[3, 6], [1, 2]])
            with self.assertRaisesRegex(tenon.Error, "nowhere"):
                state.load(os.path.join(folder, "nowhere"))
        with self.assertRaises(tenon.Error):
            state.truncate(7)
        with self.assertRaisesRegex(KeyError, "no state 'new'"):
            state["new"]

    def test_a_run_while_a_value_is_opened(self):
        state = compile(SUMS, states={"old": "all"}).state()
        x = np.ones((1, 2), np.float32)
        inside, done = threading.Event(), threading.Event()

        class Waiting:
            def __dlpack__(self, **options):
                inside.set()
                done.wait()
                return x.__dlpack__()

        class Starting:
            def __dlpack__(self, **options):
                thread.start()
                inside.wait()
                return x.__dlpack__()

        thread = threading.Thread(target=state, args=(Waiting(),))
        with self.assertRaisesRegex(RuntimeError, "another thread runs"):
            state["old"] = Starting()
        done.set()
        thread.join()
        self.assertEqual(state["old"].tolist(), [[1, 1]])

    def test_what_is_full(self):
        state = compile(SUMS, states={"old": "all"}).state(capacity=1,
                                                          max_capacity=1)
        x = np.ones((1, 2), np.float32)
        state(x)
        with self.assertRaises(tenon.Error) as raised:
            state(x)
        self.assertEqual(raised.exception.code, "TN0010")
        self.assertEqual(state["old"].tolist(), [[1, 1]])

    def test_parameters_that_are_trained(self):
        model = compile("net (float[2, 2] x) => (float[2, 1] y) "
                        "<float[2, 1] w = {0, 0}> { y = MatMul(x, w) }",
                        options=["--train", "--loss=mse(y, t)",
                                 "--optimizer=sgd"])
        state = model.state()
        x, t = np.eye(2, dtype=np.float32), np.ones((2, 1), np.float32)
        feeds = {value.name: {"x": x, "t": t}.get(
            value.name, np.full(value.shape, 0.5, value.dtype))
            for value in state.inputs}
        losses = [sum(np.sum(each) for name, each in state.run(feeds).items()
                      if "loss" in name) for _ in range(20)]
        self.assertLess(losses[-1], losses[0] / 10)
        self.assertGreater(state["w"].min(), 0.5)

    def test_none(self):
        with self.assertRaisesRegex(ValueError, "no states"):
            compile(ADD).state()


class Types(unittest.TestCase):
    def test_halves_without_a_buffer(self):
        for number, name in (16, "bfloat16"), (17, "float8_e4m3fn"), \
                (19, "float8_e5m2"):
            dtype = np.dtype(getattr(ml_dtypes, name))
            kind = name.replace("float8_", "float8")
            model = compile(f"net ({kind}[2, 3] x) => (float[2, 3] y, "
                            f"{kind}[2, 3] z) {{ y = Cast<to = 1>(x) "
                            f"z = Cast<to = {number}>(y) }}")
            x = np.arange(6).reshape(2, 3).astype(dtype)
            y, z = model(x)
            self.assertEqual(y.tolist(), x.astype(np.float32).tolist())
            self.assertEqual(z.dtype, dtype)
            self.assertEqual(z.tolist(), x.tolist())
            with self.assertRaisesRegex(TypeError, "'x': .*not C-contiguous"):
                model(x.T.copy().T)
            given = np.zeros((2, 3), dtype)
            outputs = [np.zeros((2, 3), np.float32), given]
            self.assertIs(model.context(outputs=outputs)(x)[1], given)
            self.assertEqual(given.tolist(), x.tolist())

    def test_less_than_a_byte(self):
        for number, name in (22, "int4"), (21, "uint4"):
            dtype = np.dtype(getattr(ml_dtypes, name))
            model = compile(f"net ({name}[5] x) => (float[5] y, {name}[5] z) "
                            f"{{ y = Cast<to = 1>(x) z = Cast<to = {number}>(y) }}")
            x = np.array([1, 7, 3, 0, -8 if name == "int4" else 15]).astype(dtype)
            y, z = model(x)
            self.assertEqual(y.tolist(), x.astype(np.float32).tolist())
            self.assertEqual(z.dtype, dtype)
            self.assertEqual(z.astype(int).tolist(), x.astype(int).tolist())


class Sessions(unittest.TestCase):
    def test_as_onnx_runtime(self):
        options = tenon.SessionOptions()
        options.intra_op_num_threads = 1
        model = compile(ADD)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.onnxtxt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(HEADER + ADD)
            saved = os.path.join(folder, "net.tenon")
            model.save(saved)
            for source in path, saved, bytes(memoryview(model._source)):
                session = tenon.InferenceSession(
                    source, options, providers=["CPUExecutionProvider"])
                self.check(session)
        with self.assertRaises(tenon.Error):
            tenon.InferenceSession(b"no model")

    def check(self, session):
        first = session.get_inputs()[0]
        self.assertEqual((first.name, first.shape, first.type),
                         ("x", ["batch", 3], "tensor(float)"))
        x, b = np.ones((4, 3), np.float32), np.ones((3, 2), np.float32)
        y, = session.run(None, {"x": x, "b": b[:, 0]})
        self.assertEqual(y.tolist(), [[2] * 3] * 4)
        self.assertEqual(len(session.run(["y"], {"x": x, "b": b[:, 0]})), 1)
        with self.assertRaisesRegex(ValueError, "no output 'z'"):
            session.run(["z"], {"x": x, "b": b[:, 0]})
        self.assertEqual(session.get_outputs()[0].name, "y")


NEEDS_WEIGHTS = ('net (float[1] x) => (float[1] y) <float[1] w = ["location": '
                 '"w"]> { y = Add(x, w) }')


def signal_child(number):
    """Called with the compiler's process waiting for an answer."""
    tasks = f"/proc/self/task/{threading.get_native_id()}/children"
    with open(tasks, encoding="ascii") as file:
        os.kill(int(file.read().split()[0]), number)
    return bytes(4)


class Isolation(unittest.TestCase):
    def test_same_bytes(self):
        one, other = compile(ADD), compile(ADD, isolate=False)
        self.assertEqual(bytes(memoryview(one._source)),
                         bytes(memoryview(other._source)))

    def test_a_compiler_that_is_killed(self):
        with self.assertRaisesRegex(tenon.Error, "signal 9") as raised:
            compile(NEEDS_WEIGHTS, external=lambda location: signal_child(9))
        self.assertEqual(raised.exception.code, "TN0016")

    def test_ctrl_c(self):
        """While the compiler does not answer."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)

        def stop(location):
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            return signal_child(signal.SIGSTOP)

        try:
            with self.assertRaises(KeyboardInterrupt):
                compile(NEEDS_WEIGHTS, external=stop)
        finally:
            signal.signal(signal.SIGINT, before)


if __name__ == "__main__":
    unittest.main()
