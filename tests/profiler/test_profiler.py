"""paddle.profiler: its records, schedules, tables and files; unused, it costs nothing."""

import json
import re
import warnings
from time import perf_counter_ns

import pytest

import minipaddle as paddle
from minipaddle import nn, profiler, static
from minipaddle.engine import modes
from minipaddle.ops import REGISTRY
from minipaddle.profiler import ProfilerState as S
from minipaddle.profiler.network_flops import FORMULAS, flops_of
from tests.contract.refusal import refused
from tests.each import each
from tests.static.world import fresh

# What Paddle 3.3.1 answered.
SCHEDULES = [
    ({"closed": 1, "ready": 1, "record": 2, "repeat": 2, "skip_first": 1}, "001230123000"),
    ({"closed": 0, "ready": 0, "record": 1}, "3333"),
]
PAIRS = [((0, 2), "2300000"), ((1, 3), "1230000"), ((3, 5), "0012300"), ((-2, 1), "3000000")]
FLOPS = [
    ("matmul", [(2, 3), (3, 4)], (2, 4), {}, 48),
    ("matmul", [(5, 2, 3), (3, 4)], (5, 2, 4), {}, 240),
    ("matmul", [(5, 2, 3), (4, 3)], (5, 2, 4), {"transpose_y": True}, 240),
    ("matmul", [(3, 2), (3, 4)], (2, 4), {"transpose_x": True}, 48),
    ("softmax", [(2, 3)], (2, 3), {}, 18),
    ("gelu", [(2, 3)], (2, 3), {}, 30),
    ("relu", [(2, 3)], (2, 3), {}, 6),
    ("layer_norm", [(2, 3)], (2, 3), {"epsilon": 1e-5}, 48),
    ("avg_pool2d", [(1, 1, 2, 3)], (1, 1, 1, 1), {}, 6),
    ("add", [(2, 3), (3,)], (2, 3), {}, 6),
    ("conv2d", [(2, 4, 8, 8), (6, 2, 3, 3)], (2, 6, 6, 6), {"groups": 2}, 15552),
    ("conv2d", [(2, 4, 8, 8), (6, 4, 3, 3)], (2, 6, 6, 6), {"groups": 1}, 31104),
    ("reshape", [(2, 3)], (6,), {}, 0),
]


def quiet(**options: object) -> profiler.Profiler:
    return profiler.Profiler(on_trace_ready=lambda _: None, **options)


def spans(prof: profiler.Profiler, kind: str) -> list[profiler.profiler.Span]:
    assert prof.profiler_result is not None
    return [span for span in prof.profiler_result if span.kind == kind]


# ----- when it records ---------------------------------------------------------------------------


@each(("steps", "states"), SCHEDULES)
def test_schedules_are_paddles(steps, states):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        schedule = profiler.make_scheduler(**steps)
    assert "".join(str(schedule(step).value) for step in range(len(states))) == states


@each(("pair", "states"), PAIRS)
def test_a_pair_of_steps_is_a_schedule(pair, states):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        schedule = quiet(scheduler=pair).scheduler
    assert "".join(str(schedule(step).value) for step in range(len(states))) == states


def test_recording_begins_and_ends_with_its_steps():
    handed = []
    prof = profiler.Profiler(scheduler=(1, 3), on_trace_ready=lambda p: handed.append(p.step_num))
    x = paddle.ones([2])
    seen = []
    with prof:
        for _ in range(5):
            seen.append(bool(modes.here().listeners))
            paddle.tanh(x)
            prof.step()
    assert seen == [False, True, True, False, False]
    assert handed == [3]
    assert [span.name for span in spans(prof, "Operator")] == ["tanh"] * 2
    assert [s.name for s in spans(prof, "ProfileStep")] == ["ProfileStep#1", "ProfileStep#2"]
    assert (prof.previous_state, prof.current_state) == (S.CLOSED, S.CLOSED)


def test_an_exception_ends_the_recording():
    prof = quiet()
    with pytest.raises(KeyError), prof:
        {}[paddle.ones([2])]
    assert [span.name for span in spans(prof, "Operator")] == ["full"]
    assert not modes.here().listeners
    prof.stop()  # once more does nothing


def test_a_profiler_goes_on_where_it_was_stopped():
    with quiet() as prof:
        paddle.ones([2])
    prof.start()
    prof.start()  # once more does nothing
    paddle.tanh(paddle.ones([2]))
    prof.stop()
    assert [span.name for span in spans(prof, "Operator")] == ["full", "tanh"]
    assert (prof.step_num, prof.current_state) == (0, S.RECORD)  # as in Paddle
    assert not modes.here().listeners


def test_a_deleted_profiler_stops_listening():
    quiet().start()
    assert not modes.here().listeners


@each(
    ("before", "now", "words"),
    [
        (S.RECORD, S.CLOSED, "not saving data"),
        (S.RECORD, S.READY, "stop and re-prepare"),
        (S.READY, S.CLOSED, "start and stop without saving data"),
    ],
)
def test_an_interrupted_recording_says_so(before, now, words):
    """The words are Paddle's."""
    prof = quiet(scheduler=lambda step: now if step else before)
    told = f"Improper schedule: {before.name}->{now.name}, profiler will {words}"
    with prof, pytest.warns(UserWarning, match=told):
        prof.step()
    assert not modes.here().listeners
    assert prof.profiler_result is None


# ----- what it records ---------------------------------------------------------------------------


def test_ops_and_gradients_have_times_counts_and_numbers():
    net = nn.Linear(3, 4)
    with quiet() as prof:
        net(paddle.ones([2, 3])).sum().backward()
    ops = {span.name: span for span in spans(prof, "Operator")}
    assert [span.number for span in spans(prof, "Operator")] == list(range(len(ops)))
    product = ops["matmul"]
    assert (product.flops, product.parameters) == (2 * 2 * 3 * 4, 12)
    assert product.nbytes == 4 * (6 + 12 + 8)
    assert product.shapes == ((2, 3), (3, 4))
    back = {span.name: span for span in spans(prof, "Backward")}
    assert back["MatmulGradNode"].number == product.number
    assert back["MatmulGradNode"].flops == product.flops  # the input wants no gradient
    assert all(span.nanoseconds > 0 for span in prof.profiler_result)
    step, *_ = spans(prof, "ProfileStep")
    inside = [span for span in prof.profiler_result if span is not step]
    assert all(step.start <= s.start for s in inside)
    assert sum(s.nanoseconds for s in inside) <= step.nanoseconds


def test_operators_of_a_program_are_timed():
    with fresh(), quiet() as prof:
        v = static.data("v", [2, 3])
        total = paddle.tanh(v).sum()
        static.Executor().run(feed={"v": [[1.0, 2.0, 3.0]] * 2}, fetch_list=[total])
    assert [(s.name, s.flops) for s in spans(prof, "Operator")] == [("tanh", 6), ("reduce_sum", 6)]


def test_events_of_the_user_nest_and_decorate():
    @profiler.RecordEvent("all")
    def work() -> None:
        with profiler.RecordEvent("inner"):
            paddle.ones([2])

    work()
    with quiet() as prof:
        work()
        by_hand = profiler.RecordEvent("by hand")
        by_hand.begin()
        by_hand.end()
        by_hand.end()
    own = spans(prof, "PythonUserDefined")
    assert [span.name for span in own] == ["all", "inner", "by hand"]
    assert own[0].nanoseconds >= own[1].nanoseconds


@each(("op", "inputs", "output", "attrs", "flops"), FLOPS)
def test_operations_are_counted_as_paddle_counts_them(op, inputs, output, attrs, flops):
    assert flops_of(op, inputs, [output], attrs) == flops


def test_products_with_vectors_are_counted():
    assert flops_of("matmul", [(2, 3), (3,)], [(2,)], {}) == 12
    assert flops_of("matmul", [(3,), (3,)], [()], {}) == 6


def test_every_formula_is_that_of_an_op():
    assert set(FORMULAS) <= set(REGISTRY)


def test_a_transposed_convolution_counts_like_the_gradient_of_a_convolution():
    x, w, y = (2, 4, 5, 5), (4, 3, 3, 3), (2, 3, 7, 7)
    there = flops_of("conv2d_transpose", [x, w], [y], {})
    assert there == flops_of("conv2d", [y, w], [x], {})


def test_nothing_listens_unless_a_profiler_records():
    profiler.Profiler(timer_only=True).start()
    prof = quiet(scheduler=(3, 4))
    with prof, profiler.RecordEvent("x"):
        assert not modes.here().listeners
        assert not modes.gate_open


# ----- what it gives out -------------------------------------------------------------------------


def test_a_saved_file_is_loaded_unchanged(tmp_path):
    with quiet(record_shapes=True) as prof:
        (paddle.ones([2, 3]) @ paddle.ones([3, 4])).sum()
    path = tmp_path / "times.json"
    prof.export(str(path))
    again = profiler.load_profiler_result(str(path))
    first = prof.profiler_result[0].start
    assert len(again) == len(prof.profiler_result)
    for one, other in zip(again, prof.profiler_result, strict=True):
        assert (one.start, one.nanoseconds) == (other.start - first, other.nanoseconds)
        counts = [(s.kind, s.name, s.number, s.flops, s.nbytes, s.shapes) for s in (one, other)]
        assert counts[0] == counts[1]
    rows = json.loads(path.read_text())["traceEvents"]
    assert {"name", "cat", "ph", "ts", "dur", "pid", "tid", "args"} == set(rows[0])


def test_a_folder_gets_a_file_for_each_recording(tmp_path):
    write = profiler.export_chrome_tracing(str(tmp_path / "log"), "me")
    schedule = profiler.make_scheduler(closed=0, ready=1, record=1, repeat=2)
    with profiler.Profiler(scheduler=schedule, on_trace_ready=write) as prof:
        for _ in range(5):
            paddle.ones([2])
            prof.step()
    names = [path.name for path in (tmp_path / "log").iterdir()]
    assert len(names) == 2
    assert all(n.startswith("me_time_") and n.endswith(".paddle_trace.json") for n in names)


def test_tables_sum_up_what_was_recorded(capsys):
    with quiet() as prof, profiler.RecordEvent("mine"):
        for _ in range(3):
            paddle.ones([2]).tanh()
    prof.summary(time_unit="ns")
    told = capsys.readouterr().out
    row = next(line for line in told.splitlines() if line.startswith("tanh "))
    times = [span.nanoseconds for span in spans(prof, "Operator") if span.name == "tanh"]
    assert row.split()[1] == "3"
    assert f"{sum(times):.2f} / {sum(times) / 3:.2f} / {max(times):.2f} / {min(times):.2f}" in row
    for title in ("Overview Summary", "Operator Summary", "UserDefined Summary", "Time unit: ns"):
        assert title in told
    prof.summary(views=profiler.SummaryView.UDFView)
    told = capsys.readouterr().out
    assert "mine" in told
    assert "tanh" not in told
    for key in ("CPUTotal", "CPUAvg", "CPUMax", "CPUMin"):
        prof.summary(sorted_by=profiler.SortedKeys[key])
    assert capsys.readouterr().out.count("Overview Summary") == 4


def test_steps_alone_can_be_timed():
    prof = profiler.Profiler(timer_only=True)
    with prof:
        for _ in range(3):
            prof.step(num_samples=8)
        told = prof.step_info("images")
    assert re.match(r" batch_cost: \d+\.\d{5} s ips: ", told)
    assert told.endswith(" images/s")
    assert prof.step_info() == ""
    assert prof.profiler_result is None


def test_a_step_before_the_start_has_lasted_since_the_profiler_was_made():
    began = perf_counter_ns()
    prof = profiler.Profiler(timer_only=True)
    prof.step()
    told = float(prof.step_info().split()[1])  # rounded to 5 digits
    assert 0 <= told <= (perf_counter_ns() - began) / 1e9 + 1e-5


# ----- errors ------------------------------------------------------------------------------------


def recorded() -> profiler.Profiler:
    with quiet() as prof:
        paddle.ones([2])
    return prof


@each(
    ("kind", "call"),
    [
        (AssertionError, lambda: profiler.make_scheduler(closed=-1, ready=1, record=1)),
        (AssertionError, lambda: profiler.make_scheduler(closed=1, ready=1, record=0)),
        (AssertionError, lambda: quiet(scheduler=(3, 1))),
        (AssertionError, lambda: quiet(scheduler=3)),
        (AssertionError, lambda: quiet(scheduler="ab")),
        (NotImplementedError, lambda: quiet(profile_memory=True)),
        (RuntimeError, lambda: quiet().summary()),
        (ValueError, lambda: recorded().summary(time_unit="h")),
        (NotImplementedError, lambda: recorded().summary(profiler.SortedKeys.GPUMax)),
        (NotImplementedError, lambda: recorded().summary(views=profiler.SummaryView.KernelView)),
        (NotImplementedError, lambda: recorded().summary(views=["OverView"])),
        (NotImplementedError, lambda: recorded().summary(thread_sep=True)),
        (NotImplementedError, lambda: recorded().export("x.pb", "pb")),
        (ValueError, lambda: recorded().export()),
        (AttributeError, lambda: profiler.export_protobuf),
    ],
)
def test_a_mistake_is_an_error(kind, call):
    refused(call, kind)


@each("content", ["no json", "[]", '{"format": "minipaddle-times", "traceEvents": [3]}'])
def test_a_file_without_times_is_an_error(content, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(content)
    refused(profiler.load_profiler_result, ValueError, str(path))


def test_targets_other_than_the_cpu_are_left_out_with_a_warning():
    with pytest.warns(UserWarning, match="Profiling ProfilerTarget.GPU is not supported"):
        quiet(targets=[profiler.ProfilerTarget.CPU, profiler.ProfilerTarget.GPU])
    with pytest.warns(UserWarning, match="may be 'noisy'"):
        profiler.make_scheduler(closed=0, ready=0, record=1)
