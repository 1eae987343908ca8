"""Read what a page of the player carries."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any


def payload_in(page: str) -> Any:
    """Return the payload of an offline page, which travels deflated."""
    found = re.search(r'inflated\("([^"]*)"\)', page)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))
