"""Run the cases on two ranks of real Paddle, and record their answers:

    <a Python with Paddle> -m paddle.distributed.launch --nproc_per_node 2 \\
        tests/distributed/record_data_parallel.py
"""

import json
import sys
from pathlib import Path

import paddle

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

if __name__ == "__main__":
    from data_parallel_cases import answers

    paddle.set_device("cpu")
    given = answers(paddle)
    everything = []
    paddle.distributed.all_gather_object(everything, given)
    if paddle.distributed.get_rank() == 0:
        rows = [
            f" {json.dumps(name)}: {json.dumps([each[name] for each in everything])}"
            for name in given
        ]
        text = "{\n" + ",\n".join(rows) + "\n}\n"
        (HERE / "data_parallel.json").write_text(text, encoding="utf-8")
