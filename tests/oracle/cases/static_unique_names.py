"""paddle.utils.unique_name in static mode: the names that a Program and a guard give."""

from ..harness import case

STATIC = True


def build(paddle):
    """Train a small network; return the names of its persistable Variables, and of one result."""
    static = paddle.static
    x = static.data("x", [2, 3])
    y = static.nn.fc(x, 2)
    z = paddle.nn.Linear(3, 2)(x)
    static.create_global_var([1], 1.0, "float32")
    static.create_parameter([1], "float32")
    paddle.create_parameter([1], "float32")
    paddle.optimizer.Momentum(0.1).minimize((y + z).mean())
    main = static.default_main_program()
    return [v.name for v in main.list_vars() if v.persistable] + [y.name]


@case
def a_network_that_is_built_twice_shares_its_parameters(paddle, show):
    static, startup = paddle.static, paddle.static.Program()
    for number in range(2):
        main = static.Program()
        with static.program_guard(main, startup), paddle.utils.unique_name.guard():
            x = static.data("x", [2, 3])
            paddle.nn.Linear(3, 2)(static.nn.fc(x, 3))
        show(f"{number}", [p.name for p in main.all_parameters()])
    show("startup", [v.name for v in startup.list_vars()])


@case(differs="dynamic mode goes on with its names after static mode; Paddle starts them again")
def dynamic_mode_goes_on(paddle, show):
    paddle.disable_static()
    one = paddle.utils.unique_name.generate("dynamic")
    paddle.enable_static()
    paddle.disable_static()
    show("the same", paddle.utils.unique_name.generate("dynamic") == one)
    paddle.enable_static()


@case
def static_mode_has_names_of_its_own(paddle, show):
    made = [paddle.utils.unique_name.generate("static")]
    paddle.disable_static()
    made.append(paddle.utils.unique_name.generate("static"))
    paddle.enable_static()
    made.append(paddle.utils.unique_name.generate("static"))
    show("names", made)
