"""What is told of graphs that are kept: the statement, the holder, the change."""

from __future__ import annotations

import textwrap

import pytest

from . import leaks
from .cases import told, unload
from .leaks.held import (
    attributes,
    coroutines,
    dicts,
    functions,
    hooks,
    links,
    lists,
    recorders,
    records,
    sums,
    trained,
)


def test_records_whose_fields_are_trained_by_are_let_go_as_they_are(watching):
    found = told(watching, records.by_turns_that_are_trained_by_and_never_let_go)["graph-held"]
    assert found.code.startswith("self.turns.append(Ply(*parts))")
    assert "`played.turns.clear()`" in found.suggestion


def test_a_column_that_is_forgotten_is_emptied_where_the_others_are(watching):
    job = records.by_a_column_that_is_not_emptied_with_the_others
    found = told(watching, job)["graph-held"]
    where = "`for column in (self.odds, self.rewards):` stands"
    assert found.suggestion == f"Empty it, too, where {where}: `self.doubts.clear()`."


def test_of_what_each_layer_gives_the_newest_is_kept(watching):
    found = told(watching, hooks.by_what_each_layer_gives)["graph-held"]
    assert "keep no other, `self.given_by.setdefault(name, [])[:] = [out]`" in found.suggestion


def test_the_list_of_the_hooks_handles_is_not_the_one_to_empty(watching, monkeypatch):
    unload(leaks, monkeypatch, but=hooks.__name__)
    found = told(watching, hooks.by_hooks_whose_handles_are_listed)["graph-held"]
    assert found.suggestion.endswith("but empty `activations` ahead of each forward.")


def test_an_average_that_goes_on_without_graph_must_begin_without_one(watching):
    found = told(watching, sums.by_averages_of_several_terms)["graph-held"]
    cut = "term.detach() if hasattr(term, 'detach') else term"
    assert f"`self.by_name[name] = 0.9 * before + 0.1 * ({cut})`" in found.suggestion
    assert found.suggestion.endswith(f", too: `self.by_name[name] = {cut}`.")


def test_what_an_object_carries_in_a_list_is_detached_ahead(watching, monkeypatch):
    unload(leaks, monkeypatch, but=records.__name__)
    found = told(watching, records.by_episodes_that_carry_lists)["graph-held"]
    assert "`episode.odds = [t.detach() for t in episode.odds]`" in found.suggestion


def test_so_are_pairs_of_which_one_is_trained_by(watching):
    found = told(watching, records.by_pairs_that_are_trained_by_and_never_let_go)["graph-held"]
    assert found.suggestion.startswith("Once backward is done: `tried.pairs.clear()`, if the loss")


def test_what_is_moved_ready_made_is_told_where_the_graph_gets_into_it(watching):
    found = told(watching, lists.by_objects_that_are_moved_ready_made)["graph-held"]
    assert found.holder == "harbour"
    assert found.code.startswith("self.legs.append((number, cost))")
    assert "`self.legs.append((number, cost.detach()))`" in found.suggestion


def test_a_record_is_told_where_it_is_handed_back_without_its_graph(watching):
    found = told(watching, records.by_records_that_go_on_in_a_function)["graph-held"]
    assert found.code.startswith("return turning._replace(")
    assert "`return turning._replace(angle=(0.5 * angle).detach(), turned=" in found.suggestion


def test_all_fields_that_keep_graphs_in_any_of_the_records_are_cut(watching):
    found = told(watching, records.by_records_of_which_the_first_has_fewer_graphs)["graph-held"]
    assert "Visit(seen, state.detach(), following.detach())" in found.suggestion


def test_what_a_task_returns_is_no_element_of_the_set_of_tasks(watching):
    found = told(watching, coroutines.by_the_results_of_tasks)["graph-held"]
    assert "`return loss.detach()`" in found.suggestion


def test_a_mean_that_is_given_numbers_too_goes_on_taking_them(watching):
    found = told(watching, sums.by_a_mean_of_numbers_and_of_tensors)["graph-held"]
    assert found.code.startswith("self.mass = self.mass + value * n")
    assert "(value.detach() if hasattr(value, 'detach') else value) * n" in found.suggestion


def test_what_a_call_farther_up_gives_numbers_goes_on_taking_them(watching):
    found = told(watching, recorders.by_a_series_of_either)["graph-held"]
    assert "value.detach() if hasattr(value, 'detach') else value" in found.suggestion


def test_a_default_that_is_given_numbers_too_goes_on_taking_them(watching):
    found = told(watching, dicts.of_a_default_beside_plain_numbers)["graph-held"]
    assert "value.detach() if hasattr(value, 'detach') else value" in found.suggestion


@pytest.mark.parametrize(
    ("leak", "cut"),
    [
        (
            dicts.by_rows_some_of_which_are_of_numbers,
            "score.detach() if hasattr(score, 'detach') else score",
        ),
        (dicts.by_rows_that_are_all_of_tensors, "score.detach()"),
    ],
    ids=["some", "none"],
)
def test_where_numbers_lie_beside_it_numbers_go_on_being_taken(watching, leak, cut):
    found = told(watching, leak)["graph-held"]
    assert f"`self.rows[tag].append((at, {cut}))`" in found.suggestion


def test_what_may_be_a_number_by_its_annotation_goes_on_being_taken(watching):
    found = told(watching, records.by_outcomes_some_of_which_are_numbers)["graph-held"]
    cut = "outcome.detach() if hasattr(outcome, 'detach') else outcome"
    assert f"`self.timings.append(Timing(seconds, {cut}))`" in found.suggestion


def test_tasks_that_wait_are_to_go_on(watching):
    found = told(watching, coroutines.by_tasks_that_wait)["graph-held"]
    assert "by `publish`, which waits" in found.message
    assert "what waits with `metrics` among its variables" in found.suggestion


def test_what_is_given_by_keyword_is_told_there_from_the_first_word_on(watching):
    with watching() as said:
        links.by_states_that_are_advanced()
    held = [finding for finding in said.findings if finding.kind == "graph-held"]
    told_at = {(each.code or "").partition("  #")[0] for each in held}
    assert told_at == {"return progress.advance(merit_now=step())"}


def test_an_attribute_that_each_of_many_has_is_cut_where_it_is_stored(watching):
    found = told(watching, sums.by_the_form_of_each_racer)["graph-held"]
    assert found.holder == "stable.racers"
    assert found.code.startswith("self.form = ")
    assert found.suggestion.startswith("Store it without its graph: `self.form = ")


def test_what_a_first_walk_retained_and_the_loss_freed_waits_for_no_other(watching):
    found = told(watching, lists.of_penalties_by_derivatives)["graph-held"]
    assert "backward is done with them" in found.message


def test_a_mean_of_which_others_ask_what_a_tensor_knows_stays_one(watching):
    found = told(watching, sums.by_a_mean_that_is_handed_back)["graph-held"]
    assert "0.1 * (x.detach() if hasattr(x, 'detach') else x)`" in found.suggestion


def test_one_list_that_nobody_empties_is_to_be_emptied_as_the_others_are(watching):
    found = told(watching, hooks.by_taps_of_which_one_is_never_read)["graph-held"]
    assert "`taps.seen['2'].clear()`" in found.suggestion


def test_a_record_of_all_that_is_given_is_made_of_what_has_no_graph(watching):
    leak = records.by_a_record_of_all_that_is_given_some_of_it_unpacked
    each = "t.detach() if hasattr(t, 'detach') else t"
    code = f"`self.rows.append(Transition(*({each} for t in fields)))`"
    assert code in told(watching, leak)["graph-held"].suggestion


@pytest.mark.parametrize(
    ("leak", "said"),
    [
        (trained.by_what_is_read_from_a_mark_on, "`unroll.unrolled.clear()`"),
        (trained.by_a_function_that_another_makes, "`visited.clear()`"),
        (trained.by_what_each_step_taps, "`taps.tapped.clear()`"),
        (
            trained.by_two_of_which_the_newest_are_read,
            ", too: `nearnesses['far'][:] = [made.abs().mean()]`.",
        ),
        (
            trained.by_costs_of_which_the_last_few_are_added_up,
            "`self.costs.append(cost); del self.costs[:-n]`",
        ),
        (
            trained.by_states_of_which_a_few_back_are_read,
            "`contexts.append(now); del contexts[:-n]`, where `n` is the most that is read",
        ),
        (trained.by_lists_that_a_word_names, "`columns.valued.clear()`"),
        (trained.by_a_list_that_is_read_from_where_it_ended, "`told_of.clear(); start = 0`"),
    ],
)
def test_what_is_trained_by_keeps_its_graph_and_is_let_go_later(watching, leak, said):
    found = told(watching, leak)["graph-held"]
    assert said in found.suggestion
    assert "detach" not in found.suggestion


def test_points_of_which_no_gradient_is_asked_leave_no_graph_unfreed(watching):
    found = told(watching, lists.by_losses_of_derivatives_at_points)["graph-held"]
    assert found.since_iteration == 1
    assert "backward is done with them" in found.message


def test_what_is_large_without_its_graph_is_said_to_be(watching):
    found = told(watching, lists.by_maps_that_weigh_much_themselves)["graph-held"]
    assert "`seen_maps.append(maps.detach())`; each is 131 kB even so: " in found.suggestion
    assert "even so" not in told(watching, lists.by_a_helper)["graph-held"].suggestion


def test_what_a_generator_is_to_give_is_told_in_its_own_statement(watching):
    found = told(watching, functions.by_a_reduce_over_what_a_generator_gives)["graph-held"]
    assert "give what carries no graph, `yield lossy.detach()`" in found.suggestion


def test_a_list_that_is_cut_to_its_newest_is_not_read_there(watching, monkeypatch):
    unload(leaks, monkeypatch, but=lists.__name__)
    found = told(watching, lists.by_a_window_that_is_cut_to_its_newest)["graph-held"]
    assert "`snapped.append(given.detach())`" in found.suggestion


def test_of_a_product_what_may_have_the_graph_is_cut(watching):
    found = told(watching, sums.by_a_bank_of_what_is_given_by_names)["graph-held"]
    assert "self.summed_up[name] += (v.detach() if hasattr(v, 'detach') else v)" in found.suggestion


def test_of_which_the_last_few_are_looked_at_all_are_kept_without_graphs(watching):
    found = told(watching, hooks.by_outputs_of_which_the_last_few_are_looked_at)["graph-held"]
    assert "`self.caught_outputs.append(output.detach())`" in found.suggestion


@pytest.mark.parametrize(
    ("leak", "said"),
    [
        (attributes.by_attributes_that_are_handed_back, "keep it in a variable, or by one name"),
        (attributes.by_what_each_loss_has_been, "`self.been[name].append(loss.detach()"),
        (sums.by_values_of_a_list_that_are_no_tensors, "Let `purses[0].coins` keep numbers"),
    ],
)
def test_what_is_changed_is_what_may_be(watching, monkeypatch, leak, said):
    unload(leaks, monkeypatch, but=leak.__module__)
    assert said in told(watching, leak)["graph-held"].suggestion


def test_of_what_is_large_and_read_by_its_newest_no_other_is_kept(watching):
    found = told(watching, lists.by_maps_of_which_the_newest_is_looked_at)["graph-held"]
    assert "each is 131 kB: keep no other, " in found.suggestion
    assert "`lately['wide'][:] = [maps.detach()]`" in found.suggestion


@pytest.mark.parametrize(
    ("leak", "said"),
    [
        (
            trained.by_a_criterion_whose_losses_are_read_by_one_name,
            "Store it without its graph: `self.traced.append(away.detach())`",
        ),
        (
            trained.by_a_method_called_as_a_tensors,
            "Store it without its graph: `self.sighted.append(value.detach())`",
        ),
        (
            trained.by_a_curve_whose_last_is_walked,
            "Once backward is done: `curve[-1] = curve[-1].detach()`",
        ),
        (
            trained.by_one_that_is_not_shortened_beside_one_that_is,
            "Shorten it, too, where `del self.worths[:-3]` stands: `del self.odds_of[:-3]`",
        ),
        (
            trained.by_an_average_that_goes_on_from_the_last,
            "Store it without its graph: `averaged_curve.append(cost.detach())`",
        ),
        (
            recorders.by_two_of_three_calls,
            "`self.gauged[name].append(value.detach() if hasattr(value, 'detach') else value)`",
        ),
        (
            recorders.by_words_some_of_which_are_numbers,
            "`self.latest_few.append(value.detach() if hasattr(value, 'detach') else value)`",
        ),
        (
            dicts.by_a_dict_that_fills_lists_of_its_own,
            "`self.setdefault(event, []).append(value.detach() if hasattr(value, 'detach')",
        ),
        (records.by_two_statements_of_one_line, "There, too: `logged['away'].append(away.detach"),
    ],
)
def test_what_the_loss_does_not_train_by_stays_where_it_is(watching, monkeypatch, leak, said):
    unload(leaks, monkeypatch, but=leak.__module__)
    found = told(watching, leak)["graph-held"]
    assert said in found.suggestion
    assert "clear()" not in found.suggestion


def test_of_what_is_asked_for_as_a_tensor_no_number_is_made(watching):
    found = told(watching, sums.by_a_largest_that_is_asked_for_its_number)["graph-held"]
    assert ".item()" not in found.suggestion


PLAYED = """
import random
from collections import deque
from dataclasses import dataclass
import torch
from torch import nn

@dataclass
class Turn:
    seen: torch.Tensor
    told: torch.Tensor

class Memory:
    def __init__(self):
        self.turns = deque(maxlen=4000)

    def extend(self, turns):
        self.turns.extend(turns)

    def sample(self, n):
        drawn = random.sample(self.turns, min(n, len(self.turns)))
        seen = torch.stack([turn.seen for turn in drawn])
        return seen, torch.stack([turn.told for turn in drawn]).detach()

net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), 0.01)
memory = Memory()
for _ in range(12):
    played = [Turn(x, net(x)) for x in torch.randn(3, 4)]
    loss = torch.stack([turn.told for turn in played]).square().mean()
    if memory.turns:
        seen, told = memory.sample(8)
        loss = loss + (net(seen) - told).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    memory.extend(played)
"""


def test_records_that_are_put_away_behind_their_backward_are_cut_and_not_emptied(told_of):
    found = told_of(PLAYED)["graph-held"]
    assert found.holder == "memory.turns"
    assert "clear()" not in found.suggestion
    assert "`for t in turns: t.told = t.told.detach()`" in found.suggestion


SMOOTHED = """
from collections import deque
import torch
from torch import nn

class Smoothed:
    def __init__(self):
        self.window = deque(maxlen=20)
        self.total = 0.0

    def update(self, value):
        self.window.append(value)
        self.total += value * 2

class Meters:
    def __init__(self):
        self.meters = {}

    def update(self, **values):
        for name, value in values.items():
            self.meters.setdefault(name, Smoothed()).update(value)

net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), 0.01)
logged = Meters()
for _ in range(12):
    error = net(torch.randn(8, 4)).square().mean()
    weight = 1e-3 * net.weight.square().sum()
    loss = error + weight
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    logged.update(loss=loss, error=error, weight=weight)
"""


def test_a_sum_beside_a_window_has_no_end_and_is_told_with_it(told_of):
    found = told_of(SMOOTHED)["graph-held"]
    assert found.level == "warning"
    assert "self.window.append(value.detach())" in found.suggestion
    assert "self.total += (value * 2).detach()" in found.suggestion


RECORDED = """
import torch
from torch import nn

class Recorder:
    def __init__(self, names):
        self.series = {name: [] for name in names}

    def record(self, values):
        for name, kept in self.series.items():
            kept.append(values[name])

net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), 0.01)
recorder = Recorder(["loss", "width"])
for _ in range(12):
    loss = net(torch.randn(8, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    recorder.record({"loss": loss, "width": 8})
"""


def test_one_statement_that_stores_numbers_too_asks_what_it_detaches(told_of):
    suggestion = told_of(RECORDED)["graph-held"].suggestion
    cut = "values[name].detach() if hasattr(values[name], 'detach') else values[name]"
    assert f"`kept.append({cut})`" in suggestion


READ_DETACHED = """
import collections, random
from dataclasses import dataclass
import torch
from torch import nn

@dataclass
class Step:
    seen: torch.Tensor
    value: torch.Tensor

class Steps:
    def __init__(self):
        self.rows = collections.deque(maxlen=500)
    def push(self, seen, value):
        self.rows.append(Step(seen, value))
    def some(self, count):
        return random.sample(list(self.rows), min(count, len(self.rows)))

torch.manual_seed(0)
random.seed(0)
critic, steps = nn.Linear(4, 1), Steps()
optimizer = torch.optim.SGD(critic.parameters(), 0.01)
for _ in range(70):
    seen = torch.randn(4)
    steps.push(seen, critic(seen))
    some = steps.some(8)
    wanted = torch.stack([step.value.detach() for step in some])
    loss = (critic(torch.stack([step.seen for step in some])) - wanted).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_what_is_read_detached_wherever_it_is_read_is_not_to_be_emptied(checked):
    found = checked(READ_DETACHED).findings[-1]
    assert found.suggestion.startswith(
        "Store it without its graph: `self.rows.append(Step(seen, value.detach()))`"
    )


PARENTS = """
from dataclasses import dataclass
import torch
from torch import nn

@dataclass
class Place:
    state: torch.Tensor
    worth: torch.Tensor
    parent: object = None

class Expanding(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.worth = nn.GRUCell(4, 8), nn.Linear(8, 1)
    def expand(self, place, action):
        state = self.cell(action, place.state)
        return Place(state.detach(), self.worth(state), place)

torch.manual_seed(0)
expanding = Expanding()
optimizer = torch.optim.Adam(expanding.parameters())
place = Place(torch.zeros(4, 8), torch.zeros(4, 1))
for _ in range(40):
    action = torch.randn(4, 4)
    place = expanding.expand(place, action)
    loss = (place.worth - action[:, :1]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_what_the_newest_of_a_chain_of_objects_is_trained_by_is_cut_once_backward_is_done(checked):
    found = checked(PARENTS).findings[-1]
    assert found.suggestion == "Once backward is done: `place.worth = place.worth.detach()`."


AVERAGED_AT_ONCE = """
import torch
from torch import nn


class Averager:
    def __init__(self, net):
        self.net, self.count, self.averages = net, 0, None

    def collect(self):
        now = {k: v * 1.0 for k, v in self.net.named_parameters()}
        self.averages = now if self.averages is None else {
            k: (a * self.count + now[k]) / (self.count + 1) for k, a in self.averages.items()
        }
        self.count += 1


torch.manual_seed(0)
net = nn.Linear(6, 1)
optimizer = torch.optim.SGD(net.parameters(), 0.05)
averager = Averager(net)
for _ in range(40):
    loss = net(torch.randn(32, 6)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    averager.collect()
"""


def test_what_is_given_anew_in_one_of_two_ways_is_detached_behind_both(told_of):
    found = told_of(AVERAGED_AT_ONCE)["graph-held"]
    assert found.holder == "averager.averages"
    whole = "self.averages = {k: t.detach() for k, t in self.averages.items()}"
    assert found.suggestion.startswith(f"Detach it once it is stored: `{whole}`.")


REGISTERED = """
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), 0.02)
bouts = []


class Bout:
    BODY


for _ in range(40):
    bout = Bout(torch.randn(8, 4))
    optimizer.zero_grad()
    bout.outcome.backward()
    optimizer.step()
"""

BY_ITSELF = """
    def __init__(self, x):
        self.guess = net(x)
        self.outcome = (self.guess - x[:, :1]).square().mean()
        bouts.append(self)
"""

BY_A_PROPERTY = """
    def __init__(self, x):
        self.gains = []
        for row in x:
            self.gains.append(net(row))
        bouts.append(self)

    @property
    def outcome(self):
        return torch.cat(self.gains).square().mean()
"""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (BY_ITSELF, "`last = bouts[-1]; last.guess = last.guess.detach(); last.outcome ="),
        (BY_A_PROPERTY, "`for each in bouts: each.gains.clear()`"),
    ],
)
def test_what_stays_before_its_backward_keeps_its_graph_until_then(told_of, body, said):
    found = told_of(REGISTERED.replace("    BODY\n", body))["graph-held"]
    assert (found.holder, said in found.suggestion) == ("bouts", True), found


def test_of_two_lists_that_keep_dead_graphs_both_are_told(told_of):
    text = """
        import torch
        from torch import nn

        torch.manual_seed(0)
        actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
        optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=1e-3)
        odds, worths = [], []
        for _ in range(40):
            seen = torch.randn(4)
            odds.append(actor(seen).log_softmax(0)[0])
            worths.append(critic(seen).squeeze())
            before = torch.stack(odds[-1:]).detach()
            ratio = (actor(seen).log_softmax(0)[0] - before).exp()
            loss = ratio.mean() + critic(seen).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    """
    kept = told_of(textwrap.dedent(text))["graph-held"]
    first, second = "odds.append(actor(seen).log_softmax(0)[0].detach())", "worths.append("
    assert f"`{first}`" in kept.suggestion
    assert f"For `worths`, in line 12: Store it without its graph: `{second}" in kept.suggestion
    assert "so does `worths`" in kept.message
