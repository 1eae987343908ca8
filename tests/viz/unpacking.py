"""The trees of a packed book (a page's data), read as a page reads them."""

from typing import Any

from viz.player.pack import BOX, HOLE, WIRE


def read(book: dict[str, Any], part: list[Any], graph: int = 0) -> Any:
    """Return the tree of a part, with its own content in the slots."""
    root, own, numbers, moves = [*part, *([], 0, 0)[len(part) - 1 :]]
    content = iter(own)
    told, distances = (
        iter(book["rows"][row].split(" ") if row else ()) for row in (numbers, moves)
    )
    drawn = book["graphs"][graph]["graph"]
    ids = {BOX: drawn["ids"], WIRE: drawn["wire_ids"]}
    places = dict.fromkeys(ids, 0)

    def tree(cell: Any) -> Any:
        if cell is None or isinstance(cell, bool):
            return cell
        if isinstance(cell, str):
            return int(cell)
        if not cell:
            return next(content)
        if isinstance(cell, int) and cell < 0:
            places[cell] += int(next(distances))
            return ids[cell][places[cell]]
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
