"""What is told of graphs that go on: where they are cut, and what stays a leaf."""

from __future__ import annotations

import pytest

from . import leaks
from .cases import told, unload
from .leaks.chain import (
    attributes,
    beliefs,
    composed,
    cuts,
    descents,
    functions,
    going_on,
    names,
    records,
    slow_weights,
)


def test_what_rounds_of_a_comprehension_carry_on_is_detached_and_a_leaf_again(watching):
    found = told(watching, descents.by_rounds_of_a_comprehension)["graph-chain"]
    assert "`self.weights = moved.detach().requires_grad_()`" in found.suggestion


def test_a_state_is_cut_where_the_step_that_trains_puts_it_together(watching):
    found = told(watching, records.by_a_state_that_a_step_puts_together)["graph-chain"]
    assert found.code.startswith("following = {")
    both = "'marks': {'low': low.detach(), 'high': high.detach()}"
    assert both in found.suggestion


def test_what_is_read_beside_what_is_trained_by_is_emptied_with_it(watching):
    found = told(watching, records.by_odds_with_their_gains_beside_them)["graph-chain"]
    assert "`bets.odds.clear(); bets.gains.clear()`" in found.suggestion


def test_what_the_loss_reads_where_it_was_just_put_goes_on_training(watching):
    found = told(watching, going_on.by_what_is_read_ahead)["graph-chain"]
    cut = "`means = [t.detach() for t in means]`"
    assert found.suggestion == f"At the start of each iteration: {cut}."
    found = told(watching, going_on.by_an_update_read_ahead)["graph-chain"]
    cut = "`state['mean'] = state['mean'].detach()`"
    assert found.suggestion == f"At the start of each iteration: {cut}."


def test_weights_that_gradients_are_asked_of_stay_leaves(watching):
    found = told(watching, descents.by_a_frozen_record_of_weights)["graph-chain"]
    assert found.code.startswith("return replace(")
    assert "t.detach().requires_grad_() for k, t in" in found.suggestion


def test_weights_that_nothing_else_trains_begin_again_from_them(watching):
    found = told(watching, descents.by_adapted_weights_that_never_begin_again)["graph-chain"]
    code = "{name: weight.clone() for name, weight in model.named_parameters()}"
    assert f"again, which nothing else trains: `adapted_weights = {code}`." in found.suggestion


def test_those_that_began_without_them_go_on_as_they_are(watching):
    found = told(watching, descents.by_detached_weights_that_a_learned_rate_moves)["graph-chain"]
    assert "again" not in found.suggestion
    assert "{k: t.detach().requires_grad_() for k, t in" in found.suggestion


def test_states_are_cut_by_the_name_that_the_loop_has_for_them(watching):
    found = told(watching, attributes.by_states_of_which_there_are_none_at_first)["graph-chain"]
    assert found.code.startswith("self.heard[place] = x")
    each = "t.detach() if torch.is_tensor(t) else t"  # at first they are None
    cut = f"`self.ear.heard = [{each} for t in self.ear.heard]`"
    assert found.suggestion == f"Once backward is done: {cut}."


def test_what_begins_with_nothing_is_cut_once_there_is_something(watching):
    found = told(watching, names.by_names_that_begin_with_nothing)["graph-chain"]
    assert found.suggestion.startswith("Once backward is done: ")


def test_an_attribute_that_a_variable_names_is_cut_where_it_is_set(watching):
    found = told(watching, names.under_a_name_that_a_variable_holds)["graph-chain"]
    assert found.suggestion == ("Store it without its graph: `setattr(self, key, mean.detach())`.")


def test_what_only_a_closure_knows_is_cut_from_within(watching):
    found = told(watching, functions.by_a_state_that_a_function_closes_over)["graph-chain"]
    assert "`def cut(): nonlocal state; state = state.detach()`" in found.suggestion


def test_of_a_dict_of_unlike_things_each_is_cut_as_it_is(watching):
    found = told(watching, going_on.by_a_dict_of_a_pair_and_a_tensor_and_a_count)["graph-chain"]
    each = "lambda t: t.detach() if torch.is_tensor(t) else t"
    assert f"`state = torch.utils._pytree.tree_map({each}, state)`" in found.suggestion


def test_copies_of_weights_are_cut_where_they_are_made_for_they_are_compared_with(watching):
    found = told(watching, slow_weights.by_copies_of_where_it_began)["graph-chain"]
    assert found.suggestion.startswith("Detach it ahead of the loop, for it is a copy of weights")
    assert "`start = {k: t.detach() for k, t in start.items()}`" in found.suggestion


def test_a_part_of_what_is_made_anew_is_cut_by_its_name(watching):
    found = told(watching, beliefs.by_the_distribution_that_was_last)["graph-chain"]
    cut = "`policy.last.loc = policy.last.loc.detach()`"
    assert found.suggestion == f"Once backward is done: {cut}."  # at first there is none


def test_what_a_gradient_is_asked_of_stays_a_leaf(watching):
    found = told(watching, descents.by_an_adaptation_that_goes_on)["graph-chain"]
    assert found.code.startswith("self.adapted[name] = taken")
    assert "detach().requires_grad_()" in found.suggestion


def test_what_a_loop_draws_is_cut_where_it_is_drawn_from_and_stays_a_leaf(watching):
    found = told(watching, functions.by_a_descent_that_is_drawn)["graph-chain"]
    assert found.code.endswith("# <- drawn by the loop")
    assert "ahead of `slope, = torch.autograd.grad(" in found.suggestion
    assert "`slopes = slopes.detach().requires_grad_()`" in found.suggestion


def test_both_states_are_cut_that_go_on_behind_the_backward(watching):
    found = told(watching, attributes.by_two_states_that_go_on_behind_the_backward)["graph-chain"]
    assert "# <- behind the backward" in found.code
    assert "holt.level = holt.level.detach()" in found.suggestion
    assert "holt.trend = holt.trend.detach()" in found.suggestion


def test_what_comes_late_is_cut_where_it_is_stored(watching, monkeypatch):
    """Detached in each iteration, it would fail in those before it is there."""
    unload(leaks, monkeypatch, but=slow_weights.__name__)
    found = told(watching, slow_weights.by_a_teacher_that_comes_late)["graph-chain"]
    assert "torch.lerp(self.slow[name], weight, 0.1).detach() for name" in found.suggestion


def test_both_moments_are_cut_where_each_is_stored(watching):
    found = told(watching, attributes.by_two_moments_stored_one_after_the_other)["graph-chain"]
    first, second = "self.first = first.detach()", "self.second = second.detach()"
    line = found.line + 1
    assert found.suggestion == (
        f"Store it without its graph: `{first}`. In line {line}, too: `{second}`."
    )


def test_of_a_record_those_fields_are_cut_that_carry_graphs(watching):
    found = told(watching, records.by_a_record_of_two_states_and_a_count)["graph-chain"]
    cut = "cell=memory.cell.detach(), hidden=memory.hidden.detach()"
    assert f"`memory = memory._replace({cut})`" in found.suggestion


def test_where_the_loss_trains_by_nothing_else_it_is_cut_when_that_is_done(watching):
    """Cut where it is stored, the loss would have nothing to train by."""
    found = told(watching, descents.by_a_leaf_through_which_alone_the_loss_trains)["graph-chain"]
    cut = "At the start of each iteration: `guess = guess.detach().requires_grad_()`."
    assert found.suggestion == cut


def test_what_an_iterator_goes_on_from_is_cut_where_it_is_read(watching):
    found = told(watching, functions.by_an_iterator_of_ones_own)["graph-chain"]
    assert "`self.risen = self.risen.detach()`" in found.suggestion


def test_what_goes_on_beside_something_that_is_cut_is_cut_where_that_is(watching):
    found = told(watching, cuts.by_a_level_that_is_not_cut_with_the_other)["graph-chain"]
    where = "`self.fast = self.fast.detach()` stands"
    assert found.suggestion == f"Cut it, too, where {where}: `self.slow = self.slow.detach()`."


def test_what_another_class_cuts_is_not_beside_it(watching):
    found = told(watching, cuts.by_a_drift_that_nobody_cuts)["graph-chain"]
    assert found.suggestion == (
        "At the start of each iteration: `buoy.drift = buoy.drift.detach()`."
    )


def test_what_goes_on_from_the_last_round_by_way_of_another_name_is_cut_as_a_whole(watching):
    job = records.by_a_belief_that_is_predicted_before_it_is_corrected
    found = told(watching, job)["graph-chain"]
    for part in ("middle", "width"):
        assert f"belief.{part} = belief.{part}.detach()" in found.suggestion


WINDOW = """
    import torch
    from collections import deque
    query, key = torch.nn.Linear(4, 3), torch.nn.Linear(4, 3)
    bank = deque(maxlen=80)
    optimizer = torch.optim.SGD([*query.parameters(), *key.parameters()], 0.01)
    for step in range(130):
        asked, new = query(torch.randn(2, 4)), key(torch.randn(2, 4))
        loss = (asked @ torch.cat([new, *bank]).t()).tanh().mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        bank.append(new)
        if step % 25 == 0:
            print((asked @ new.t()).argmax(1).tolist())
"""


def test_what_a_long_window_holds_is_not_held_besides(checked):
    found = checked(WINDOW).findings
    assert {each.kind for each in found} == {"graph-chain"}
    assert found[-1].state == "resolved"


SAMPLING = """
import torch

class Net:
    def __init__(self):
        self.weight = torch.zeros(4, requires_grad=True)
        self.state = torch.zeros(4)

    def step(self):
        self.state = torch.tanh(self.weight + self.state)
        return self.state.sum()

@torch.no_grad()
def sample(net):
    {before}
    heard = [net.step().item() for _ in range(5)]
    net.state = saved
    return heard

net = Net()
for number in range(40):
    net.step().backward(retain_graph=True)
    with torch.no_grad():
        net.weight -= 0.1 * net.weight.grad
        net.weight.grad = None
    if number % 15 == 0:
        sample(net)
"""


@pytest.mark.parametrize(
    "before",
    [
        "saved, net.state = net.state, torch.zeros(4)",
        "saved = net.state; net.state = torch.ones(4)",
    ],
)
def test_a_state_that_is_put_back_has_not_begun_anew(checked, before):
    told = checked(SAMPLING.format(before=before)).findings
    assert {(f.kind, f.holder, f.iteration) for f in told} == {("graph-chain", "net.state", 5)}


def test_weights_whose_gradients_are_asked_for_stay_leaves(watching):
    found = told(watching, composed.by_weights_whose_gradients_a_helper_asks_for)["graph-chain"]
    name = "kernels_of[1]['kernel']"
    assert f"{name} = {name}.detach().requires_grad_()" in found.suggestion


def test_of_a_record_that_is_handed_on_all_is_cut(watching, monkeypatch):
    unload(leaks, monkeypatch, but=going_on.__name__)
    found = told(watching, going_on.by_all_that_a_record_has)["graph-chain"]
    cut = "{k: t.detach() if hasattr(t, 'detach') else t for k, t in known.items()}"
    assert f"`self.known_by_now = {cut}`" in found.suggestion


STANDING = """
import contextlib
import torch
from torch import nn

cell, head = nn.RNNCell(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], 0.01)
STATE

def train():
    for _ in range(12):
        x = torch.randn(2, 4)
        loss = (tell(x) - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

with contextlib.suppress(RuntimeError):
    train()
"""

OF_A_MODULE = """
h = None

def tell(x):
    global h
    h = cell(x, h)
    return head(h)
"""

OF_A_DEFAULT = """
def tell(x, kept={"h": None}):
    kept["h"] = cell(x, kept["h"])
    return head(kept["h"])
"""

OF_A_GENERATOR = """
def stream():
    h, told = torch.zeros(2, 8), None
    while True:
        x = yield told
        h = cell(x, h)
        told = head(h)

telling = stream()
next(telling)
tell = telling.send
"""


@pytest.mark.parametrize(
    ("state", "cut"),
    [
        (OF_A_MODULE, "h = cell(x, None if h is None else h.detach())"),
        (OF_A_DEFAULT, "kept['h'] = cell(x, None if kept['h'] is None else kept['h'].detach())"),
        (OF_A_GENERATOR, "h = cell(x, h.detach())"),
    ],
    ids=["module", "default", "generator"],
)
def test_what_the_training_function_cannot_rebind_is_cut_where_it_goes_on(checked, state, cut):
    (found,) = checked(STANDING.replace("STATE", state)).findings
    assert found.suggestion == f"Let it go on without its graph: `{cut}`."


def test_within_a_round_a_module_s_variable_is_cut_by_whoever_declares_it(checked):
    state = OF_A_MODULE.replace(
        "    h = cell(x, h)", "    for _ in range(3):\n        h = cell(x, h)"
    )
    (found,) = checked(STANDING.replace("STATE", state)).findings
    assert "`global h; h = " in found.suggestion


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (
            records.by_moments_in_a_record_beside_its_weights,
            "`moments = Moments(mean.detach(), spread.detach())`",
        ),
        (records.by_frozen_layers_in_a_frozen_stack, "tuple(replace(t, h=t.h.detach()) for t in"),
    ],
)
def test_of_a_record_that_part_is_cut_and_no_weights_beside_it(watching, monkeypatch, job, said):
    unload(leaks, monkeypatch, but=job.__module__)
    assert said in told(watching, job)["graph-chain"].suggestion


REGULARISED = """
import torch
from torch import nn

features = {}

def hear(module, inputs, out):
    features["low"] = out

class Consistency:
    def __init__(self):
        self.previous = {}

    def __call__(self, current):
        total = torch.zeros(())
        for name, now in current.items():
            old = self.previous.get(name)
            if old is not None:
                total = total + (now.mean(0) - old.mean(0)).pow(2).sum()
        self.previous = dict(current)
        return total

net, consistency = nn.Sequential(nn.Linear(4, 3), nn.Tanh()), Consistency()
net[1].register_forward_hook(hear)
try:
    for _ in range(5):
        loss = net(torch.randn(8, 4)).pow(2).mean()
        loss = loss + consistency(features)
        loss.backward()
except RuntimeError:
    pass
"""


def test_of_two_names_the_one_carries_it_that_the_very_line_reads(checked):
    found = checked(REGULARISED).findings[-1]
    assert found.kind == "second-backward"
    assert found.holder.startswith("consistency.previous")
    assert found.code == "self.previous = dict(current)"


CAST_ANEW = """
import torch
from torch import nn

torch.manual_seed(0)
maker, judge = nn.Linear(4, 8), nn.Sequential(nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 1))
optimizers = [torch.optim.AdamW(net.parameters(), 0.01) for net in (judge, maker)]
for _ in range(40):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for optimizer in optimizers:
            made = maker(torch.randn(8, 4))
            loss = judge(made if optimizer is optimizers[1] else made.detach()).float().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
"""


def test_weights_that_autocast_copies_anew_in_each_iteration_are_no_chain(checked):
    assert not [f for f in checked(CAST_ANEW).findings if f.level != "info"]


_A_FEW_ROUNDS = """
import torch
from torch import nn

torch.manual_seed(0)
cell, head = nn.GRUCell(3, 6), nn.Linear(6, 3)
weights = [*cell.parameters(), *head.parameters()]


def unrolled(seen, rounds):
    state, states = torch.zeros(4, 6), []
    for number, each in enumerate(seen):
        state = cell(each, state)
        states.append(state)
        if (number + 1) % rounds == 0:
            yield torch.stack(states)
            CUT


for states in unrolled([torch.randn(4, 3) for _ in range(120)], 4):
    gradients = torch.autograd.grad(head(states).pow(2).mean(), weights, retain_graph=True)
    with torch.no_grad():
        for weight, gradient in zip(weights, gradients, strict=True):
            weight.data = weight.data - 0.01 * gradient
"""


def test_of_several_rounds_between_two_yields_none_is_cut_from_the_next(checked):
    kinds = {f.kind: f for f in checked(_A_FEW_ROUNDS.replace("CUT", "states = []")).findings}
    found = kinds["graph-chain"]
    assert (found.code, found.holder) == ("state = cell(each, state)", "state")
    assert found.suggestion == "Behind the `yield` in line 17: `state = state.detach()`."


def test_the_state_may_be_cut_behind_the_yield(checked):
    cut = "state = state.detach(); states = []"
    kinds = {each.kind for each in checked(_A_FEW_ROUNDS.replace("CUT", cut)).findings}
    assert kinds <= {"retain-needless"}


_IN_GRAD = """
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(5, 1)
weights = [weight for weight in model.parameters()]
for _ in range(30):
    loss = (model(torch.randn(8, 5)) - 1).pow(2).mean()
    CLEAR
    loss.backward(create_graph=True)
    slopes = [weight.grad for weight in weights]
    probes = [torch.ones_like(slope) for slope in slopes]
    curved = torch.autograd.grad(slopes, weights, grad_outputs=probes, retain_graph=True)
    with torch.no_grad():
        for weight in weights:
            weight.data -= 0.01 * weight.grad
"""


def test_gradients_with_graphs_that_add_up_are_the_backwards_that_leaves_them(checked):
    kinds = {each.kind: each for each in checked(_IN_GRAD.replace("CLEAR", "pass")).findings}
    found = kinds["graph-chain"]
    assert (found.code, found.holder) == ("loss.backward(create_graph=True)", "weight.grad")
    assert "torch.autograd.grad(..., create_graph=True) in place of" in found.suggestion


def test_cleared_they_are_no_chain(checked):
    found = checked(_IN_GRAD.replace("CLEAR", "model.zero_grad()")).findings
    assert "graph-chain" not in {each.kind for each in found}
