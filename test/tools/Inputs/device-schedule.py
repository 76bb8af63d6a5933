# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what a report says of a device's launches against itself:
device-schedule.py FILE.json [--waves] [--streams] for what has to be there."""
import json
import pathlib
import sys
import xml.dom.minidom

path = pathlib.Path(sys.argv[1])
report = json.loads(path.read_text())
schedule = report["schedule"]
assert bool(schedule["waves"]) == ("--waves" in sys.argv), schedule
assert (schedule["streams"] > 1) == ("--streams" in sys.argv), schedule

# One stream is the sum of its launches; what is less is saved by something.
waves = schedule["of_waves"]
launches = schedule["launches"]
alone = sum(launch["nanoseconds"] for launch in launches)
by_waves = sum(wave["nanoseconds_in_turn"] - wave["nanoseconds"] for wave in waves)
assert schedule["saved_by_waves"] == by_waves, schedule
assert alone + by_waves == schedule["nanoseconds_in_turn"], schedule
assert (
    schedule["nanoseconds_in_turn"] - schedule["nanoseconds"]
    == by_waves + schedule["saved_by_streams"]
), schedule
assert (schedule["saved_by_streams"] > 0) == ("--streams" in sys.argv), schedule

# Launches of one stream follow each other, none runs for less than alone.
ends = {}
for launch in launches:
    assert launch["begin"] >= ends.get(launch["stream"], 0), launch
    assert launch["end"] - launch["begin"] >= launch["nanoseconds"], launch
    ends[launch["stream"]] = launch["end"]
assert max(ends.values()) == schedule["nanoseconds"], schedule
assert len(ends) == schedule["streams"], schedule
numbers = [launch["wave"] for launch in launches if "wave" in launch]
assert numbers == list(range(1, len(waves) + 1)), schedule

front = [(point["nanoseconds"], point["peak_bytes"]) for point in schedule["front"]]
assert front and front[0][0] <= schedule["nanoseconds"], schedule
assert all(a[0] < b[0] and a[1] > b[1] for a, b in zip(front, front[1:])), front

for name, shape in ("schedule", "live"), ("front", "stairs"):
    file = path.with_suffix(f".{name}.svg")
    assert report[name + "_picture"] == file.name, report
    picture = file.read_text()
    xml.dom.minidom.parseString(picture.encode())
    assert f'class="{shape}"' in picture, picture
