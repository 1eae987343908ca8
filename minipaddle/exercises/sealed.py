"""A solution that only a key opens: handed out with the exercise, read when the teacher says so.

The key is stretched by PBKDF2; SHAKE-256 of it and of a random salt covers the text, and an HMAC
tells a wrong key and a changed text.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os

from . import errors

MARK = "sealed:"
ROUNDS = 200_000  # about a tenth of a second for each guess
SALT, TAG = 16, 32


class NoKey(Exception):
    """The key does not open it, or it was changed."""


def seal(solution: str, key: str) -> str:
    """A solution that can be handed out: it is read with `show_solution(key)` alone.

    Errors: InvalidArgument for an empty key.

    >>> from minipaddle import exercises
    >>> exercises.seal("return 2 * x", "open sesame")[:7]
    'sealed:'
    """
    if not key:
        raise errors.no_key()
    salt, content = os.urandom(SALT), solution.encode("utf-8")
    covered = cover(content, key, salt)
    packed = salt + tag(covered, key, salt) + covered
    return MARK + base64.b64encode(packed).decode("ascii")


def is_sealed(solution: str) -> bool:
    """Whether a key is needed."""
    return solution.startswith(MARK)


def opened(solution: str, key: str) -> str:
    """The text; NoKey for another key than it was sealed with."""
    try:
        packed = base64.b64decode(solution.removeprefix(MARK), validate=True)
    except ValueError:
        raise NoKey from None
    salt, seen, covered = packed[:SALT], packed[SALT : SALT + TAG], packed[SALT + TAG :]
    if not hmac.compare_digest(seen, tag(covered, key, salt)):
        raise NoKey
    return cover(covered, key, salt).decode("utf-8")


def cover(content: bytes, key: str, salt: bytes) -> bytes:
    """Cover what is open, and open what is covered."""
    stream = hashlib.shake_256(b"text" + secret(key, salt)).digest(len(content))
    return bytes(a ^ b for a, b in zip(content, stream, strict=True))


def tag(covered: bytes, key: str, salt: bytes) -> bytes:
    """What shows that neither key nor text is another one."""
    return hmac.digest(b"tag" + secret(key, salt), salt + covered, "sha256")


def secret(key: str, salt: bytes) -> bytes:
    """The key, stretched."""
    return hashlib.pbkdf2_hmac("sha256", key.encode("utf-8"), salt, ROUNDS)
