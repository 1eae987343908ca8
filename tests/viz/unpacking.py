"""The trees of a packed book (a page's data), read as a page reads them."""

from typing import Any

from viz.player.pack import HOLE


def read(book: dict[str, Any], part: list[Any]) -> Any:
    """Return the tree of a part, with its own content in the slots."""
    root, own, numbers = [*part, [], 0][:3] if len(part) < 3 else part
    content = iter(own)
    told = iter(book["rows"][numbers].split(" ") if numbers else ())

    def tree(cell: Any) -> Any:
        if cell is None or isinstance(cell, bool):
            return cell
        if isinstance(cell, str):
            return int(cell)
        if not cell:
            return next(content)
        row = cell if isinstance(cell, list) else book["rows"][cell]
        if isinstance(row, dict):
            return row["is"]
        if isinstance(row, str):
            first, *rest = row.split(HOLE)
            return first + "".join(next(told) + each for each in rest)
        kind, *cells = row
        if kind == -1:
            return [tree(each) for each in cells]
        return {key: tree(each) for key, each in zip(book["keys"][kind], cells, strict=True)}

    return tree(root)
