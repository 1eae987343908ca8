"""The engine on a device: a strict stand-in for CuPy, and what it is made from.

The stand-in is `minipaddle.testing.stand_in`: NumPy's arithmetic behind arrays that refuse implicit
copies, with the names and arguments of `cupy.json` alone; `record.py` makes that file from CuPy
itself, without a GPU.

test_records  every op record gives the same bits there as on the host, so a new one is covered
worlds.TWICE  the tests that run there a second time; `--device strict` or `gpu` runs more of them,
              and a test about the host's memory says `@pytest.mark.host("why")`
test_names    which of CuPy's names the kernels use, read in the source
test_pretend  the same for users, who see its copies counted
test_gpu      what a stand-in cannot show: the numbers that a GPU computes

Nor can it show which of several values written to one place stays, and whether a singular matrix
is an error: that is CuPy's setting (`cupyx.errstate(linalg=...)`).
"""
