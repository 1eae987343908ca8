"""Distinct names of tensors: `x`, `x#2`, `x#3` where the code calls several tensors `x`.

Before that, `name_turns` names a tensor that each iteration of a loop assigns: `h[t=2]`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping
from types import MappingProxyType

from minipaddle.ops.expression import is_composite

NUMBER = re.compile(r"(\[\w+=[^][]*\])?(#\d+)?$")  # suffix `#2`, `[t=2]` or `[t=2]#2`


class OwnNames:
    """Names that no two tensors share; `known` maps (tensor, scope) to a name.

    >>> names = OwnNames()
    >>> names.give("x", 1), names.give("x", 2), names.give("x", 1), names.give("a × b", 3)
    ('x', 'x#2', 'x', 'a × b')
    >>> names.give("a × b", 4)
    '(a × b)#2'
    >>> names.give("ones", 5, "1"), names.give("ones", 6, "1"), names.give("ones", 7, "2")
    ('ones', 'ones', 'ones#2')
    """

    def __init__(self, known: Mapping[tuple[int, int], str] = MappingProxyType({})) -> None:
        self._owners: dict[str, Hashable] = {name: tensor for (tensor, _), name in known.items()}
        self._given: dict[tuple[str, int], str] = {}
        self._counts: Counter[str] = Counter()

    def give(self, name: str, tensor: int, content: Hashable = None) -> str:
        """Return the name, or the first numbered one that no other tensor has.

        Tensors of equal `content` share a name.
        """
        text, owner = self._given.get((name, tensor), name), content or tensor
        while self._owners.setdefault(text, owner) not in (owner, tensor):
            self._counts[name] += 1
            number = self._counts[name] + 1
            text = f"({name})#{number}" if is_composite(name) else f"{name}#{number}"
        self._given[name, tensor] = text
        return text

    def is_taken(self, name: str, tensor: int, content: Hashable = None) -> bool:
        """Return whether `give` would number the name."""
        return self._owners.get(name, tensor) not in (content or tensor, tensor)


def distinct(
    names: Mapping[tuple[int, int], str], same: Mapping[int, int] = MappingProxyType({})
) -> dict[tuple[int, int], str]:
    """Make the names of (tensor, scope) distinct, in the order of the tensors' numbers.

    same: tensor -> the tensor whose name it keeps, of which it is the new value. A negative number
    stands for None, which shares its name with tensors.

    >>> distinct({(1, 0): "x", (2, 0): "x", (2, 7): "y"})
    {(1, 0): 'x', (2, 0): 'x#2', (2, 7): 'y'}
    >>> distinct({(1, 0): "x", (2, 0): "x"}, {2: 1})
    {(1, 0): 'x', (2, 0): 'x'}
    """
    own = OwnNames()
    return {
        (x, at): name if x < 0 else own.give(name, same.get(x, x))
        for (x, at), name in sorted(names.items())
    }


def base_of(name: str) -> str:
    """Return a name without the suffix that makes it distinct.

    >>> base_of("x#2"), base_of("(a × b)#2"), base_of("tanh(x)"), base_of("a × x#2")
    ('x', 'a × b', 'tanh(x)', 'a × x#2')
    >>> base_of("h[t=2]"), base_of("h[t=2]#2"), base_of("h[i=1, t=2]")
    ('h', 'h', 'h')
    """
    base = NUMBER.sub("", name, count=1)
    if base == name or is_composite(base):
        return name
    return base[1:-1] if base[:1] == "(" else base
