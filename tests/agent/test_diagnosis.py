"""Every fault is put at the statement to change, and what is suggested is tried on it."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import os
import re
import runpy
import sys
import textwrap

import pytest
import torch

from gradwatch_agent.kept.growth import Growth

from . import leaks

LEAKS = [
    name
    for name, function in inspect.getmembers(leaks, inspect.isfunction)
    if " | " in (function.__doc__ or "")
]
"""By name: each search goes through lists of functions, and through all that these keep."""


def told(watching, function):
    """What is told of a job, the last state of each kind."""
    with watching() as said, contextlib.suppress(RuntimeError):
        function()
    return {finding.kind: finding for finding in said.findings if finding.state != "resolved"}


def expected(function) -> tuple[str, str, str]:
    kind, holder, cure = function.__doc__.split(" | ")
    return kind, holder, cure


def cured(leak, finding, cure: str):
    """The job with the suggested code in it, as a function of the same module."""
    lines, first = inspect.getsourcelines(leak)
    code = re.search(r"`([^`]+)`", finding.suggestion)[1]
    assert not re.fullmatch(r"[\w.]+", code), finding.suggestion  # a name is no cure
    at = finding.line - first
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines[at : at + 1] = [f"{indent}{code}\n", *([lines[at]] if cure == "before" else [])]
    for number, other in re.findall(r"In line (\d+), too: `([^`]+)`", finding.suggestion):
        line = lines[int(number) - first]
        lines[int(number) - first] = f"{line[: len(line) - len(line.lstrip())]}{other}\n"
    text = textwrap.dedent("".join(lines))
    space = dict(vars(leaks))
    exec(compile(text, "<cured>", "exec"), space)
    return space[leak.__name__]


@functools.cache
def parts() -> dict[str, tuple[set[int], set[str]]]:
    """What the file defines and gives names: each by its marked lines, and what it speaks of."""
    lines, found = inspect.getsource(leaks).splitlines(), {}
    for each in ast.parse("\n".join(lines)).body:
        named = [node.id for node in ast.walk(each) if isinstance(node, ast.Name)]
        own = {n for n in range(each.lineno, (each.end_lineno or 0) + 1) if "# <-" in lines[n - 1]}
        given = [getattr(each, "name", None)] if hasattr(each, "name") else named
        for name in given:
            marks, spoken = found.setdefault(name, (set(), set()))
            marks |= own
            spoken |= {*named}
    return found


def marked(name: str) -> set[int]:
    """The lines that are marked in the job and in all that it uses."""
    seen, ahead = set(), {name}
    while ahead:
        seen |= ahead
        ahead = {n for each in ahead for n in parts()[each][1] if n in parts()} - seen
    return {line for each in seen for line in parts()[each][0]}


@pytest.mark.parametrize("name", LEAKS)
def test_the_statement_the_holder_and_the_cure(watching, name):
    leak = getattr(leaks, name)
    kind, holder, cure = expected(leak)
    found = told(watching, leak).get(kind)
    assert found is not None
    assert found.line in marked(name), (found.line, found.code, found.message)
    assert holder in ("-", found.holder)
    assert found.suggestion
    if cure != "words":
        with watching() as said:
            cured(leak, found, cure)()
        assert {f.kind for f in said.findings} & {kind, "crashed", "graph-chain"} == set()


def test_what_rounds_of_a_comprehension_carry_on_is_detached_and_a_leaf_again(watching):
    found = told(watching, leaks.by_rounds_of_a_comprehension)["graph-chain"]
    assert "`self.weights = moved.detach().requires_grad_()`" in found.suggestion


@pytest.mark.parametrize(
    ("leak", "code"),
    [
        (leaks.by_a_field_of_what_a_function_is_given, "return Gathered("),
        (leaks.by_a_copy_of_a_record_with_a_field_of_its_own, "given = [replace(empty, "),
    ],
)
def test_a_field_is_cut_where_its_record_is_made(watching, leak, code):
    found = told(watching, leak)["second-backward"]
    assert found.code.startswith(code)
    assert "(1 - critic(seen)).detach()" in found.suggestion


def test_all_fields_that_keep_graphs_in_any_of_the_records_are_cut(watching):
    found = told(watching, leaks.by_records_of_which_the_first_has_fewer_graphs)["graph-held"]
    assert "Visit(seen, state.detach(), following.detach())" in found.suggestion


def test_what_is_made_of_what_is_gone_is_not_to_be_made_anew_alone(watching):
    found = told(watching, leaks.by_a_total_of_parts_that_is_walked_twice)["second-backward"]
    assert "`total = " not in found.suggestion
    assert "`total.backward(retain_graph=True)`" in found.suggestion


def test_a_descriptor_that_remembers_stores_into_its_owner(watching):
    found = told(watching, leaks.by_a_descriptor_that_remembers)["second-backward"]
    assert found.code == "owner.__dict__[self.called] = computed"
    assert found.holder == "mesh.spread"
    assert "`del mesh.spread`" in found.suggestion


def test_a_state_is_cut_where_the_step_that_trains_puts_it_together(watching):
    found = told(watching, leaks.by_a_state_that_a_step_puts_together)["graph-chain"]
    assert found.code.startswith("following = {")
    both = "'marks': {'low': low.detach(), 'high': high.detach()}"
    assert both in found.suggestion


def test_a_record_is_told_where_it_is_handed_back_without_its_graph(watching):
    found = told(watching, leaks.by_records_that_go_on_in_a_function)["graph-held"]
    assert found.code.startswith("return turning._replace(")
    assert "`return turning._replace(angle=(0.5 * angle).detach(), turned=" in found.suggestion


def test_a_window_by_which_the_loss_trains_is_to_be_emptied_whoever_has_it_walked(watching):
    found = told(watching, leaks.by_a_window_that_is_walked_again_at_the_end)["second-backward"]
    assert "`quarterly.quarter.clear()`" in found.suggestion
    assert "detach" not in found.suggestion


def test_what_is_moved_ready_made_is_told_where_the_graph_gets_into_it(watching):
    found = told(watching, leaks.by_objects_that_are_moved_ready_made)["graph-held"]
    assert found.holder == "harbour"
    assert found.code.startswith("self.legs.append((number, cost))")
    assert "`self.legs.append((number, cost.detach()))`" in found.suggestion


def test_a_cache_is_told_where_a_context_manager_of_the_programs_own_enters_it(watching):
    found = told(watching, leaks.by_the_cache_that_a_context_manager_enters)["second-backward"]
    line = inspect.getsource(leaks).splitlines()[(found.line or 1) - 1]
    assert "# <- by a context manager" in line
    assert found.holder == "parametrize._cache"


def test_a_mean_that_is_given_numbers_too_goes_on_taking_them(watching):
    found = told(watching, leaks.by_a_mean_of_numbers_and_of_tensors)["graph-held"]
    assert found.code.startswith("self.mass = self.mass + value * n")
    assert "(value.detach() if hasattr(value, 'detach') else value) * n" in found.suggestion


def test_a_cache_that_a_call_makes_is_emptied_not_detached(watching):
    found = told(watching, leaks.by_a_cache_that_a_call_makes)["second-backward"]
    assert found.code.startswith("self.face_of = functools.lru_cache(maxsize=64)")
    assert "`deck.face_of.cache_clear()`" in found.suggestion
    assert "detach" not in found.suggestion


def test_tasks_that_wait_are_to_go_on(watching):
    found = told(watching, leaks.by_tasks_that_wait)["graph-held"]
    assert "by `publish`, which waits" in found.message
    assert "what waits with `metrics` among its variables" in found.suggestion


def test_a_memory_in_the_dict_of_its_owner_is_emptied_there(watching):
    found = told(watching, leaks.by_a_memory_in_the_dict_of_its_owner)["second-backward"]
    assert found.code.startswith("slots[slot] = method(self)")
    assert "`table._worked_out.clear()`" in found.suggestion


def test_what_is_given_by_keyword_is_told_there_from_the_first_word_on(watching):
    with watching() as said:
        leaks.by_states_that_are_advanced()
    held = [finding for finding in said.findings if finding.kind == "graph-held"]
    told_at = {(each.code or "").partition("  #")[0] for each in held}
    assert told_at == {"return progress.advance(merit_now=step())"}


def test_weights_that_gradients_are_asked_of_stay_leaves(watching):
    found = told(watching, leaks.by_a_frozen_record_of_weights)["graph-chain"]
    assert found.code.startswith("return replace(")
    assert "t.detach().requires_grad_() for k, t in" in found.suggestion


def test_states_are_cut_by_the_name_that_the_loop_has_for_them(watching):
    found = told(watching, leaks.by_states_of_which_there_are_none_at_first)["graph-chain"]
    assert found.code.startswith("self.heard[place] = x")
    cut = "`self.ear.heard = [t.detach() for t in self.ear.heard]`"
    assert found.suggestion == f"Once backward is done: {cut}."  # at first they are None


def test_what_a_gradient_is_asked_of_stays_a_leaf(watching):
    found = told(watching, leaks.by_an_adaptation_that_goes_on)["graph-chain"]
    assert found.code.startswith("self.adapted[name] = taken")
    assert "detach().requires_grad_()" in found.suggestion


def test_what_a_loop_draws_is_cut_where_it_is_drawn_from_and_stays_a_leaf(watching):
    found = told(watching, leaks.by_a_descent_that_is_drawn)["graph-chain"]
    assert found.code.endswith("# <- drawn by the loop")
    cut = "`slopes = slopes.detach().requires_grad_()`"
    assert found.suggestion == f"At the start of each round there: {cut}."


def test_both_states_are_cut_that_go_on_behind_the_backward(watching):
    found = told(watching, leaks.by_two_states_that_go_on_behind_the_backward)["graph-chain"]
    assert "# <- behind the backward" in found.code
    assert "holt.level = holt.level.detach()" in found.suggestion
    assert "holt.trend = holt.trend.detach()" in found.suggestion


@pytest.mark.parametrize(
    ("leak", "cut"),
    [
        (
            leaks.by_rows_some_of_which_are_of_numbers,
            "score.detach() if hasattr(score, 'detach') else score",
        ),
        (leaks.by_rows_that_are_all_of_tensors, "score.detach()"),
    ],
    ids=["some", "none"],
)
def test_where_numbers_lie_beside_it_numbers_go_on_being_taken(watching, leak, cut):
    found = told(watching, leak)["graph-held"]
    assert f"`self.rows[tag].append((at, {cut}))`" in found.suggestion


def test_of_a_record_those_fields_are_cut_that_carry_graphs(watching):
    found = told(watching, leaks.by_a_record_of_two_states_and_a_count)["graph-chain"]
    cut = "cell=memory.cell.detach(), hidden=memory.hidden.detach()"
    assert f"`memory = memory._replace({cut})`" in found.suggestion


def test_what_may_be_a_number_by_its_annotation_goes_on_being_taken(watching):
    found = told(watching, leaks.by_outcomes_some_of_which_are_numbers)["graph-held"]
    cut = "outcome.detach() if hasattr(outcome, 'detach') else outcome"
    assert f"`self.timings.append(Timing(seconds, {cut}))`" in found.suggestion


def test_a_failure_that_the_program_catches_again_and_again_is_one_finding(watching):
    weight = torch.ones(4, requires_grad=True)
    notes = []
    with watching() as said:
        for _ in range(40):
            shared = weight.exp()
            try:
                shared.sum().backward()
                shared.pow(2).sum().backward()
            except RuntimeError as error:
                notes.append(error.__notes__)
    found = [finding for finding in said.findings if finding.kind == "second-backward"]
    assert {finding.holder for finding in found} == {"shared"}
    assert len({finding.id for finding in found}) == 1
    assert len(found) == 6  # when it came, and as it doubled
    assert all("gradwatch: " in note for (note,) in notes)


def test_an_attribute_met_in_several_ways_is_one_finding(watching):
    """A penalty that is kept for four rounds fails by the backward of an iteration before, and,
    where that was caught, by one of the same iteration.
    """

    class Lazy:
        def __init__(self, module):
            self.module, self.calls, self.value = module, 0, None

        def __call__(self, x):
            if self.calls % 4 == 0:
                self.value = self.module(x).pow(2).mean()
            self.calls += 1
            return self.value

    with watching() as said:
        torch.manual_seed(0)
        module, head = torch.nn.Linear(3, 3), torch.nn.Linear(3, 1)
        penalty = Lazy(module)
        weights = [*module.parameters(), *head.parameters()]
        optimizer = torch.optim.SGD(weights, 0.01)
        maker = torch.nn.Linear(2, 3)
        other = torch.optim.SGD(maker.parameters(), 0.01)
        for number in range(60):
            x = torch.randn(5, 3)
            loss = head(module(x)).mean() + penalty(x)
            optimizer.zero_grad()
            with contextlib.suppress(RuntimeError):
                loss.backward()
                optimizer.step()
            if number % 5 == 4:  # the step that ends an iteration
                other.zero_grad()
                head(module(maker(torch.randn(5, 2)))).mean().backward()
                other.step()
    found = [finding for finding in said.findings if finding.kind == "second-backward"]
    assert len({finding.id for finding in found}) == 1
    assert all(finding.since_iteration <= finding.iteration for finding in found)


def test_a_store_that_is_filled_by_turns_has_grown():
    """Large, small and middling things in turn: a sample at even steps would meet one kind only."""
    sizes, history = (1_000, 50_000, 15_000), []
    growth = Growth()
    for count in (30, 60, 192):  # of 192 every third is a sample of 64
        history += [torch.ones(sizes[place % 3]) for place in range(len(history), count)]
        growth.look() if not growth.looked else (answer := growth.answer())
    added = sum(4 * sizes[place % 3] for place in range(30, 192))
    assert answer.holder == "history"
    assert 0.7 * added < answer.explains_bytes < 1.3 * added


def test_gradients_that_are_cleared_once_an_epoch_are_one_finding(watching):
    with watching() as said:
        weight = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.01)
        for number in range(80):
            if number % 20 == 0:
                optimizer.zero_grad()
            weight.pow(2).sum().backward()
            optimizer.step()
    assert [(f.kind, f.state) for f in said.findings] == [("grads-accumulate", "raised")]


def test_a_line_that_encloses_the_whole_job_is_not_told(watching):
    """Of what nobody uses, no statement builds half: the innermost that builds all trains, too."""

    def train():
        torch.manual_seed(0)
        model = torch.nn.Linear(4, 3)
        optimizer = torch.optim.SGD(model.parameters(), 0.01)
        for _ in range(60):
            x = torch.randn(8, 4)
            first = model(x).tanh().exp().mean()
            second = model(x).sigmoid().pow(2).mean()
            third = model(x).relu().sqrt().mean()
            optimizer.zero_grad()
            model(x).pow(2).mean().backward()
            optimizer.step()
            del first, second, third

    found = told(watching, train)["graph-unused"]
    assert (found.file, found.line, found.code) == (None, None, None)
    assert "no_grad" in found.suggestion


def test_where_the_loss_trains_by_nothing_else_it_is_cut_when_that_is_done(watching):
    """Cut where it is stored, the loss would have nothing to train by."""
    found = told(watching, leaks.by_a_leaf_through_which_alone_the_loss_trains)["graph-chain"]
    cut = "At the start of each iteration: `guess = guess.detach().requires_grad_()`."
    assert found.suggestion == cut


def test_what_else_keeps_the_same_graphs_is_told(watching):
    with watching() as said:
        step, history, log = leaks.job(), [], {"loss": [], "step": []}
        again = history
        for number in range(40):
            loss = step()
            again.append(loss)
            log["loss"].append({"value": loss})
            log["step"].append(number)
    found = next(finding for finding in said.findings if finding.kind == "graph-held")
    (both,) = re.findall(
        r"`([^`]+)` \(list of \d+\) holds them; so does `([^`]+)`\.", found.message
    )
    assert set(both) == {"history", "log['loss']"}


def test_no_mark_is_left_in_the_programs_frames(watching):
    frame = sys._getframe()
    with watching():
        step = leaks.job()
        step()
        marked = frame.f_trace
    assert marked is not None
    assert frame.f_trace is None


AT_THE_TOP = """
import sys
import torch

sys.modules["__mp_main__"] = sys.modules["__main__"]  # as where workers have been spawned
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), 0.01)
total, last = 0, {}
for _ in range(40):
    out = net(torch.randn(8, 4))
    loss = out.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total = total + loss
    last["out"] = out
"""


@pytest.fixture
def told_of(watching, tmp_path, monkeypatch):
    """The same of the text of a program of one file, in whose process no other leaks are."""

    def told_of(text):
        monkeypatch.delitem(sys.modules, leaks.__name__)
        script = tmp_path / "job.py"
        script.write_text(text)
        os.utime(script, (1_000_000_000, 1_000_000_000))  # older than the process: its text is read
        return told(watching, lambda: runpy.run_path(str(script), run_name="__main__"))

    return told_of


def test_a_sum_at_the_top_of_a_script_that_goes_by_two_names(told_of, monkeypatch):
    monkeypatch.setitem(sys.modules, "__mp_main__", sys.modules["__main__"])
    found = told_of(AT_THE_TOP)["graph-held"]
    assert (found.holder, found.code) == ("total", "total = total + loss")


def test_what_a_loop_goes_through_was_computed_once(watching):
    found = told(watching, leaks.by_rows_of_what_was_encoded_at_once)["second-backward"]
    assert "call backward once, behind the loop" in found.suggestion


def test_what_an_iterator_goes_on_from_is_cut_where_it_is_read(watching):
    found = told(watching, leaks.by_an_iterator_of_ones_own)["graph-chain"]
    assert "`self.risen = self.risen.detach()`" in found.suggestion


def test_an_attribute_that_each_of_many_has_is_cut_where_it_is_stored(watching):
    found = told(watching, leaks.by_the_form_of_each_racer)["graph-held"]
    assert found.holder == "stable.racers"
    assert found.code.startswith("self.form = ")
    assert found.suggestion.startswith("Store it without its graph: `self.form = ")


BUDGETED = """
import contextlib
import torch
from torch import nn

@contextlib.contextmanager
def rationed(layer):
    with torch.no_grad():
        BEFORE
    yield layer
    with torch.no_grad():
        AFTER

net = nn.Sequential(nn.Linear(4, 4), nn.Softplus(), nn.Linear(4, 3))
optimizer = torch.optim.SGD(net.parameters(), 0.01)
for _ in range(8):
    with rationed(net[2]):
        loss = net(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_a_block_that_changes_weights_when_it_is_left_is_to_hold_the_backward(told_of):
    text = BUDGETED.replace("AFTER", "layer.weight.mul_(0.5)").replace("BEFORE", "pass")
    found = told_of(text)["inplace-modified"]
    assert found.code == "with rationed(net[2]):"
    assert "Call `loss.backward()` within `with rationed(net[2]):`" in found.suggestion


def test_what_a_block_begins_with_has_not_changed_what_was_saved_in_it(told_of):
    text = BUDGETED.replace("BEFORE", "layer.weight.mul_(0.5)").replace("AFTER", "pass")
    late = "    with torch.no_grad():\n        net[2].weight.mul_(0.5)\n    loss.backward()\n"
    found = told_of(text.replace("    loss.backward()\n", late))["inplace-modified"]
    assert found.code == "net[2].weight.mul_(0.5)"
