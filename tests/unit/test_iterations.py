"""Where an iteration ends, written as scores: the events of a job, a bar after each end.

`b` is a backward, `c` one before which gradients were cleared, `g` a grad() with create_graph, `t`
one before which was trained what it goes to, `v` a grad() without, `m` the script's mark, a capital
letter an optimizer's step, `A+` one while another is known to be due, `-A` its end.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwatch_agent.loop.iterations import Iterations


def played(score: str, *, optimizer_exists: bool = True) -> str:
    """The same score with its bars drawn anew."""
    iterations = Iterations()
    return " ".join(
        f"{event}|" if _play(iterations, event, optimizer_exists) else event
        for event in score.replace("|", "").split()
    )


def _play(iterations: Iterations, event: str, optimizer_exists: bool) -> bool:
    def backward(call, create_graph, **seen):
        return iterations.backward(
            call, create_graph=create_graph, optimizer_exists=optimizer_exists, **seen
        )

    match event:
        case "b":
            return backward("backward", False)
        case "c":
            return backward("backward", False, cleared=True)
        case "g":
            return backward("grad", True)
        case "t":
            return backward("grad", True, trained=True)
        case "v":
            return backward("grad", False)
        case "m":
            return iterations.mark()
        case _ if event.startswith("-"):
            iterations.forget(ord(event[1:]))
            return False
        case _:
            return iterations.step(ord(event[0]), more=event.endswith("+"))


def times(count: int, score: str) -> str:
    return " ".join([score.strip()] * count) + " "


@pytest.mark.parametrize(
    "score",
    [
        pytest.param(times(5, "b A|"), id="one optimizer"),
        pytest.param(times(3, "b b b b A|"), id="gradients of four batches accumulated"),
        pytest.param("b A| A A b A| A", id="a step without a backward ends nothing"),
        pytest.param("A b A| b A|", id="the optimizer steps once before all backwards"),
        pytest.param("b A| b B| " + times(20, "b A b B|"), id="GAN: D's turn, then G's"),
        pytest.param("b A+ b B| " + times(20, "b A b B|"), id="GAN, both known from the first"),
        pytest.param("b A+ b A| b A| b B| " + times(9, "b A b B|"), id="one that is known, late"),
        pytest.param(times(2, "b A|") + "b B| " + times(9, "b A b A b B|"), id="GAN, D twice"),
        pytest.param(times(5, "b A|") + "b B| " + times(9, "g b A " * 5 + "b B|"), id="WGAN-GP"),
        pytest.param("b A| B " + times(20, "b A B|"), id="two optimizers after one backward"),
        pytest.param("b A| B C " + times(20, "b A B C|"), id="three optimizers"),
        pytest.param("b A| " + times(9, "b A|") + "b B| b A b B|", id="one that starts late"),
        pytest.param("b A| b B| b A b B| -B b A| b A|", id="one that is deleted"),
        pytest.param("b A| b B| " + times(15, "b A ") + times(3, "b A|"), id="one that retires"),
        pytest.param("b A| b B| " + times(3, "b A " * 15 + "b B|"), id="one that rests for long"),
        pytest.param("b A| g g b A| g b g b A|", id="grad() with create_graph ends nothing"),
        pytest.param("m| b m| b b A m| b A b A m| m|", id="by hand"),
        pytest.param("b A| b A| b m| b A b A m|", id="by hand from the first mark on"),
    ],
)
def test_with_optimizers(score):
    assert played(score) == score.strip()


@pytest.mark.parametrize(
    "score",
    [
        pytest.param("b| b| b|", id="each backward"),
        pytest.param("v| v|", id="each grad()"),
        pytest.param("g b| g g b|", id="a penalty is a part of what follows"),
        pytest.param("g " + times(5, "t") + times(5, "t|"), id="each goes to weights trained anew"),
        pytest.param("g " + times(4, "t") + "b| g t b|", id="a few models' penalties"),
        pytest.param(
            times(2, "g " * 31 + "g|") + times(5, "g|") + "b| " + times(3, "g b|"),
            id="graphs of gradients that no backward walks, until one does",
        ),
        pytest.param("b| A b A| b A|", id="a first step that nobody expected"),
    ],
)
def test_without_an_optimizer(score):
    assert played(score, optimizer_exists=False) == score.strip()


def test_meta_learning_with_an_inner_optimizer_made_afresh_ends_at_the_outer_step():
    """Serial numbers never come back: each inner optimizer is a new one."""
    iterations = Iterations()
    outer, ends = 0, []
    for serial in range(1, 60):
        for _ in range(3):
            iterations.backward("backward", create_graph=False, optimizer_exists=True)
            ends.append(("inner", iterations.step(serial)))
        iterations.forget(serial)
        iterations.backward("backward", create_graph=False, optimizer_exists=True)
        ends.append(("outer", iterations.step(outer)))
    settled = ends[40:]
    assert {who for who, ended in settled if ended} == {"outer"}
    assert all(ended for who, ended in settled if who == "outer")


def test_an_optimizer_that_never_steps_is_waited_for_once():
    score = times(31, "b") + "b| " + times(5, "b|")
    assert played(score) == score.strip()


def test_where_gradients_are_cleared_without_a_step_none_is_waited_for():
    score = "b c c c| " + times(5, "c|")
    assert played(score) == score.strip()


def test_losses_whose_gradients_are_compared_before_the_first_step_are_one_iteration():
    assert played("b c c A| b c c A|") == "b c c A| b c c A|"


def test_when_stepping_is_given_up_each_backward_ends_an_iteration():
    score = "b A| " + times(1_023, "b") + "b| " + times(5, "b|") + "A b A| b A|"
    assert played(score) == score.strip()


def test_a_step_after_all_makes_steps_count_again():
    score = times(31, "b") + "b| b| A b b A|"
    assert played(score) == score.strip()


def test_grad_calls_alone_do_end_iterations_in_the_end():
    assert played(times(40, "g"), optimizer_exists=False).count("|") >= 1


def test_a_training_without_an_optimizer_may_follow_one_with_it():
    iterations = Iterations()
    assert not iterations.start_over()
    for _ in range(3):
        assert not iterations.backward("backward", create_graph=False, optimizer_exists=True)
        assert iterations.step(0)
        assert not iterations.start_over()  # the optimizer may step again
    iterations.forget(0)
    assert iterations.start_over()
    assert iterations.backward("backward", create_graph=False, optimizer_exists=False)


@given(
    st.lists(st.sampled_from(["b", "g", "t", "v", "A", "B", "C", "-A", "-B", "-C"]), max_size=60)
)
def test_no_iteration_ends_twice_without_a_backward_between(events):
    bars = played(" ".join(events)).split("|")[:-1]
    assert all(set(bar.split()) & {"b", "g", "t", "v"} for bar in bars)


@given(st.lists(st.sampled_from(["b", "g", "t", "v", "A", "B", "-A"]), max_size=60))
def test_after_the_first_mark_only_marks_count(events):
    assert played(" ".join(["m", *events, "m"])) == " ".join(["m|", *events, "m|"])
