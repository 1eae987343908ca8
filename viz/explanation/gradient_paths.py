"""One element of a gradient, split over the paths on which it came from the loss.

Backward is linear, so the gradient of x[index] is a sum over all paths from the loss: each term is
the first gradient, passed along one path alone. Each slot where gradients arrive has a *change*:
the derivative of its tensor by x[index]. The product of a gradient and the change, summed over all
elements, is the share of a wire. Across every cut through the boxes the shares add up to the
gradient of x[index].

A box through which gradients cannot be followed ends the paths: they begin with the recorded
gradients of that box.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .gradient_flow import Flow, Port, Wire
from .linear_maps import NotLinear, attempt, check, is_transpose, products

ROOM = 10**7  # maximum number of gradient elements computed in a search for paths
RUN = 2000  # cost of one run of a gradient rule, in elements


class Passed(NamedTuple):
    """Box of a path, with the slot where the gradient arrives and the input for which it leaves.

    `factor`: the change of the box's output over that of its input, each summed over all elements;
    None after a box that multiplies by 0, on the way from x[index] to the loss.
    """

    box: int
    slot: int
    input: int
    factor: float | None


@dataclass(frozen=True, slots=True)
class Way:
    """Path from the loss to x[index]: its wires, the boxes between them, and its share.

    `begins` is the first gradient, weighted with the change that reaches it. `begins` times all
    factors is the share `brings`.
    """

    wires: tuple[int, ...]
    passed: tuple[Passed, ...]
    begins: float
    brings: float


@dataclass(frozen=True, slots=True)
class Found:
    """The strongest paths of those that were followed.

    `followed` of the `count` existing paths were followed; `positive` and `negative` are the sums
    of their positive and negative shares.
    """

    ways: tuple[Way, ...]
    followed: int
    count: int
    positive: float
    negative: float


class Split:
    """Shares of all wires in one element of a gradient.

    `shares` maps wires that lead to the element to their shares; `opaque` maps boxes that end paths
    to the reason. Raises NotLinear if a first gradient was too large to be recorded.
    """

    def __init__(self, flow: Flow, end: Port, index: tuple[int, ...], shape: Sequence[int]) -> None:
        self.flow, self.end = flow, end
        self.leaving: dict[int, list[int]] = defaultdict(list)
        self.coming: dict[Port, list[int]] = defaultdict(list)
        for number, wire in enumerate(flow.wires):
            self.leaving[wire.source].append(number)
            self.coming[wire.target].append(number)
        unit = np.zeros(tuple(shape))
        unit[index] = 1.0
        self.changes: dict[Port, Any] = {end: unit}
        self.opaque: dict[int, str] = {}
        self.begins: list[int] = []  # first wires of paths
        self.counts: dict[Port, int] = {end: 1}  # port -> number of paths from it to the element
        self.order = [box for box in self.towards_the_loss() if self.resolve(box)]
        self.grads: dict[int, Any] = {}
        self.flow_down()
        self.shares = {
            number: products([(grad, self.changes[flow.wires[number].target])])
            for number, grad in self.grads.items()
        }
        self.count = sum(self.counts[flow.wires[number].target] for number in self.begins)

    @property
    def total(self) -> float:
        """Sum of the shares of all paths."""
        return sum(self.shares[number] for number in self.begins)

    @property
    def lit(self) -> list[int]:
        """Boxes that lead to the element."""
        return [*self.order, *dict.fromkeys(self.flow.wires[each].source for each in self.begins)]

    def towards_the_loss(self) -> Iterator[int]:
        """Yield the boxes that lead to the element, each after all boxes that it leads to."""
        reached, queue = {self.end.box}, [self.end]
        left: dict[int, int] = defaultdict(int)
        for port in queue:
            for number in self.coming[port]:
                source = self.flow.wires[number].source
                left[source] += 1
                if source not in reached:
                    reached.add(source)
                    queue += self.ports(source)
        ready = [self.end.box]
        for box in ready:
            ports = [self.end] if box == self.end.box else self.ports(box)
            for port in ports:
                for number in self.coming[port]:
                    source = self.flow.wires[number].source
                    left[source] -= 1
                    if not left[source]:
                        ready.append(source)
            if box != self.end.box:
                yield box

    def ports(self, box: int) -> list[Port]:
        """Return the slots of a box at which gradients arrived."""
        return [Port(box, slot) for slot in range(len(self.flow.boxes[box].arrived))]

    def wires_to_element(self, box: int) -> list[int]:
        """Return the wires of a box that lead to the element."""
        wires = self.flow.wires
        return [number for number in self.leaving[box] if wires[number].target in self.changes]

    def resolve(self, number: int) -> bool:
        """Compute the changes at a box; return whether gradients can be followed through it."""
        box, wires = self.flow.boxes[number], self.wires_to_element(number)
        if not wires:
            return False
        try:
            if box.kind == "seed":
                raise NotLinear("")
            found = self.changes_at(number, wires)
        except NotLinear as reason:
            if box.kind != "seed":
                self.opaque[number] = reason.why
            self.begins += wires
            return False
        paths = sum(self.counts[self.flow.wires[each].target] for each in wires)
        for port, change in zip(self.ports(number), found, strict=True):
            if change is not None:
                self.changes[port], self.counts[port] = change, paths
        return True

    def changes_at(self, number: int, leading: Sequence[int]) -> list[Any]:
        """Return the changes of a box's outputs, computed from those of its inputs."""
        box, wires = self.flow.boxes[number], self.flow.wires
        map = box.map
        if map is None:
            raise NotLinear(box.why)
        handed_on = {wires[each].input: wires[each].grad for each in leading}
        arriving = [wires[each].grad for port in self.ports(number) for each in self.coming[port]]
        if any(grad is None for grad in (*handed_on.values(), *arriving)):
            raise NotLinear("large")
        check(map, box.arrived, handed_on, by_user=box.kind != "grad")
        changes = {wires[each].input: self.changes[wires[each].target] for each in leading}
        found: list[Any] = attempt(lambda: map.ahead(box.arrived, changes))
        if not is_transpose(map, box.arrived, changes, found):
            raise NotLinear("python")
        return found

    # ----- gradients, starting at the loss -----

    def flow_down(self) -> None:
        """Compute the gradients of all wires that lead to the element, in float64."""
        for number in self.begins:
            self.grads[number] = self.flow.wires[number].grad
            if self.grads[number] is None:
                raise NotLinear("large")
        for box in reversed(self.order):
            arrived = [self.sum_at(port) for port in self.ports(box)]
            made = self.run(box, arrived)
            for number in self.wires_to_element(box):
                self.grads[number] = made[self.flow.wires[number].input]

    def sum_at(self, port: Port) -> Any:
        known = [self.grads[each] for each in self.coming[port] if each in self.grads]
        return sum(known[1:], known[0]) if known else self.zeros_at(port)

    def zeros_at(self, port: Port) -> Any:
        """Return zeros for a port at which none of the followed gradients arrives."""
        recorded = self.flow.boxes[port.box].arrived[port.slot]
        return None if recorded is None else np.zeros_like(recorded)

    def run(self, box: int, arrived: Sequence[Any]) -> list[Any]:
        map = self.flow.boxes[box].map
        assert map is not None
        row = map.back(arrived)
        for wire in (self.flow.wires[number] for number in self.wires_to_element(box)):
            if row[wire.input] is None:  # this input gets zeros, whatever arrives
                row[wire.input] = np.zeros_like(wire.grad)
        return row

    # ----- single paths -----

    def strongest(self, top: int) -> Found:
        """Return the paths with the largest shares; wires with large shares are followed first."""
        wires, queue, ways = self.flow.wires, list[Any](), list[tuple[float, tuple[int, ...]]]()
        room, ties = ROOM, 0

        def put(path: tuple[int, ...], grad: Any) -> None:
            nonlocal ties
            all_of_it = products([(grad, self.changes[wires[path[-1]].target])])
            heapq.heappush(queue, (-abs(all_of_it), ties, all_of_it, path, grad))
            ties += 1

        for number in self.begins:
            put((number,), self.grads[number])
        while queue and room > 0:
            _, _, all_of_it, path, grad = heapq.heappop(queue)
            port = wires[path[-1]].target
            if self.counts[port] == 1:
                ways.append((all_of_it, self.to_the_end(path)))
                continue
            arrived = [grad if p == port else self.zeros_at(p) for p in self.ports(port.box)]
            made = self.run(port.box, arrived)
            for number in self.wires_to_element(port.box):
                part = made[wires[number].input]
                put((*path, number), part)
                room -= part.size
            room -= RUN
        best = heapq.nsmallest(top, enumerate(ways), key=lambda each: (-abs(each[1][0]), each[0]))
        return Found(
            tuple(self.route(path, brings) for _, (brings, path) in best),
            len(ways),
            self.count,
            sum(brings for brings, _ in ways if brings > 0),
            sum(brings for brings, _ in ways if brings < 0),
        )

    def to_the_end(self, path: tuple[int, ...]) -> tuple[int, ...]:
        """Return a path extended to the element, along the only wires that lead there."""
        wires = [*path]
        while (port := self.flow.wires[wires[-1]].target) != self.end:
            wires += self.wires_to_element(port.box)
        return tuple(wires)

    def route(self, path: tuple[int, ...], brings: float) -> Way:
        """Return a path with the factor of each box, computed from the element towards the loss."""
        rows = [self.flow.wires[number] for number in path]
        change, measure = self.changes[self.end], 1.0
        passed: list[Passed] = []
        for wire, before in zip(reversed(rows[1:]), reversed(rows[:-1]), strict=True):
            slot = before.target.slot
            if change is None:
                passed.append(Passed(wire.source, slot, wire.input, None))
                continue
            change = self.change_through(wire, slot, change)
            now = size_of(change)
            passed.append(Passed(wire.source, slot, wire.input, now / measure))
            measure = now
            if not now:
                change = None
        seed = self.grads[path[0]]
        if change is None:  # an array has no single first number
            begins = float(seed.reshape(())) if seed.size == 1 else 0.0
        else:
            begins = products([(seed, change)]) / measure
        return Way(path, tuple(reversed(passed)), begins, brings)

    def change_through(self, wire: Wire, slot: int, change: Any) -> Any:
        """Return the change of one output of a box for a change of one input."""
        box = self.flow.boxes[wire.source]
        assert box.map is not None
        made = box.map.ahead(box.arrived, {wire.input: change})[slot]
        return np.zeros_like(box.arrived[slot]) if made is None else made


def size_of(change: Any) -> float:
    """Return the sum of the magnitudes, with the sign of the elements if they all share it.

    >>> size_of(np.array([-1.0, -2.0])), size_of(np.array([1.0, -2.0]))
    (-3.0, 3.0)
    """
    signed = float(change.sum())
    whole = float(np.abs(change).sum())
    return signed if (change <= 0).all() or (change >= 0).all() else whole
