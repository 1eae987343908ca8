"""Rank of `spawn`: `python -m minipaddle.distributed.spawned FOLDER`.

It first restores the state of the program that called spawn (`sys.path`, the working folder, its
main module by another name), as processes of multiprocessing do; then it calls the function.
"""

from __future__ import annotations

import pickle
import sys
from multiprocessing.spawn import prepare
from pathlib import Path

from .groups import rank_and_size
from .launch_rank import run_rank
from .spawning import CALL, RESULT


def main(folder: Path) -> int:
    """Call the function, and write its result into the folder."""
    state, call, arguments = pickle.loads((folder / CALL).read_bytes())
    prepare(state)
    try:
        result = pickle.loads(call)(*pickle.loads(arguments))
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else leaving.code is not None
    file = folder / RESULT.format(rank_and_size()[0])
    partial = file.with_suffix(".partial")  # a rank that is killed while it writes has no result
    partial.write_bytes(pickle.dumps(result))
    partial.replace(file)
    return 0


if __name__ == "__main__":
    run_rank(lambda: main(Path(sys.argv[1])))
