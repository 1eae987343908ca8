"""Serve a folder on this machine."""

from __future__ import annotations

import functools
import http.server
import webbrowser
from pathlib import Path


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serve files without a log line for each."""

    extensions_map = {  # noqa: RUF012
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".whl": "application/zip",
    }

    def log_message(self, *_args: object) -> None:
        pass


def forever(folder: Path, port: int, *, open_browser: bool) -> None:
    """Serve until Ctrl-C."""
    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        print(f"{address}  (playground: {address}play/). Ctrl-C ends it.", flush=True)
        if open_browser:
            webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
