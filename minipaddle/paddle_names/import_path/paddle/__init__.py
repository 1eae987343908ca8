"""Package that `import paddle` finds in worker processes of a script under `minipaddle run`.

A spawned process gets the `sys.path` of the one that started it and nothing else of its modules,
so the folder above is put there.
"""

from minipaddle.paddle_names.import_alias import stay_paddle

stay_paddle()
