"""What follows from other numbers, and from which: the records of a trace, computed once more.

revive        ops and attributes as kernels take them, out of a document
datum          arrays of such a computation, and what is known of them
replay        every value of a trace from the leaves, by kernels and gradient rules of the engine
kinks         where rounding may have decided about it
constants     the numbers that ops are called with beside tensors, by name
called_with   such numbers as the kernels are handed whose calls are noted for a page
programs      the same of the runs of Programs
numbers       with which it walks: those that were recorded, and others
what_if       names of leaves, and the document of the trace that follows
instructions  what the page's small machine runs, `player/web/whatif/machine.js`
listing       the NumPy calls of kernels and rules as such instructions
chapters      the instructions of a whole trace, cut into those of each chapter
program       the walk that is noted for a page, and what of it travels

linear_maps     what a box of a backward pass does to gradients, run both ways
gradient_flow   a backward pass as boxes, and the gradients that go between them
gradient_paths  one element of a gradient, split over its paths
"""
