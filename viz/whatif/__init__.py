"""What-if: the records of a trace, computed once more from changed numbers.

revive        reads a document's ops and attributes as kernels take them
datum         a value of a replay: its array, and whether it moved or is stale
replay        computes every value of a trace from its leaves, by the engine's kernels and rules
programs      replays runs of Programs
kinks         marks values that rounding may have decided
numbers       provides the numbers of a replay: the recorded ones, or changed ones
constants     finds the numbers that ops are called with beside tensors, and names them
what_if       names the leaves, and writes the document of the changed trace
instructions  instructions of the page's machine, `player/web/whatif/machine.js`
listing       translates NumPy calls of kernels and rules into such instructions
called_with   constants in kernels whose calls are translated
chapters      cuts the instructions of a trace into chapters, parts of a trace with one graph
program       replays a trace for a page, and makes the page's payload
"""
