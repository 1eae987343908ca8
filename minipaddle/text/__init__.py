"""`paddle.text`: the best path through tags, and data sets of texts from files on this machine."""

from __future__ import annotations

from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from .datasets import Imdb, Imikolov, UCIHousing
from .viterbi import ViterbiDecoder, viterbi_decode

__all__ = ["Imdb", "Imikolov", "UCIHousing", "ViterbiDecoder", "viterbi_decode"]

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
