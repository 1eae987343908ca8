"""The trees of a packed book, read as a page reads them."""

from __future__ import annotations

from typing import Any

from viz.player.pack import HOLE


def read(book: dict[str, Any], part: list[Any]) -> Any:
    """Return the tree of a part, with its own content in the holes."""
    root, own, numbers = [*part, [], ""][:3] if len(part) < 3 else part
    content = iter(own)
    told = iter(book["rows"][int(numbers, 16)].split(" ") if numbers else ())

    def tree(cell: Any) -> Any:
        if not isinstance(cell, str):
            return cell
        if not cell:
            return next(content)
        row = book["rows"][int(cell, 16)]
        if isinstance(row, str):
            first, *rest = row.split(HOLE)
            return first + "".join(next(told) + each for each in rest)
        kind, *cells = row
        if kind == -1:
            return [tree(each) for each in cells]
        return {key: tree(each) for key, each in zip(book["keys"][kind], cells, strict=True)}

    return tree(root)
