"""Random programs and damaged files, for cases that nobody thought of.

A program is a list of small statements, drawn and made smaller by hypothesis. It is written as
ordinary Paddle code (`programs`), and that very text runs here, recorded, in a Program, in threads,
or on real Paddle. A failure prints the text: paste it and run it.
"""
