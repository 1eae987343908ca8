"""Layered layout of a graph, mirrored between forward and backward.

A blueprint is found once for a graph; a scene is composed of it for the groups that are open.

tree       the graph as items in containers
ranks      the row of every item; gradient and forward op share one
leaves     far uses of one tensor as small tags
nest       the order of the items of every container (order), and their blocks (place)
sides      on which side of the spine leaves, ports and wires stand
blueprint  all of this for one graph
compose    rows, places and frames for what is open
route      wires in gaps and corridors
labels     the words on wires where they have room
scene      the picture as plain data
fold       which nodes are seen when some groups are open, for those who draw otherwise
"""
