"""Formulas of optimizers; `tests/oracle` records their numbers."""

import minipaddle as paddle
from tests.each import each

CORRECTED = ("m̂", "v̂", "û")  # means that began at zero


@each("kind", ["Adam", "AMSGrad", "AdamW", "Lamb", "NAdam", "RAdam"])
def test_a_formula_defines_its_corrected_means(kind: str) -> None:
    w = paddle.to_tensor([1.0], stop_gradient=False)
    name, options = ("Adam", {"amsgrad": True}) if kind == "AMSGrad" else (kind, {})
    formula = getattr(paddle.optimizer, name)(0.1, parameters=[w], **options).rule_for(w).formula
    used = {letter for letter in CORRECTED if letter in formula}
    assert used
    assert used <= {part.split(", ")[-1].strip() for part in formula.split("←")[:-1]}
