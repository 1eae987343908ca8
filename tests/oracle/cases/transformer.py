"""The example `character_transformer.py`, which trains a network in either mode.

Real Paddle's Programs round the factor of `scale` and Adam's betas to float32, so its dynamic and
static losses differ by 5e-7 after thirty steps.
"""

from ..harness import case
from ._examples import example, trained


@case(ulps=2**16)
def fifty_steps_in_float64(paddle, show):
    show("losses", trained(paddle, "character_transformer", "train_eagerly", 50)[1])


@case(ulps=2**32)
def thirty_steps_of_a_program_in_float64(paddle, show):
    show("losses", trained(paddle, "character_transformer", "train_a_program", 30))


@case
def what_it_writes(paddle, show):
    net, _ = trained(paddle, "character_transformer", "train_eagerly", 60)
    module = example(paddle, "character_transformer")
    show("text", module.write_on(net, module.TEXT[: module.LENGTH], 40))
