# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast the cases of the operator benchmark are inside of their networks.

Alone, a case finds its scratch and its results where nobody has been for long,
and the first of its weights comes unasked. In a network launches before have
used the same memory and asked for what comes next, so that both times say
something: the one what a cold start costs, the other what users get."""

import compare
import operators_table

# ONNX Runtime's name of a product that took in a bias has it at the end.
FUSED = "/MatMulAddFusion"


def plain(names):
    return [name.removesuffix(FUSED) for name in names]


def anchors(cases, model):
    """The nodes of a model that may be what a kernel is built around."""
    return {name for case in cases if case.family != "elementwise"
            for names in case.uses.get(model, []) for name in plain(names)}


def time_of(nodes, launches, others):
    """Microseconds of the launches that compute `nodes`, or None if there are
    none, or none without some of `others`."""
    mine = [one for one in launches if nodes & one["nodes"]]
    if any(one["nodes"] & others - nodes for one in mine):
        return None
    # What computes nothing changes layouts, as when measured alone.
    mine = [one for one in mine if one["flops"]]
    if nodes & others - {name for one in mine for name in one["nodes"]}:
        return None
    return sum(one["us"] for one in mine) or None


def fastest(case, launches, others):
    """Of all places of a case in its networks, or None."""
    times = [time_of(set(plain(names)), launches[model], others[model])
             for model, places in case.uses.items() if model in launches
             for names in places]
    return min((time for time in times if time), default=None)


def launches_of(model, options):
    """The launches of a model; RuntimeError if it does not compile or run."""
    artifact, _ = compare.compile_model(options, model)
    result = compare.child(options, "launches", model, artifact,
                           options.threads, ["tenon"])
    if "failure" in result:
        raise RuntimeError(result["failure"])
    return [{**one, "nodes": set(one["nodes"])} for one in result["launches"]]


class Networks:
    """The launches of all models, measured once."""

    def __init__(self, chosen, cases, options, tally):
        self.launches, self.others = {}, {}
        for number, model in enumerate(chosen, 1):
            print(f"network {number} of {len(chosen)}: {model.name}",
                  flush=True)
            try:
                self.launches[model.name] = launches_of(model, options)
            except RuntimeError as error:
                tally.note(False, model.name, error)
            self.others[model.name] = anchors(cases, model.name)

    def add_to(self, rows, cases):
        """Sets `network_us` of each row, "" where it was not found."""
        by_name = {case.name: case for case in cases}
        for row in rows:
            row["network_us"] = fastest(by_name[row["name"]], self.launches,
                                        self.others) or ""


def in_network(row):
    """A row with what its kernels reach of the roof in a network."""
    slower = row["network_us"] / row["kernel_us"]
    return {**row, "kernel_us": row["network_us"],
            "of_peak": row["of_peak"] / slower,
            "of_read": row["of_read"] / slower}


def text(rows):
    """How the rows that are found in networks stand there."""
    found = [in_network(row) for row in rows if row["network_us"]]
    if not found:
        return "none found in networks"
    return "\n".join([f"\nIn networks {len(found)} of them were found; "
                      f"{operators_table.roof_text(found)}",
                      *operators_table.weak_text(found)])
