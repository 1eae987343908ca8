"""The sizes that all versions of a case share."""

SIZES = (16, 32, 32, 4)  # of the small network
BATCH = 16
WIDE = (784, 256, 10)  # of a network for 28 x 28 images
WIDE_BATCH = 128
CHAIN = 10  # rounds of four ops; with the sum at the end 41
PICTURES = (64, 1, 28, 28)  # what LeNet is given
MAPS, FILTERS = (16, 32, 28, 28), 64  # what the convolution with batch norm is given
SENTENCES = (16, 64, 64)  # batch, tokens, width
HEADS, INNER, LAYERS = 4, 128, 2  # of the transformer
VOCABULARY, IDS = (10000, 64), 4096  # of the embedding, and of the index
CLASSES = 10
