"""Advice for important things that Paddle has and minipaddle has not."""

from __future__ import annotations

_STREAM = "leave it out: everything runs in order on one stream"
_FLOAT = "NumPy has no such type; use paddle.float32"
_FOLDER = (
    "unpack it, and read it with a Dataset of your own or paddle.vision.datasets.DatasetFolder"
)
_IMAGE = "read the image with paddle.vision.image_load(path)"
_PROGRAM = "paddle.save and paddle.load write and read a Program of forward operators"
_VALUES = "keep the values of a Program with paddle.static.save and load"

INSTEAD = {
    "paddle.Event": _STREAM,
    "paddle.Stream": _STREAM,
    "paddle.audio": "read the sound with NumPy or SciPy, then paddle.to_tensor(array)",
    "paddle.bfloat16": _FLOAT,
    "paddle.callbacks.WandbCallback": "write paddle.callbacks.VisualDL, or a Callback of your own",
    "paddle.device.Event": _STREAM,
    "paddle.device.Stream": _STREAM,
    "paddle.device.StreamContext": _STREAM,
    "paddle.device.cuda.Event": _STREAM,
    "paddle.device.cuda.Stream": _STREAM,
    "paddle.device.cuda.current_stream": _STREAM,
    "paddle.device.cuda.stream_guard": _STREAM,
    "paddle.device.current_stream": _STREAM,
    "paddle.device.get_stream_from_external": _STREAM,
    "paddle.device.is_current_stream_capturing": _STREAM,
    "paddle.device.set_stream": _STREAM,
    "paddle.device.stream_guard": _STREAM,
    "paddle.distributed.launch": "run a script: minipaddle launch --nproc_per_node 2 script.py",
    "paddle.float8_e4m3fn": _FLOAT,
    "paddle.float8_e5m2": _FLOAT,
    "paddle.hub": "define the layers here and load their weights with set_state_dict",
    "paddle.inference": "call the layer itself under paddle.no_grad()",
    "paddle.onnx": "keep the weights as NumPy arrays: layer.state_dict()",
    "paddle.profiler.export_protobuf": "write JSON: paddle.profiler.export_chrome_tracing(folder)",
    "paddle.quantization": "leave it out: everything is computed in the type that you choose",
    "paddle.signal": "cut the signal into frames, and transform them with paddle.fft.rfft",
    "paddle.sparse": "use dense tensors; paddle.to_tensor(matrix.toarray()) for one of SciPy's",
    "paddle.static.amp": "train in eager mode with paddle.amp.auto_cast, or with float32",
    "paddle.static.deserialize_persistables": _VALUES,
    "paddle.static.deserialize_program": _PROGRAM,
    "paddle.static.load_from_file": _VALUES,
    "paddle.static.normalize_program": "program.clone(for_test=True) has only what inference needs",
    "paddle.static.save_to_file": _VALUES,
    "paddle.static.serialize_persistables": _VALUES,
    "paddle.static.serialize_program": _PROGRAM,
    **dict.fromkeys(
        (
            "paddle.text.Conll05st",
            "paddle.text.Movielens",
            "paddle.text.WMT14",
            "paddle.text.WMT16",
        ),
        "read the files into a paddle.io.Dataset of your own",
    ),
    "paddle.utils.download": "download the file yourself: urllib.request.urlretrieve(url, name)",
    "paddle.vision.datasets.Flowers": _FOLDER,
    "paddle.vision.datasets.VOC2012": _FOLDER,
    "paddle.vision.ops.decode_jpeg": _IMAGE,
    "paddle.vision.ops.read_file": _IMAGE,
}

# Advice for the absent names of a module that have none of their own.
OF_MODULE = {
    "paddle.distributed.fleet": "write tensor parallelism as two PyLayers around all_reduce",
    "paddle.vision.models": "write it with paddle.nn, or use a network that is here: resnet50",
    "paddle.vision.transforms": "derive it from paddle.vision.transforms.BaseTransform",
}
