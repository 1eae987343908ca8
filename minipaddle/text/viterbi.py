"""The Viterbi algorithm, in ops that a recording shows."""

from __future__ import annotations

from typing import Any

from ..engine import modes
from ..engine.errors import ModeError
from ..engine.grad_mode import no_grad
from ..errors import require, wrong_mode
from ..messages import Message
from ..nn import Layer
from ..ops import catalog


def viterbi_decode(
    potentials: Any,
    transition_params: Any,
    lengths: Any,
    include_bos_eos_tag: bool = True,
    name: str | None = None,  # noqa: ARG001
) -> tuple[Any, Any]:
    """Return the score of the best sequence of tags for each row, and these tags.

    A sequence scores the potentials of its tags and the transitions between neighbours. With
    include_bos_eos_tag the last row of transition_params leads from the start to the first tag,
    the last but one from the last tag to the end. Source: Paddle's `paddle.text.viterbi_decode`.

    Shapes: potentials [batch, steps, tags], transition_params [tags, tags], lengths [batch];
    scores [batch], tags [batch, longest], 0 behind the end. Dtypes: float32, float64; lengths
    int64. Errors: ValueError for others; AssertionError in static mode.

    >>> import minipaddle as paddle
    >>> potentials = paddle.to_tensor([[[1.0, 0.0], [0.0, 2.0]]])
    >>> scores, tags = paddle.text.viterbi_decode(
    ...     potentials, paddle.zeros([2, 2]), paddle.to_tensor([2]), include_bos_eos_tag=False)
    >>> scores.tolist(), tags.tolist()
    ([3.0], [[0, 1]])
    """
    if modes.is_static():
        what, fix = "viterbi_decode() runs in dynamic mode.", "call paddle.disable_static() first"
        raise wrong_mode(what, wanted="dynamic", fix=fix, kind=ModeError)
    longest, where = _check(potentials, transition_params, lengths), catalog.find("where").call
    with no_grad():
        scores, before = potentials[:, 0], []
        if include_bos_eos_tag:
            scores = scores + transition_params[-1]
        for step in range(1, longest):
            ways = scores.unsqueeze(2) + transition_params  # [batch, from, to]
            before.append(ways.argmax(axis=1))
            going = (lengths > step).unsqueeze(1)
            scores = where(going, ways.max(axis=1) + potentials[:, step], scores)
        if include_bos_eos_tag:
            scores = scores + transition_params[-2]
        tag = scores.argmax(axis=1)
        tags = []
        for step in reversed(range(longest)):
            going = lengths > step
            tags.append(where(going, tag, tag * 0))
            if step:
                came = before[step - 1].take_along_axis(tag.unsqueeze(1), axis=1)
                tag = where(going, came.squeeze(1), tag)
        return scores.max(axis=1), catalog.find("stack").call(tags[::-1], axis=1)


def _check(potentials: Any, transition_params: Any, lengths: Any) -> int:
    """Raise an error for arguments that do not fit; return the largest length."""
    given = {"potentials": potentials, "transition_params": transition_params, "lengths": lengths}
    batch, steps, tags = [*potentials.shape, 0, 0, 0][:3]
    good = potentials.ndim == 3 and list(transition_params.shape) == [tags, tags]
    good = good and list(lengths.shape) == [batch] and lengths.dtype.name == "int64"
    expected = "potentials [batch, steps, tags], [tags, tags], int64 lengths [batch]"
    require(good, "viterbi_decode", expected, **given)
    longest, bounds = int(lengths.max()), Message("lengths from 1 to the number of steps")
    good, given = longest <= steps, {"lengths": lengths.tolist(), "steps": steps}
    require(good and lengths.min() >= 1, "viterbi_decode", bounds, **given)
    return longest


class ViterbiDecoder(Layer):
    """Layer that computes `viterbi_decode` with its transitions.

    Source: Paddle's `paddle.text.ViterbiDecoder`.

    Shapes and dtypes: those of `viterbi_decode`. Errors: ValueError if they do not fit.

    >>> import minipaddle as paddle
    >>> decode = paddle.text.ViterbiDecoder(paddle.zeros([2, 2]), include_bos_eos_tag=False)
    >>> scores, tags = decode(paddle.to_tensor([[[1.0, 0.0], [0.0, 2.0]]]), paddle.to_tensor([2]))
    >>> tags.tolist()
    [[0, 1]]
    """

    def __init__(
        self, transitions: Any, include_bos_eos_tag: bool = True, name: str | None = None
    ) -> None:
        super().__init__()
        self.transitions, self.include_bos_eos_tag = transitions, include_bos_eos_tag
        self.name = name

    def forward(self, potentials: Any, lengths: Any) -> tuple[Any, Any]:
        return viterbi_decode(potentials, self.transitions, lengths, self.include_bos_eos_tag)
