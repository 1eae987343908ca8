"""Layered layout of a graph, mirrored between forward and backward.

A blueprint is computed once for a graph; a scene is composed from it for the groups that are open.

tree       the graph as items in containers
ranks      the row of every item; gradient and forward op share one
leaves     small tags in place of wires to far uses of a tensor
nest       the order of items in every container (order), and their blocks (place)
sides      the side of the spine on which leaves, ports and wires are placed
blueprint  all of this for one graph
compose    rows, places and frames for the open groups
route      wires in gaps and corridors
labels     labels of wires, placed where they have room
scene      the picture as plain data
fold       the nodes that are visible when some groups are open, for other kinds of drawings
"""
