"""`python -m minipaddle.distributed.launch`: Paddle's name for `minipaddle launch`."""

from __future__ import annotations

import sys

from ..__main__ import main

if __name__ == "__main__":
    sys.exit(main(["launch", *sys.argv[1:]]))
