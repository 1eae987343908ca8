"""One rank of `spawn`: `python -m minipaddle.distributed.spawned FOLDER`.

It makes itself such as the program that called spawn (`sys.path`, the working folder, its main
module by another name), as processes of multiprocessing do, then finds the function and calls it.
"""

from __future__ import annotations

import pickle
import sys
from multiprocessing.spawn import prepare
from pathlib import Path

from .groups import started_with
from .launch_rank import work
from .spawning import CALL, RESULT


def main(folder: Path) -> int:
    """Call the function, and leave what it gives in the folder."""
    here, call, arguments = pickle.loads((folder / CALL).read_bytes())
    prepare(here)
    try:
        result = pickle.loads(call)(*pickle.loads(arguments))
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else leaving.code is not None
    (folder / RESULT.format(started_with()[0])).write_bytes(pickle.dumps(result))
    return 0


if __name__ == "__main__":
    work(lambda: main(Path(sys.argv[1])))
