"""What-if: the records of a trace, computed once more from other numbers.

revive        ops and attributes as kernels take them, out of a document
datum         a value of a replay, and what is known of it
replay        every value of a trace from its leaves, by the engine's kernels and rules
programs      runs of Programs in a replay
kinks         values that rounding may have decided
numbers       the numbers of a replay: the recorded ones, or others
constants     the numbers that ops are called with beside tensors, by name
what_if       names of leaves, and the document of the new trace
instructions  instructions of the page's machine, `player/web/whatif/machine.js`
listing       NumPy calls of kernels and rules as such instructions
called_with   constants in the kernels whose calls are noted for a page
chapters      the instructions of a whole trace, cut into chapters
program       the replay that is noted for a page, and its payload
"""
