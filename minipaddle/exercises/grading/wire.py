"""Messages through a socket: four bytes of length, then so many bytes."""

from __future__ import annotations

import socket
import struct

LENGTH = struct.Struct(">I")
MOST = 64 * 2**20  # bytes of a message


def send(to: socket.socket, message: bytes) -> None:
    """Send a message."""
    to.sendall(LENGTH.pack(len(message)) + message)


def receive(of: socket.socket) -> bytes:
    """Return the next message; EOFError if the other side has ended."""
    [length] = LENGTH.unpack(exactly(of, LENGTH.size))
    if length > MOST:
        raise ValueError("a message that is too long")
    return exactly(of, length)


def exactly(of: socket.socket, count: int) -> bytes:
    """Return so many bytes."""
    parts = bytearray()
    while len(parts) < count:
        part = of.recv(min(count - len(parts), 2**20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
