"""The tests: one folder for each package or room, and some for what concerns all of them.

minipaddle ops nn optimizer io static device   the engine, on NumPy; with `--all` many of them on a
                                               strict stand-in for a GPU (`device/worlds.py`)
contract   what Paddle's documents promise for PyLayer and py_func
oracle     programs whose answers real Paddle gave: `cases/` are replayed against `recorded/`,
           which only `record.py` writes, with real Paddle
files data recorded files and tables of Paddle
viz        traces, stories, pictures: `programs.py` and `stories.py` are recorded, `graphs.py` are
           pictures by hand, `goldens/` says what all of them give, as text
browser    the player in Chromium; lessons, command_line   what their names say
architecture   who may import whom, and that the worked examples of the documents work
conftest.py    the two tiers, devices and Chromium
sealing.py     keeps tests apart: no test sees what another one left behind
each.py        `@each` runs many cases inside one test
samples.py     tensors and PyLayers that many tests begin with
mutants.py     deliberate faults in engine and viz: which does no test notice?
"""
