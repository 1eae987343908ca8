"""Patterns of failed examples of real Paddle's docstrings, with the reasons.

The first pattern found in `name: what happened` counts. `docstrings.py --table` writes the table.
"""

REASONS = (
    (r"paddle\.argsort", "equal elements in another order: Paddle's sort is not stable"),
    (r"<class 'minipaddle\.", "shows the name of the class, which is minipaddle's"),
    (
        r"paddle\.(randn|standard_normal): .*dtype does not fit",
        "complex random numbers are not here",
    ),
    (r"flag does not fit", "flags other than FLAGS_check_nan_inf are not here"),
    (r"'bfloat16' is not understood", "bfloat16 is not here: NumPy has no such type"),
    (r"parameter groups are not here", "parameter groups of optimizers are not here"),
    (r"Layer\.astype", "a layer's text names its dtype, in Paddle sometimes `paddle.int8`"),
    (r"initializer\.Assign", "values of another shape than the parameter's are refused here"),
    (r"DenseTensor|Program \{", "saves a DenseTensor or a whole Program"),
    (r"Variable\.shape", "a Variable's shape prints as a tuple"),
    (r"nn\.GELU", "float32 differs in the last printed digit"),
    (r"paddle\.fft\.", "a zero of the imaginary part has another sign"),
    (r"Model\.summary", "its numbers are NumPy's in Paddle, Python's here"),
    (r"models\.VGG", "imports `make_layers`, which is no public name"),
    (r"No module named 'scipy'", "needs SciPy"),
)
