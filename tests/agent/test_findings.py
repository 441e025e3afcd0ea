"""How often something is told, and what of the programs that are the tests' own."""

from __future__ import annotations

import contextlib
import copy
import re
import sys

import pytest
import torch
from torch import nn

from .cases import told
from .leaks import common
from .leaks.inplace import elements


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


def test_what_a_failing_backward_has_freed_is_no_fault_of_its_own(watching):
    """No step ends the iteration: the next try walks what the one before had freed till it failed,
    besides what was freed an iteration ago.
    """
    with watching() as said:
        torch.manual_seed(0)
        model, kept, failed = torch.nn.Linear(4, 1), [], 0
        optimizer = torch.optim.SGD(model.parameters(), 0.01)
        for _ in range(30):
            loss = model(torch.randn(8, 4)).pow(2).mean()
            total = loss * (kept[-1] / kept[-2]) if len(kept) > 1 else loss
            kept.append(loss)
            del kept[:-2]
            optimizer.zero_grad()
            try:
                total.backward()
            except RuntimeError:
                failed += 1
                continue
            optimizer.step()
    assert failed == 28
    found = [finding for finding in said.findings if finding.kind == "second-backward"]
    assert {(finding.code, finding.holder) for finding in found} == {("kept.append(loss)", "kept")}
    assert len({finding.id for finding in found}) == 1
    assert {"built 1 iteration earlier" in finding.message for finding in found} == {True}


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


def test_a_target_network_beside_a_deeper_one_is_told_of(watching):
    """A third of what is built, if its outputs are detached alone."""

    def train():
        torch.manual_seed(0)
        online = torch.nn.Sequential(*(torch.nn.Linear(4, 4) for _ in range(4)))
        predictor = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh())
        target = copy.deepcopy(online)
        last = torch.nn.Linear(8, 4)
        optimizer = torch.optim.SGD([*online.parameters(), *predictor.parameters()], 0.01)
        for _ in range(60):
            x = torch.randn(8, 4)
            wanted = target(x)
            loss = (last(predictor(online(x))) - wanted.detach()).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    found = told(watching, train)["graph-unused"]
    assert found.code == "wanted = target(x)"


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


def bound_of(model, x):
    terms = []
    for _ in range(8):
        first = model(x + torch.randn_like(x)).tanh()
        second = first.exp() * first
        terms.append(second.mean() + first.log1p().mean())
    return torch.stack(terms).logsumexp(0)


def test_of_several_statements_in_a_function_the_call_is_told_by_which_they_build_in_vain(watching):
    def train():
        torch.manual_seed(0)
        model = torch.nn.Linear(4, 3)
        optimizer = torch.optim.SGD(model.parameters(), 0.01)
        for _ in range(60):
            x = torch.randn(8, 4)
            optimizer.zero_grad()
            model(x).pow(2).mean().backward()
            optimizer.step()
            scale = model.weight.norm()
            bound = bound_of(model, x)
            print(scale.item(), bound.item())

    found = told(watching, train)["graph-unused"]
    assert found.code == "bound = bound_of(model, x)"


def test_what_else_keeps_the_same_graphs_is_told(watching):
    with watching() as said:
        step, history, log = common.job(), [], {"loss": [], "step": []}
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
    assert set(both) == {"again", "log['loss']"}


def test_no_mark_is_left_in_the_programs_frames(watching):
    frame = sys._getframe()
    with watching():
        step = common.job()
        step()
        marked = frame.f_trace
    assert marked is not None
    assert frame.f_trace is None


AT_THE_TOP = """
import sys
import torch
from torch import nn

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


def test_a_sum_at_the_top_of_a_script_that_goes_by_two_names(told_of, monkeypatch):
    monkeypatch.setitem(sys.modules, "__mp_main__", sys.modules["__main__"])
    found = told_of(AT_THE_TOP)["graph-held"]
    assert (found.holder, found.code) == ("total", "total = total + loss")


def test_of_a_part_the_whole_is_put_together_anew(watching):
    found = told(watching, elements.a_half_that_is_one_or_the_other)["inplace-modified"]
    assert found.suggestion.startswith("`half` shows a part of `rates`, which is read later")


def test_a_graph_that_is_walked_again_now_and_then_is_kept_for_that(watching):
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def train(number):
        first, second = model(torch.randn(8, 4)).pow(2).mean(0).unbind()
        optimizer.zero_grad()
        (first + second).backward(retain_graph=True)
        optimizer.step()
        if number % 100 == 99:
            torch.autograd.grad(first, model[0].weight)

    found = told(watching, lambda: [train(number) for number in range(60)])["retain-needless"]
    code = "`(first + second).backward(retain_graph=number % 100 == 99)`"
    assert found.suggestion.endswith(f"keep it for that alone, {code}.")


def test_another_graph_that_is_walked_now_and_then_keeps_none(watching):
    model, other = nn.Sequential(nn.Linear(4, 4), nn.Tanh()), nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def train(number):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        if number % 100 == 99:
            other(torch.randn(8, 4)).mean().backward()

    found = told(watching, lambda: [train(number) for number in range(60)])["retain-needless"]
    assert found.suggestion == "Remove retain_graph=True."


def test_what_is_handed_on_whenever_it_is_made_waits_for_no_condition(watching):
    first, second = nn.Linear(4, 4), nn.Linear(4, 4)
    optimizers = [torch.optim.SGD(each.parameters(), 0.01) for each in (first, second)]

    def train():
        waiting = None
        for _ in range(60):
            x = torch.randn(8, 4)
            hidden = first(x).tanh()
            ahead = second(hidden.detach()).exp().log().sin().square().mean()
            optimizers[0].zero_grad()
            hidden.square().mean().backward()
            optimizers[0].step()
            if waiting is not None:
                optimizers[1].zero_grad()
                waiting.backward()
                optimizers[1].step()
                ahead = ahead if x is None else second(hidden.detach()).square().mean()
            waiting = ahead

    found = told(watching, train)["graph-unused"]
    assert "only where a backward is to walk that" in found.suggestion


def test_of_which_some_are_chosen_none_was_built_in_vain(watching):
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def train():
        losses = [model(torch.randn(8, 4)).square().mean() for _ in range(4)]
        hardest = sorted(losses, key=lambda loss: -loss.item())[:2]
        loss = sum(hardest) / len(hardest)
        optimizer.zero_grad()
        loss.backward()
        loss.detach().requires_grad_().mul(2)  # a little beside them
        optimizer.step()

    assert "graph-unused" not in told(watching, lambda: [train() for _ in range(60)])


def test_what_is_walked_an_iteration_late_was_not_built_in_vain(watching):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    waiting = []

    def train():
        waiting.append(model(torch.randn(4)))
        if len(waiting) > 1:
            error = waiting[-1].detach() - waiting.pop(0)
            optimizer.zero_grad()
            error.pow(2).mean().backward()
            optimizer.step()

    assert not told(watching, lambda: [train() for _ in range(60)])


def test_what_is_to_be_trained_by_later_keeps_its_graph_for_that(watching):
    body, aux = nn.Sequential(nn.Linear(4, 4), nn.Tanh()), nn.Linear(4, 4)
    optimizer = torch.optim.SGD([*body.parameters(), *aux.parameters()], 0.01)

    def train(number):
        hidden = body(torch.randn(8, 4))
        loss = hidden.pow(2).mean()
        beside = torch.tanh(aux(hidden)).exp().log().sin().cos().pow(2).mean()
        if number >= 100:
            loss = loss + beside
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    found = told(watching, lambda: [train(number) for number in range(60)])["graph-unused"]
    assert "`with torch.set_grad_enabled(number >= 100): beside = " in found.suggestion


@pytest.mark.parametrize(
    ("leak", "said"),
    [
        (elements.by_what_is_gathered_under_a_name, "self.by_name[name] = self.by_name[name] +"),
        (elements.by_what_is_gathered_in_slots, "self.by_number[number] = self.by_number[number]"),
        (
            elements.by_what_a_function_is_handed_a_list_of,
            "channels[place] = channels[place] +",
        ),
        (elements.by_each_of_a_list_that_is_masked, "put that into its place in `hidden`: `one ="),
    ],
)
def test_an_element_of_a_list_or_dict_is_made_anew(watching, leak, said):
    assert said in told(watching, leak)["inplace-modified"].suggestion


def test_what_is_read_detached_alone_is_never_trained_by(watching):
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def train(number):
        beside = model(torch.randn(8, 4))
        found = model(torch.randn(8, 4))
        if number > 0:
            loss = (found - beside.detach()).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    found = told(watching, lambda: [train(number) for number in range(60)])["graph-unused"]
    assert "`with torch.no_grad(): beside = " in found.suggestion
    assert "may train" not in found.suggestion


class TwoHeaded(nn.Module):
    """Whose second head no loss reads."""

    def __init__(self):
        super().__init__()
        self.stem, self.head = nn.Linear(4, 8), nn.Linear(8, 3)
        self.beside = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 3))

    def forward(self, seen):
        stem = self.stem(seen).relu()
        aside = self.beside(stem)
        return self.head(stem), aside


def test_a_head_that_no_loss_reads_may_have_been_forgotten_there(watching):
    model = TwoHeaded()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def train():
        scores, _ = model(torch.randn(8, 4))
        optimizer.zero_grad()
        scores.square().mean().backward()
        optimizer.step()

    found = told(watching, lambda: [train() for _ in range(60)])["graph-unused"]
    assert found.suggestion.startswith("If `aside` is to train anything, the loss must read it;")
