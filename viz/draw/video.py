"""A trace as a film: the frames of the GIF in all their colours, written by ffmpeg.

The program ffmpeg comes with imageio-ffmpeg, which is imported only when a film is written. Each
step is repeated for about a second, so that players can seek; equal frames take hardly any room.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from minipaddle.engine.errors import External, NotFound
from minipaddle.engine.install_advice import EXTRAS, pip_install

from .film_strip import Filmed
from .form import PLAIN, Form
from .frames import Stage
from .gif import paintings_of, scale_of

CODECS = {
    ".mp4": ("libx264", "-crf", "18", "-movflags", "+faststart"),
    ".webm": ("libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "realtime"),
}
FRAMES = 4000  # maximum number of steps, an hour and a half
RATE = 5  # frames in a second
FLUENT = 20  # frames in a second if values move


def video(
    trace: Filmed,
    ending: str,
    steps: Sequence[int] | None = None,
    lang: str = "en",
    color_by: str = "",
    form: Form = PLAIN,
    *,
    seconds: float = 1.2,
    scale: float = 1.5,
) -> bytes:
    """Return the steps as an .mp4 or .webm; the last step stays three times as long.

    Raise NotFound if imageio-ffmpeg is not installed.
    """
    program = ffmpeg()
    paintings = paintings_of(trace, steps, lang, color_by, form, FRAMES)
    stage = Stage(scale_of(paintings, scale), form.colours)
    width, height = (
        side // 2 * 2 for side in stage.draw(paintings[0]).size
    )  # codecs want even sides

    rate = FLUENT if any(painting.brief for painting in paintings) else RATE

    def frames() -> Iterator[bytes]:
        for k, painting in enumerate(paintings):
            frame = stage.draw(painting).crop((0, 0, width, height)).tobytes()
            long = round(seconds * rate) * (3 if k == len(paintings) - 1 else 1)
            for _ in range(1 if painting.brief else long):
                yield frame

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"film{ending}"
        frame = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{rate}"]
        coded = ["-c:v", *CODECS[ending], "-pix_fmt", "yuv420p", str(path)]
        command = [program, "-loglevel", "error", *frame, "-i", "-", *coded]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        ) as running:
            said = _send_frames(running, frames())
        if running.returncode:
            raise External(
                "ffmpeg could not write this film.",
                expected=f"{len(paintings)} steps of {width} x {height} pixels as {ending}",
                received=said or f"its status {running.returncode}",
                fix="save as .gif",
            )
        return path.read_bytes()


def _send_frames(running: subprocess.Popen[bytes], frames: Iterator[bytes]) -> str:
    """Send the frames to a program; return what it wrote to stderr."""
    assert running.stdin is not None
    try:
        for frame in frames:
            running.stdin.write(frame)
    except BrokenPipeError:
        pass  # the program ended early; stderr says why
    except BaseException:
        running.kill()
        raise
    return running.communicate()[1].decode(errors="replace").strip()


def ffmpeg() -> str:
    """Return the path of ffmpeg; raise NotFound if imageio-ffmpeg is not installed."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe
    except ModuleNotFoundError:
        raise NotFound(
            "films are written by ffmpeg, which is not here.",
            expected="the package imageio-ffmpeg, which brings that program",
            received="no module imageio_ffmpeg",
            fix=f"{pip_install(EXTRAS['video'])}; or save as .gif, which needs nothing more",
        ) from None
    return str(get_ffmpeg_exe())
