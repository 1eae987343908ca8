"""The sizes that all versions of a case share."""

SIZES = (16, 32, 32, 4)  # of the small network
BATCH = 16
WIDE = (784, 256, 10)  # of a network for 28 x 28 images
WIDE_BATCH = 128
CHAIN = 10  # rounds of four ops; with the sum at the end 41
