"""DataParallel: each rank computes a part of a batch, with equal parameters on all ranks."""

from __future__ import annotations

import warnings
from typing import Any

from ..engine import modes
from ..engine.guard import Guard, override_attribute
from ..engine.source_line import stacklevel
from ..engine.structures import items_in
from ..engine.tensor import Tensor
from ..nn import Layer
from . import errors
from .collectives import broadcast
from .environment import get_world_size, is_initialized
from .gradient_buckets import Reducer, assign_buckets
from .groups import GROUPS, Group

MEGABYTE = 1 << 20


class DataParallel(Layer):
    """Layer whose gradients are averaged over the ranks; each rank has its part of a batch.

    Its parameters and buffers are first copied from the group's first rank. During backward the
    gradients are averaged in buckets of `comm_buffer_size` MB, the last one of
    `last_comm_buffer_size` MB. `buckets` lists them.

    Shapes and dtypes: the layer's. Errors: AssertionError before init_parallel_env, or without a
    parameter to train; RuntimeError if other parameters get gradients than in the first forward
    pass (see find_unused_parameters). Source: Paddle's `paddle.DataParallel`.

    >>> import minipaddle as paddle
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):  # one process: the layer as it is
    ...     net = paddle.DataParallel(paddle.nn.Linear(2, 1))
    >>> list(net.state_dict())
    ['weight', 'bias']
    """

    def __init__(
        self,
        layers: Layer,
        strategy: Any = None,  # noqa: ARG002  (nothing in Paddle's changes what is computed)
        comm_buffer_size: float = 25,
        last_comm_buffer_size: float = 1,
        find_unused_parameters: bool = False,
        group: Group | None = None,
    ) -> None:
        if not isinstance(layers, Layer):
            raise errors.not_a_layer(layers)
        super().__init__(f"{layers.full_name()}_data_parallel")
        if modes.here().builder is not None:
            raise errors.data_parallel_in_program()
        self._layers = layers
        self.find_unused_parameters = find_unused_parameters
        self.grad_need_sync = True
        self.group = group
        self._reducer: Reducer | None = None
        self.comm_buffer_size = int(comm_buffer_size * MEGABYTE)
        self.last_comm_buffer_size = int(last_comm_buffer_size * MEGABYTE)
        if get_world_size() < 2:
            warnings.warn(
                "The program will return to single-card operation. Please check 1, whether you use "
                "spawn or fleetrun to start the program. 2, Whether it is a multi-card program. 3, "
                "Is the current environment multi-card.",
                stacklevel=stacklevel(),
            )
            return
        if not is_initialized():
            raise errors.data_parallel_too_early()
        self.group = GROUPS.of(group)
        for value in layers.state_dict().values():
            broadcast(value, self.group.ranks[0], self.group)
        self.init_reducer()

    def init_reducer(self) -> None:
        """Put the trained parameters into buckets; the buckets of the last layers come first."""
        trained = [each for each in self._layers.parameters() if not each.stop_gradient]
        if not trained:
            raise errors.nothing_to_train(len(self._layers.parameters()))
        limits = [self.last_comm_buffer_size, self.comm_buffer_size]
        self.group_indices = assign_buckets(trained, limits)
        rows = [[trained[number] for number in row] for row in reversed(self.group_indices)]
        self._reducer = Reducer(rows, GROUPS.of(self.group))

    @property
    def buckets(self) -> list[tuple[list[str], int]]:
        """Names and bytes of the parameters of each bucket, in the order of averaging."""
        names = {each: name for name, each in self._layers.named_parameters()}
        rows = [each.parameters for each in self._reducer.buckets] if self._reducer else []
        return [([names[each] for each in row], sum(e._data.nbytes for e in row)) for row in rows]

    def no_sync(self) -> Guard:
        """Return a block without averaging, in which gradients add up on each rank."""
        return override_attribute(self, "grad_need_sync", False)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Run the layer."""
        outputs = self._layers(*inputs, **kwargs)
        if self._reducer is not None and self.grad_need_sync and modes.grad_enabled.get():
            tensors = [item for item in items_in(outputs) if isinstance(item, Tensor)]
            self._reducer.expect(tensors, self.find_unused_parameters)
        return outputs

    def scale_loss(self, loss: Any) -> Any:
        """Return the loss unchanged; old programs call this, as in Paddle."""
        return loss

    def apply_collective_grads(self) -> None:
        """Do nothing; old programs call this, as in Paddle."""

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Return the layer's state, by the layer's own names."""
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Set the layer's state, by the layer's own names."""
        return self._layers.set_state_dict(*args, **kwargs)

    set_dict = load_dict = set_state_dict
