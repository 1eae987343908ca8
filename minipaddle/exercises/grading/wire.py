"""Messages through a socket: four bytes with the length, then the bytes of the message."""

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
    [length] = LENGTH.unpack(receive_exactly(of, LENGTH.size))
    if length > MOST:
        raise ValueError("a message that is too long")
    return receive_exactly(of, length)


def receive_exactly(of: socket.socket, count: int) -> bytes:
    """Return exactly `count` bytes; EOFError if the other side has ended."""
    parts = bytearray()
    while len(parts) < count:
        part = of.recv(min(count - len(parts), 2**20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
