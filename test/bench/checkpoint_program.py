# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random training programs in the text form of lib/Checkpoint/Text.h, and
Checkmate's integer programme for them."""

BANDWIDTH, LAUNCH = 12000, 2  # bytes a microsecond, microseconds
UNIT = 1 << 20                # bytes of the programme's memory
SIZES = [1, 2, 3, 4, 6, 8, 12, 16]


class Program:
    """Values are (name, bytes, operands or None, microseconds), steps (name,
    microseconds, reads, writes); values and reads by number."""

    def __init__(self):
        self.values, self.steps, self.loss = [], [], 0

    def value(self, name, size, operands=None, time=0):
        self.values.append((name, size, operands, time))
        return len(self.values) - 1

    def text(self):
        def names(numbers):
            return " ".join(self.values[n][0] for n in numbers)

        lines = [f"machine {BANDWIDTH} {LAUNCH}"]
        lines += [f"value {v[0]} {v[1]}" for v in self.values]
        lines += [f"node {s[0]} {s[1]:.6f} : {names(s[2])} -> {names(s[3])}"
                  for s in self.steps]
        lines += [f"recipe {v[0]} {v[3]:.6f} : {names(v[2])}"
                  for v in self.values if v[2] is not None]
        lines.append(f"loss {self.steps[self.loss][0]}")
        return "\n".join(lines) + "\n"


def draw(random, operations):
    """Contractions and element-wise operations, the loss, their gradients."""
    program, inputs, heavy = Program(), [], []

    def time(size):
        factor = random.uniform(3, 40) if random.random() < .45 else \
            random.uniform(.1, 1.2)
        return size / BANDWIDTH * factor

    for i in range(operations):
        operands = set()
        if i:
            operands.add(i - 1 if random.random() < .7 else
                         random.randrange(i))
        if i > 1 and random.random() < .35:
            operands.add(random.randrange(i))
        size = random.choice(SIZES) << 20
        took = time(size)
        inputs.append(sorted(operands))
        heavy.append(took > size / BANDWIDTH * 2)
        program.value(f"f{i}", size, inputs[i], took)
        program.steps.append((f"f{i}", took, inputs[i], [i]))
    program.loss = operations - 1
    gradients = {}
    for i in range(operations):
        if not any(i in operands for operands in inputs):
            size = program.values[i][1]
            gradients[i] = program.value(f"l{i}", size)
            program.steps.append((f"l{i}", size / BANDWIDTH / 5, [i],
                                  [gradients[i]]))
    for i in reversed(range(operations)):
        reads = {gradients[i]}
        reads |= {j for j in inputs[i] if heavy[i] or random.random() < .6}
        if not heavy[i] and random.random() < .6:
            reads.add(i)
        writes = []
        for j in inputs[i]:
            if j in gradients:
                reads.add(gradients[j])
            gradients[j] = program.value(f"b{i}_{j}", program.values[j][1])
            writes.append(gradients[j])
        program.steps.append((f"b{i}", time(program.values[i][1]),
                              sorted(reads), writes))
    return program


def cost(time, size):
    return max(time, size / BANDWIDTH) + LAUNCH


class Programme:
    """The least time within a budget, as text of the LP format. Stage t is what
    runs before step t, then the step:

      r_t_v  v is computed again in stage t
      s_t_v  v is in memory when stage t begins
      a_t_v_k  v is in memory while event k of the stage runs: clone k, or the
               step, which comes last
      c_t    the time of step t"""

    def __init__(self, program, budget):
        self.program, self.budget = program, budget
        self.births = {v: t for t, step in enumerate(program.steps)
                       for v in step[3]}
        self.rows, self.binaries, self.objective = [], [], []

    def again(self, t, v):
        return self.program.values[v][2] is not None and self.births[v] < t

    def there(self, t, v):
        return self.births[v] < t < len(self.program.steps)

    def row(self, terms, least):
        """The sum of (factor, variable) is at least so much; variables that are
        None are zero."""
        terms = [(f, x) for f, x in terms if x]
        if terms or least > 0:
            text = " ".join(f"{f:+.9g} {x}" for f, x in terms)
            self.rows.append(f"{text} >= {least:.9g}")

    def r(self, t, v):
        return f"r_{t}_{v}" if self.again(t, v) else None

    def s(self, t, v):
        return f"s_{t}_{v}" if self.there(t, v) else None

    def stage(self, t):
        _, time, reads, writes = self.program.steps[t]
        values = self.program.values
        clones = [v for v in range(len(values)) if self.again(t, v)]
        for v in range(len(values)):
            if self.there(t, v):
                self.binaries.append(self.s(t, v))
            if self.there(t + 1, v) and v not in writes:
                self.row([(1, self.s(t, v)), (1, self.r(t, v)),
                          (-1, self.s(t + 1, v))], 0)
        for v in reads:
            self.row([(1, self.s(t, v)), (1, self.r(t, v))], 1)
        for v in clones:
            size = values[v][1] + sum(values[u][1] for u in values[v][2])
            self.objective.append((cost(values[v][3], size), self.r(t, v)))
            self.binaries.append(self.r(t, v))
            self.row([(-1, self.r(t, v)), (-1, self.s(t, v))], -1)
            for u in values[v][2]:
                self.row([(1, self.s(t, u)), (1, self.r(t, u)),
                          (-1, self.r(t, v))], 0)
        base = sum(values[v][1] for v in reads) / BANDWIDTH + LAUNCH
        self.objective.append((1, f"c_{t}"))
        self.row([(1, f"c_{t}")], time + LAUNCH)
        self.row([(1, f"c_{t}")] + [(-values[v][1] / BANDWIDTH,
                                     self.s(t + 1, v)) for v in writes], base)
        self.lives(t, clones)

    def lives(self, t, clones):
        _, _, reads, writes = self.program.steps[t]
        values = self.program.values
        end = len(values)  # the step's event
        users = {v: [k for k in clones if v in values[k][2]] +
                 ([end] if v in reads else []) for v in range(end)}
        for k in clones + [end]:
            bytes_at = []
            for v in range(end):
                if self.births[v] >= t:
                    continue
                a = f"a_{t}_{v}_{k}"
                bytes_at.append((-values[v][1] / UNIT, a))
                later = [(1, self.s(t + 1, v))]
                later += [(1, "one") if u == end else (1, self.r(t, u))
                          for u in users[v] if u >= k]
                if k == v:
                    later.append((1, self.r(t, v)))
                for _, x in later:
                    if not x:
                        continue
                    made = k >= v and self.r(t, v)
                    self.row([(1, a), (-1, x), (-1, self.s(t, v))] +
                             ([(-1, self.r(t, v))] if made else []), -1)
            if k == end:
                bytes_at += [(-values[w][1] / UNIT, self.s(t + 1, w))
                             for w in writes]
            self.row(bytes_at, -self.budget / UNIT)

    def text(self):
        for t in range(len(self.program.steps)):
            self.stage(t)
        terms = " ".join(f"{f:+.9g} {x}" for f, x in self.objective)
        return "\n".join(
            ["Minimize", f" obj: {terms}", "Subject To", " one = 1"] +
            [f" {row}" for row in self.rows] +
            ["Binary"] + [f" {x}" for x in self.binaries] + ["End", ""])
