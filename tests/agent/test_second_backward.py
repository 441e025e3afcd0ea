"""What is told of graphs that are walked again: cut, emptied, retained or made anew."""

from __future__ import annotations

import contextlib
import inspect

import pytest

from . import leaks
from .cases import told, unload
from .leaks.held import optimizers
from .leaks.second_backward import (
    advantages,
    adversaries,
    asked_gradients,
    averages,
    caches,
    carried_states,
    closures,
    handed_on,
    losses,
    memories,
    parts,
    pools,
    states,
)


def test_that_graphs_are_kept_which_a_loss_is_to_train_by_is_told_as_its_failure_alone(watching):
    with watching() as said, contextlib.suppress(RuntimeError):
        pools.by_a_reservoir_that_is_drawn_from_once_it_has_enough()
    assert {each.kind for each in said.findings} == {"second-backward"}


@pytest.mark.parametrize(
    ("leak", "code"),
    [
        (advantages.by_a_field_of_what_a_function_is_given, "return Gathered("),
        (advantages.by_a_copy_of_a_record_with_a_field_of_its_own, "given = [replace(empty, "),
    ],
)
def test_a_field_is_cut_where_its_record_is_made(watching, leak, code):
    found = told(watching, leak)["second-backward"]
    assert found.code.startswith(code)
    assert "(1 - critic(seen)).detach()" in found.suggestion


def test_what_a_name_itself_stands_for_was_appended_nowhere(watching):
    assert "optimizer.state[" in inspect.getsource(optimizers)  # `.state`, to which is appended
    found = told(watching, handed_on.from_the_end_of_one_epoch_to_the_next)["second-backward"]
    assert found.code.startswith("warm.state = state")


def test_what_is_made_of_what_is_gone_is_not_to_be_made_anew_alone(watching):
    found = told(watching, losses.by_a_total_of_parts_that_is_walked_twice)["second-backward"]
    assert "`total = " not in found.suggestion
    assert "`total.backward(retain_graph=True)`" in found.suggestion


def test_a_sum_that_is_walked_now_and_then_begins_anew_behind_that(watching):
    found = told(watching, losses.by_a_sum_over_small_batches_that_goes_on)["second-backward"]
    assert found.suggestion == "Start `total` anew once its backward is done: `total = 0`."


def test_a_descriptor_that_remembers_stores_into_its_owner(watching):
    found = told(watching, caches.by_a_descriptor_that_remembers)["second-backward"]
    assert found.code == "owner.__dict__[self.called] = computed"
    assert found.holder == "mesh.spread"
    assert "`del mesh.spread`" in found.suggestion


def test_what_another_optimizer_trains_too_is_computed_again_and_not_detached(watching):
    found = told(watching, losses.by_a_body_that_two_optimizers_step)["second-backward"]
    assert found.suggestion.startswith("Compute `seen = body(torch.randn(8, 4)).tanh()` again")


@pytest.mark.parametrize(
    ("job", "shared"),
    [
        (adversaries.by_a_code_that_two_optimizers_train, "code"),
        (adversaries.by_features_of_two_heads_and_two_steps, "features"),
    ],
)
def test_what_alone_leads_to_what_is_stepped_next_is_not_detached(watching, job, shared):
    found = told(watching, job)["second-backward"]
    assert f"compute `{shared}` anew" in found.suggestion
    assert "detach" not in found.suggestion


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (asked_gradients.by_fast_weights_that_begin_once, "`fast = slow`"),
        (caches.by_features_that_a_generator_was_given, "Compute `features` anew"),
        (caches.by_rows_that_were_encoded_ahead, "puts there anew in each iteration"),
        (losses.by_a_loss_that_goes_into_the_next_one_too, "from `z = torch.tanh("),
        (memories.by_hands_that_are_drawn_by_chance, "anew where it is taken out"),
    ],
)
def test_what_alone_teaches_is_made_anew_and_not_only_cut(watching, monkeypatch, job, said):
    unload(leaks, monkeypatch, but=job.__module__)
    found = told(watching, job)["second-backward"]
    assert said in found.suggestion
    assert ".detach" not in found.suggestion


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (carried_states.two_states_that_a_generator_carries_on, "c.detach()))`"),
        (carried_states.a_state_that_a_generator_reads_twice, "ahead of `u = policy(x)`, `x = "),
        (carried_states.ratings_of_two_in_turn, "too: `teams[i].rating = (teams[i].rating + "),
        (memories.by_the_last_two_of_a_list_that_is_shortened, "Store it without its graph: "),
        (losses.by_an_inner_loss_whose_gradients_are_cleared, "(near - logits.detach()).pow(2)"),
    ],
)
def test_a_state_is_cut_wherever_it_is_read_or_made(watching, monkeypatch, job, said):
    unload(leaks, monkeypatch, but=job.__module__)
    assert said in told(watching, job)["second-backward"].suggestion


IN_ROUNDS = """
import torch
from torch import nn

def centred(width):
    center = torch.zeros(width)
    def loss(said, told):
        nonlocal center
        apart = (said - told + center).pow(2).mean()
        center = 0.9 * center + 0.1 * told.mean(0)
        return apart
    return loss

class Bandit:
    def __init__(self):
        self.net, self.baseline = nn.Linear(4, 3), None
    def loss(self, x):
        gain = self.net(x).mean()
        if self.baseline is not None:
            gain = gain * self.baseline
        self.baseline = gain if self.baseline is None else self.baseline.mul(0.9).add(gain)
        return gain

bandit = Bandit()
model, criterion = nn.Linear(4, 3), centred(3)

def train(loss):
    loss.backward()

try:
    ROUNDS
except RuntimeError:
    pass
"""


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        (
            "[train(bandit.loss(torch.randn(8, 4))) for _ in range(9)]",
            "`bandit.baseline = bandit.baseline.detach()`",
        ),
        (
            "[train(criterion(model(x), model(x + 1))) for x in torch.randn(9, 8, 4)]",
            "`center = (0.9 * center + 0.1 * told.mean(0)).detach()`",
        ),
    ],
)
def test_a_state_is_cut_by_a_name_that_holds_there(checked, rounds, said):
    (found,) = checked(IN_ROUNDS.replace("ROUNDS", rounds)).findings
    assert said in found.suggestion


FIRST_ROUND = """
import torch
from torch import nn
encode, decode, critic = nn.Linear(6, 3), nn.Linear(3, 6), nn.Linear(3, 1)
whole = torch.optim.SGD([*encode.parameters(), *decode.parameters()], 0.1)
of_critic = torch.optim.SGD(critic.parameters(), 0.1)
of_encoder = torch.optim.SGD(encode.parameters(), 0.1)
for _ in range(5):
    x = torch.randn(8, 6)
    code = encode(x)
    (decode(torch.relu(code)) - x).pow(2).mean().backward()
    whole.step()
    critic(code.detach()).mean().backward()
    of_critic.step()
    try:
        critic(code).mean().backward()
    except RuntimeError:
        break
    of_encoder.step()
"""


def test_the_first_round_of_several_optimizers_is_one_iteration(checked):
    (found,) = checked(FIRST_ROUND).findings
    assert found.iteration == 0
    assert "the same iteration" in found.message


def test_gradients_of_which_a_penalty_is_made_need_a_graph_of_their_own(watching):
    found = told(watching, asked_gradients.by_a_penalty_on_a_gradient)["second-backward"]
    assert "`slope, = torch.autograd.grad(score, x, create_graph=True)`" in found.suggestion


def test_what_is_handed_out_once_is_not_to_be_emptied_but_computed_anew(watching):
    job = pools.by_losses_that_are_handed_out
    found = told(watching, job)["second-backward"]
    assert "compute it anew where it is taken out" in found.suggestion


def test_a_window_by_which_the_loss_trains_is_to_be_emptied_whoever_has_it_walked(watching):
    found = told(watching, averages.by_a_window_that_is_walked_again_at_the_end)["second-backward"]
    assert "`quarterly.quarter.clear()`" in found.suggestion
    assert "detach" not in found.suggestion


def test_a_cache_is_told_where_a_context_manager_of_the_programs_own_enters_it(watching):
    found = told(watching, caches.by_the_cache_that_a_context_manager_enters)["second-backward"]
    assert found.code.endswith("# <- by a context manager")
    assert found.holder == "parametrize._cache"


def test_a_cache_that_a_call_makes_is_emptied_not_detached(watching):
    found = told(watching, caches.by_a_cache_that_a_call_makes)["second-backward"]
    assert found.code.startswith("self.face_of = functools.lru_cache(maxsize=64)")
    assert "`deck.face_of.cache_clear()`" in found.suggestion
    assert "detach" not in found.suggestion


def test_a_memory_in_the_dict_of_its_owner_is_emptied_there(watching):
    found = told(watching, caches.by_a_memory_in_the_dict_of_its_owner)["second-backward"]
    assert found.code.startswith("slots[slot] = method(self)")
    assert "`table._worked_out.clear()`" in found.suggestion


def test_what_a_loop_goes_through_was_computed_once(watching):
    found = told(watching, losses.by_rows_of_what_was_encoded_at_once)["second-backward"]
    assert "call backward once, behind the loop" in found.suggestion


def test_losses_that_wait_to_be_walked_are_let_go_of_once_they_have_been(watching):
    for job, name in (
        (losses.by_a_list_of_losses_that_is_walked_in_every_fourth_iteration, "waiting"),
        (losses.by_the_records_of_a_bus_that_are_delivered_again, "bus.queue"),
    ):
        found = told(watching, job)["second-backward"]
        assert f"`{name}.clear()`" in found.suggestion
        assert "detach" not in found.suggestion


STAGES = """
    import torch
    from types import SimpleNamespace
    class Stage:
        def __init__(self, net, loss_of):
            self.optimizer, self.loss_of = torch.optim.SGD(net.parameters(), 0.01), loss_of
        def run(self, state):
            self.optimizer.zero_grad()
            loss = self.loss_of(state)
            loss.backward()
            self.optimizer.step()
    class Game:
        def __init__(self):
            self.maker = torch.nn.Linear(3, 2)
            self.judge = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Linear(4, 1))
            self.stages = [Stage(self.judge, self.judged), Stage(self.maker, self.made)]
        def judged(self, state):
            return (self.judge(state.real) - self.judge(state.fake)).tanh().mean()
        def made(self, state):
            return self.judge(state.fake).tanh().mean()
        def round(self):
            made = self.maker(torch.randn(8, 3)).tanh()
            state = SimpleNamespace(real=torch.randn(8, 2), fake=made)
            for stage in self.stages:
                stage.run(state)
    game = Game()
    try:
        for _ in range(9):
            game.round()
    except RuntimeError:
        pass
"""


def test_of_losses_that_one_statement_walks_the_one_that_trained_nothing_there_is_cut(checked):
    (found,) = checked(STAGES).findings
    assert (found.kind, found.holder) == ("second-backward", "state.fake")
    assert found.code == "return (self.judge(state.real) - self.judge(state.fake)).tanh().mean()"
    assert "self.judge(state.fake.detach())" in found.suggestion


RETURNED = """
    import torch
    from collections import deque
    from types import SimpleNamespace
    class Post:
        def __init__(self):
            self.handlers, self.returned = [], deque(maxlen=8)
        def send(self, letter):
            while self.returned and self.returned[0].due <= letter.day:
                self.hand_out(self.returned.popleft())
            self.hand_out(letter)
        def hand_out(self, letter):
            if not all([handler(letter) for handler in self.handlers]):
                letter.due = letter.day + 24
                self.returned.append(letter)  # <-
    model, post = torch.nn.Linear(4, 1), Post()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    def train(letter):
        optimizer.zero_grad()
        letter.loss.backward()
        optimizer.step()
        return letter.day % 3 > 0
    post.handlers.append(train)
    try:
        for day in range(60):
            loss = model(torch.randn(8, 4)).tanh().pow(2).mean()
            post.send(SimpleNamespace(day=day, loss=loss))
    except RuntimeError:
        pass
"""

WINDOW = """
    import torch
    class Control:
        def __init__(self):
            self.weight, self.gaps = torch.tensor(0.1), []
        def see(self, gap):
            self.gaps.append(gap)
            if len(self.gaps) == 16:
                mean = torch.stack(self.gaps).mean()
                self.gaps.clear()
                self.weight = self.weight * (1 + 0.2 * mean)  # <-
    model, control = torch.nn.Linear(4, 1), Control()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    try:
        for _ in range(40):
            gap = model(torch.randn(8, 4)).tanh().pow(2).mean()
            optimizer.zero_grad()
            (gap * (1 + control.weight)).backward()
            optimizer.step()
            control.see(gap)
    except RuntimeError:
        pass
"""


@pytest.mark.parametrize(
    ("text", "holder"), [(RETURNED, "post.returned"), (WINDOW, "control.weight")]
)
def test_what_kept_the_graph_that_is_walked_again_is_no_finding_of_its_own(checked, text, holder):
    newest = {finding.id: finding for finding in checked(text).findings}
    (found,) = (each for each in newest.values() if each.state != "resolved")
    assert (found.kind, found.holder) == ("second-backward", holder)
    (told,) = (line.split("#")[0].strip() for line in text.splitlines() if "# <-" in line)
    assert found.code.split("#")[0].strip() == told


@pytest.mark.parametrize(
    ("leak", "said"),
    [
        (parts.by_a_ring_of_what_is_weighed_by_it, "`self.recent.append(losses.detach())`."),
        (parts.by_a_log_of_what_is_weighed_by_it, "`each.append(loss.detach())`."),
        (parts.by_anchors_and_what_they_weigh, "(p.detach().clone(), g.pow(2).detach())"),
        (
            parts.by_the_first_losses_that_all_are_measured_by,
            "Store it without its graph: `self.first = every.detach()`;",
        ),
        (
            parts.by_slots_that_are_filled_one_after_another,
            "`slots.in_place = [t.detach() if torch.is_tensor(t) else t for t in slots.in_place]`",
        ),
        (
            parts.by_frames_by_which_alone_an_encoder_is_trained,
            "= type(model.frames)((t.detach() for t in model.frames), model.frames.maxlen)`.",
        ),
        (
            parts.by_a_memory_that_is_written_several_times_and_read_then,
            "At the start of each iteration: `written.slots = written.slots.detach()`.",
        ),
        (
            parts.by_what_the_first_batch_has_set,
            "Store it without its graph: `self.shift = (-x.mean(0)).detach()`; or, if it is",
        ),
        (
            parts.by_two_parts_of_what_a_rollout_hands_back,
            "`return (seen, chances.detach(), (torch.rand(8) - values).exp().detach())`",
        ),
        (parts.by_a_value_that_nobody_calls_stale, "in each one, `lazily.stale = True`"),
        (parts.by_a_parameter_that_is_changed_in_place, "(0.1 * given[:2]).detach())`"),
        (
            parts.by_a_distribution_that_has_worked_out_more,
            "type(cautious.old)(logits=cautious.old.logits.detach().clone())",
        ),
        (
            parts.by_weights_that_an_unroll_trains_through,
            "each iteration: `learned.theta = learned.theta.detach().requires_grad_()`",
        ),
    ],
)
def test_what_is_to_be_trained_stays_so(watching, monkeypatch, leak, said):
    unload(leaks, monkeypatch, but=parts.__name__)
    assert said in told(watching, leak)["second-backward"].suggestion


def test_what_is_generated_now_and_then_is_told_where_that_is_asked_for(watching):
    job = caches.by_weights_that_are_generated_now_and_then
    found = told(watching, job)["second-backward"]
    assert found.suggestion.startswith("It is made only now and then")


def test_what_a_closure_needs_anew_is_moved_there_with_what_it_is_made_of(watching):
    found = told(watching, closures.by_a_factor_and_what_it_is_made_of)["second-backward"]
    first, last = "Move `likeness = torch.exp(", "factor = torch.linalg.cholesky(covered)`"
    assert first in found.suggestion
    assert f"covered = likeness + (1 + noise.exp()) * torch.eye(6); {last}" in found.suggestion


def test_what_a_method_makes_once_an_epoch_is_to_be_made_anew(watching):
    found = told(watching, caches.by_what_a_method_makes_once_an_epoch)["second-backward"]
    assert found.suggestion.startswith("Build `self.described` anew in each iteration")


def test_what_is_built_once_of_what_is_trained_is_moved_and_not_cut(watching):
    found = told(watching, caches.by_a_product_that_is_prepared)["second-backward"]
    assert found.suggestion.startswith("Build `self.")
    assert "detach" not in found.suggestion


def test_what_is_built_once_and_alone_trained_by_is_moved_and_not_cut(watching):
    found = told(watching, caches.by_what_is_made_after_the_fields)["second-backward"]
    assert found.suggestion.startswith("Build `self.adjacent` anew in each iteration")
    assert "detach" not in found.suggestion


@pytest.mark.parametrize(
    ("leak", "said"),
    [
        (caches.by_a_dict_of_a_made_up_name, "`graph._propagated.clear()`"),
        (caches.by_one_that_is_filled_later, "`graph._handed_around.clear()`"),
    ],
)
def test_a_cache_by_a_made_up_name_is_emptied_as_one(watching, leak, said):
    assert said in told(watching, leak)["second-backward"].suggestion


@pytest.mark.parametrize(
    ("leak", "said"),
    [
        (caches.by_a_cache_within_a_decorator, "do without `@memoizing` where it is trained"),
        (caches.by_a_global_that_is_made_when_it_is_asked_for, "`_PROTOTYPES = None`"),
        (
            memories.by_what_is_drawn_of_a_store_that_is_handed_what_it_keeps,
            "`remembering.stored.put = [{k: u.detach() for k, u in t.items()} for t in ",
        ),
    ],
)
def test_what_is_remembered_is_let_go_where_the_program_can(watching, monkeypatch, leak, said):
    unload(leaks, monkeypatch, but=leak.__module__)
    assert said in told(watching, leak)["second-backward"].suggestion


DRAWN = """
import collections, random
import torch
from torch import nn

valued = nn.Linear(4, 1)
optimizer = torch.optim.SGD(valued.parameters(), 0.01)
experienced = collections.deque(maxlen=200)

for _ in range(60):
    seen = torch.randn(4)
    experienced.append((seen, valued(seen)))
    if len(experienced) >= 8:
        batch = random.sample(experienced, 8)
        loss = torch.cat([value for _, value in batch]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def test_what_is_drawn_by_chance_and_trained_by_alone_is_computed_as_it_is_taken(told_of):
    found = told_of(DRAWN)["second-backward"]
    assert "keep what it was computed from" in found.suggestion


CLIPPED = """
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
parameters = list(model.parameters())

for _ in range(4):
    errors = model(torch.randn(8, 4)).square().squeeze(1)
    norms = []
    for error in errors:
        for p in parameters:
            p.grad = None
        error.backward()
        norms.append(sum(p.grad.square().sum() for p in parameters).sqrt().item())
"""


def test_gradients_that_are_read_one_by_one_are_not_added(told_of):
    found = told_of(CLIPPED)["second-backward"]
    assert found.suggestion.startswith("The gradients of each loss are read by themselves: ")


HANDED_BACK = """
import contextlib
import torch
from torch import nn

encoder, first, second = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 1)
optimizers = [
    torch.optim.SGD([*encoder.parameters(), *first.parameters()], 0.01),
    torch.optim.SGD(second.parameters(), 0.01),
]

def objectives(x):
    z = torch.tanh(encoder(x))
    return first(z).square().mean(), (second(z) - 1).square().mean()

with contextlib.suppress(RuntimeError):
    for _ in range(8):
        one, other = objectives(torch.randn(8, 4))
        optimizers[0].zero_grad()
        one.backward()
        optimizers[0].step()
        optimizers[1].zero_grad()
        other.backward()
        optimizers[1].step()
"""


def test_of_two_losses_that_are_handed_back_the_second_one_is_cut(checked):
    (found,) = checked(HANDED_BACK).findings
    cut = "return (first(z).square().mean(), (second(z.detach()) - 1).square().mean())"
    assert f"`{cut}`" in found.suggestion


OF_EACH = "lambda t: t.detach() if torch.is_tensor(t) else t"


@pytest.mark.parametrize(
    ("leak", "said"),
    [
        (
            states.by_some_layers_of_a_stack,
            "`for each in (stack[i] for i in (1, 2, 3, 4, 5, 6)): each.stated =",
        ),
        (
            states.by_one_list_of_a_dict_of_unlike_things,
            "`kept_in['hidden'] = [t.detach() if torch.is_tensor(t) else t",
        ),
        (
            states.by_a_tuple_of_unlike_things,
            f"`whole_state = torch.utils._pytree.tree_map({OF_EACH}, whole_state)`",
        ),
        (
            states.by_a_state_with_its_count,
            "`counted_state = tuple(t.detach() if torch.is_tensor(t) else t for t in",
        ),
        (
            states.by_a_record_of_a_tensor_beside_a_list,
            f"`mixed_state = torch.utils._pytree.tree_map({OF_EACH}, mixed_state)`",
        ),
        (states.by_a_part_that_is_none_at_first, "Once backward is done: `believes.guess.sample ="),
        (
            states.by_averages_that_are_taken_last,
            "`self.averages = [((a + w) / 2).detach() for a, w in zip(self.averages,",
        ),
        (states.by_slopes_that_are_first_taken_last, "At the end of each iteration: `slopes_of ="),
        (
            states.by_attributes_of_made_up_names_over_several_steps,
            "`tiers.tier1 = tiers.tier1.detach(); tiers.tier0 = tiers.tier0.detach()`",
        ),
        (
            states.by_a_key_of_a_dict_that_a_module_is_handed,
            "Once backward is done: `remembered['spelled'] = remembered['spelled'].detach()`",
        ),
        (
            states.by_a_copy_that_is_filled_with_what_it_was,
            "At the start of each iteration: `shelf.shelved = shelf.shelved.detach()`",
        ),
        (states.by_a_sum_that_another_method_walks, "once its backward is done: `self.tallied ="),
        (
            states.by_an_attribute_that_is_not_there_at_first,
            "Once backward is done: `unannounced._",
        ),
        (states.by_slopes_that_come_late, "`late = None if late is None else tuple((t.detach()"),
        (
            states.by_what_is_put_back_into_a_pool,
            "`entry.stand, entry.price = (value.detach(), price)`",
        ),
        (states.by_dicts_of_a_pool_that_are_updated, "`place.update(here=value.detach()"),
        (states.by_what_is_mixed_into_a_pool, "`one.stand = (0.5 * one.stand + value).detach()`"),
    ],
)
def test_a_state_is_cut_as_what_it_is_and_once_it_is_there(watching, monkeypatch, leak, said):
    unload(leaks, monkeypatch, but=states.__name__)
    assert said in told(watching, leak)["second-backward"].suggestion


def test_what_a_list_is_called_elsewhere_is_not_to_be_detached(watching):
    found = told(watching, parts.by_what_another_function_calls_a_list)["second-backward"]
    assert "torch.cat(found.detach())" not in found.suggestion


DECODED = """
    import torch
    from torch import nn
    encode, heads = nn.Linear(4, 3), nn.ModuleList(nn.Linear(3, 4) for _ in range(2))
    optimizers = [torch.optim.SGD([*encode.parameters(), *h.parameters()], 0.01) for h in heads]
    def decode(number, memory):
        return torch.tanh(heads[number](memory))
    try:
        for _ in range(9):
            x = torch.randn(8, 4)
            memory = torch.tanh(encode(x))
            for number, optimizer in enumerate(optimizers):
                loss = (decode(number, memory) - x).pow(2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
    except RuntimeError:
        pass
"""


def test_what_one_statement_makes_every_loss_of_is_not_cut_there(checked):
    (found,) = checked(DECODED).findings
    assert (found.kind, found.holder, found.code) == (
        "second-backward",
        "memory",
        "loss.backward()",
    )
    assert "add the losses of all, call backward once, and step then" in found.suggestion


CENTRED = """
    import torch
    from torch import nn
    class Centred(nn.Module):
        def __init__(self):
            super().__init__()
            self.into, self.out, self.centre = nn.Linear(4, 4), nn.Linear(4, 1), torch.zeros(4)
        def forward(self, x):
            h = torch.tanh(self.into(x))
            self.centre = {}
            return self.out(h - self.centre)
    critic, makes = Centred(), nn.Linear(3, 4)
    judges = torch.optim.SGD(critic.parameters(), 0.01)
    made = torch.optim.SGD(makes.parameters(), 0.01)
    try:
        for _ in range(12):
            fake = makes(torch.randn(8, 3)).detach()
            judged = critic(fake).mean() - critic(torch.randn(8, 4)).mean()
            judges.zero_grad()
            judged.backward()
            judges.step()
            fooled = -critic(makes(torch.randn(8, 3))).mean()
            made.zero_grad()
            fooled.backward()
            made.step()
    except RuntimeError:
        pass
"""


CUT = "0.9 * self.centre.detach() + 0.1 * h.mean(0).tanh()"


def test_what_a_critic_keeps_goes_on_without_its_graph_where_it_is_made(checked):
    (found,) = checked(CENTRED.format("0.9 * self.centre + 0.1 * h.mean(0).tanh()")).findings
    assert (found.kind, found.holder) == ("second-backward", "critic.centre")
    assert f"`self.centre = {CUT}`" in found.suggestion


def test_which_cures_it(checked):
    assert not checked(CENTRED.format(CUT)).findings


PEERS = """
import contextlib
import torch
from torch import nn
import torch.nn.functional as F

def network():
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))

left, right = network(), network()
left_optimizer = torch.optim.SGD(left.parameters(), 0.1)
right_optimizer = torch.optim.SGD(right.parameters(), 0.1)

def peer_loss(own, other, y):
    return F.cross_entropy(own, y) + F.mse_loss(own, other)

with contextlib.suppress(RuntimeError):
    for _ in range(8):
        x = torch.randn(8, 4)
        y = x[:, :3].argmax(1)
        ours, theirs = left(x), right(x)
        LOSSES
        left_optimizer.zero_grad()
        one.backward()
        left_optimizer.step()
        right_optimizer.zero_grad()
        two.backward()
        right_optimizer.step()
"""


def test_of_two_that_learn_from_each_other_each_loss_lets_go_of_the_other_one(checked):
    losses = (
        "one = F.cross_entropy(ours, y) + (ours - theirs).square().mean()\n"
        "        two = F.cross_entropy(theirs, y) + (theirs - ours).square().mean()"
    )
    (found,) = checked(PEERS.replace("LOSSES", losses)).findings
    assert found.holder == "ours"
    assert "`two = F.cross_entropy(theirs, y) + (theirs - ours.detach())" in found.suggestion
    assert "`one = F.cross_entropy(ours, y) + (ours - theirs.detach())" in found.suggestion


def test_the_same_where_one_function_makes_both_losses(checked):
    losses = "one, two = peer_loss(ours, theirs, y), peer_loss(theirs, ours, y)"
    losses = losses.replace("one, two = ", "one = ").replace(
        ", peer_loss", "\n        two = peer_loss"
    )
    (found,) = checked(PEERS.replace("LOSSES", losses)).findings
    assert "`two = peer_loss(theirs, ours.detach(), y)`" in found.suggestion
    assert found.suggestion.endswith("`one = peer_loss(ours, theirs.detach(), y)`.")


DYNAMICS = """
import contextlib
import torch
from torch import nn

encoder = nn.Sequential(nn.Linear(4, 8), nn.Tanh())
inverse, forward = nn.Linear(16, 2), nn.Linear(9, 8)
encoding = torch.optim.SGD([*encoder.parameters(), *inverse.parameters()], 0.01)
predicting = torch.optim.SGD(forward.parameters(), 0.01)

with contextlib.suppress(RuntimeError):
    for _ in range(8):
        state, action = torch.randn(8, 4), torch.randint(0, 2, (8,))
        before, after = encoder(state), encoder(state + 0.5)
        told = nn.functional.cross_entropy(inverse(torch.cat([before, after], 1)), action)
        given = torch.cat([before, action[:, None].float()], 1)
        missed = (forward(given) - after).square().mean()
        encoding.zero_grad()
        told.backward()
        encoding.step()
        predicting.zero_grad()
        missed.backward()
        predicting.step()
"""


def test_what_a_loss_reads_by_what_saves_nothing_is_found_by_its_own_name(checked):
    text = DYNAMICS.replace("(forward(given) - after)", "(forward(GIVEN) - after)")
    text = text.replace("GIVEN", "torch.cat([before, action[:, None].float()], 1)")
    (found,) = checked(text).findings
    assert "torch.cat([before.detach()," in found.suggestion
    assert "- after.detach())" in found.suggestion


PROMPTED = """
import contextlib
import torch
from torch import nn

class Tuner:
    def __init__(self):
        self.prompts = nn.Parameter(torch.randn(3, 4))
        self.encoder = nn.Sequential(nn.Linear(4, 8), nn.Tanh()).requires_grad_(False)
        self.optimizer = torch.optim.SGD([self.prompts], 0.01)
        self.features, self.step = None, 0

    def encoded(self):
        if self.features is None or self.step % 5 == 0:
            self.features = self.encoder(self.prompts)
        return self.features

    def train(self):
        loss = (torch.randn(6, 8) @ self.encoded().t()).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.step += 1

tuner = Tuner()
with contextlib.suppress(RuntimeError):
    for _ in range(12):
        tuner.train()
"""


def test_a_cache_that_alone_is_trained_through_is_not_to_be_detached(checked):
    (found,) = checked(PROMPTED).findings
    assert "compute it anew for each." in found.suggestion
    assert "detach" not in found.suggestion


TURNS = """
import contextlib
from collections import deque, namedtuple
import torch
from torch import nn

Turn = namedtuple("Turn", "seen value reward")
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), 0.01)
turns = deque(maxlen=8)
with contextlib.suppress(RuntimeError):
    for _ in range(12):
        seen = torch.randn(4)
        turns.append(Turn(seen, net(seen), float(seen[0])))
        loss = 0
        for turn in reversed(turns):
            loss = loss + (turn.value - turn.reward).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def test_what_a_loop_draws_from_is_the_holder_and_not_its_variable(checked):
    (found,) = checked(TURNS).findings
    assert found.holder == "turns"
    assert ").detach()" not in found.suggestion


WITH_NUMBERS = """
import contextlib
import random
from collections import deque
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
offset = nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([*net.parameters(), offset], 0.01)
random.seed(0)
memory = deque(maxlen=1000)
with contextlib.suppress(RuntimeError):
    for _ in range(12):
        seen = torch.randn(4)
        memory.append((seen, net(seen)[0], float(seen[0])))
        batch = random.sample(memory, min(4, len(memory)))
        _, values, rewards = zip(*batch)
        loss = (torch.stack(values) + offset - torch.tensor(rewards)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def test_of_records_with_numbers_only_the_tensors_are_detached(checked):
    (found,) = checked(WITH_NUMBERS).findings
    assert "u.detach() if torch.is_tensor(u) else u for u in t" in found.suggestion


NEVER_EMPTIED = """
import contextlib
import torch
from torch import nn

body, critic, actor = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
parameters = [*body.parameters(), *critic.parameters(), *actor.parameters()]
optimizer = torch.optim.SGD(parameters, 0.01)
values = []
with contextlib.suppress(RuntimeError):
    for _ in range(12):
        told = []
        for _ in range(3):
            seen = torch.tanh(body(torch.randn(4)))
            values.append(critic(seen).squeeze())
            told.append(actor(seen).squeeze())
        valued = torch.stack(values[-4:])
        loss = torch.stack(told).square().mean() + (valued - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def test_values_that_alone_train_a_part_keep_their_graph_until_their_own_backward(checked):
    (found,) = checked(NEVER_EMPTIED).findings
    assert "`values = [t.detach() for t in values]`" in found.suggestion
    assert "append" not in found.suggestion


ESTIMATED = """
import contextlib
import torch
from torch import nn

left, right, critic = nn.Linear(5, 3), nn.Linear(5, 3), nn.Linear(6, 1)
encoding = torch.optim.SGD([*left.parameters(), *right.parameters()], 0.01)
estimating = torch.optim.SGD(critic.parameters(), 0.01)

with contextlib.suppress(RuntimeError):
    for _ in range(8):
        x = torch.randn(8, 5)
        a, b = left(x), right(x)
        told = critic(torch.cat([a, b], 1)).exp().mean()
        estimating.zero_grad()
        (-told).backward()
        estimating.step()
        loss = told + a.square().mean()
        encoding.zero_grad()
        loss.backward()
        encoding.step()
"""


def test_what_alone_leads_to_weights_that_are_yet_to_be_stepped_is_computed_anew(checked):
    (found,) = checked(ESTIMATED).findings
    assert found.code == "loss = told + a.square().mean()"
    assert "compute `told` anew for it" in found.suggestion
    assert "detach" not in found.suggestion


SIDES = """
import contextlib
import torch
from torch import nn
import torch.nn.functional as F

class Side:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 4))
        self.optimizer = torch.optim.SGD(self.net.parameters(), 0.01)

    def fit(self, mine, theirs):
        loss = F.kl_div(F.log_softmax(mine, 1), F.softmax(theirs, 1), reduction="batchmean")
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

left, right = Side(), Side()
with contextlib.suppress(RuntimeError):
    for _ in range(8):
        x = torch.randn(8, 5)
        ours, theirs = left.net(x), right.net(x)
        left.fit(ours, theirs)
        right.fit(theirs, ours)
"""


def test_one_statement_that_makes_both_losses_is_changed_but_once(checked):
    (found,) = checked(SIDES).findings
    assert "F.softmax(theirs.detach(), 1)" in found.suggestion
    assert "mine.detach()" not in found.suggestion


MANY_SIDES = """
import contextlib
import torch
from torch import nn
import torch.nn.functional as F

nets = [nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 4)) for _ in range(3)]
optimizers = [torch.optim.SGD(net.parameters(), 0.01) for net in nets]
with contextlib.suppress(RuntimeError):
    for _ in range(8):
        x = torch.randn(8, 5)
        outs = [net(x) for net in nets]
        for at, optimizer in enumerate(optimizers):
            loss = outs[at].square().mean()
            for other in range(3):
                loss = loss + (outs[at] - outs[other]).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
"""


def test_where_a_step_came_in_between_no_graph_is_told_to_be_retained(checked):
    (found,) = checked(MANY_SIDES).findings
    assert "(outs[at] - outs[other].detach())" in found.suggestion
    assert "retain_graph" not in found.suggestion


def test_a_state_of_each_is_cut_where_it_is_stored_and_not_the_one_that_failed(watching):
    found = told(watching, carried_states.by_a_state_of_each_player_in_a_dict_of_its_own)
    said = found["second-backward"].suggestion
    assert said == "Store it without its graph: `states[player]['h'] = h.detach()`."


def test_the_states_of_one_seat_are_not_all_that_are_to_be_detached(watching):
    found = told(watching, states.by_two_states_of_each_seat)["second-backward"]
    every = "for key in states.by_seat: states.by_seat[key] = {"
    assert f"`{every}" in found.suggestion


NOW_AND_THEN = """
import contextlib
import torch
from torch import nn

torch.manual_seed(0)
actor, critic = nn.Linear(4, 3), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*actor.parameters(), *critic.parameters()], 0.01)
table = {"at": -9, "worth": None}

class Refreshed:
    def refresh(self, seen):
        self.worth = critic(seen).mean()

    def turn(self, seen):
        self.known = critic(seen).mean()

refreshed = Refreshed()

def worth(seen, number):
    if number - table["at"] >= 3:
        table.update(at=number, worth=critic(seen).mean())
    return table["worth"]

with contextlib.suppress(RuntimeError):
    task = None
    for number in range(9):
        seen = torch.randn(8, 4)
        if number % 3 == 0:
            refreshed.refresh(seen)
        if task != number // 3:
            task = number // 3
            refreshed.turn(seen)
        loss = actor(seen).pow(2).mean() + (1 - WORTH).pow(2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("worth", "code"),
    [
        ("refreshed.worth", "self.worth = critic(seen).mean()"),
        ("refreshed.known", "self.known = critic(seen).mean()"),
        ("worth(seen, number)", "table.update(at=number, worth=critic(seen).mean())"),
    ],
)
def test_what_is_made_now_and_then_is_said_to_be_whoever_asks_when(checked, worth, code):
    found = checked(NOW_AND_THEN.replace("WORTH", worth)).findings[-1]
    assert found.code == code
    assert found.suggestion.startswith("It is made only now and then")


IN_TURNS = """
import contextlib
import torch
from torch import nn

torch.manual_seed(0)
encode, first, second = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
by_turns = [
    torch.optim.SGD([*encode.parameters(), *head.parameters()], 0.01) for head in (first, second)
]
rows = torch.randn(6, 4)

class Index:
    known, age = None, 9

    def get(self):
        if self.age >= 4:
            self.known, self.age = None, 0
            self.known = encode(rows).tanh()
        self.age += 1
        return self.known

index = Index()
with contextlib.suppress(RuntimeError):
    for number in range(9):
        if number % 4 == 0:
            encoded = encode(rows).tanh()
        if number % 2 == 0:
            loss = first(READ).pow(2).mean()
            by_turns[0].zero_grad()
            loss.backward()
            by_turns[0].step()
        else:
            loss = (second(READ) - 1).pow(2).mean()
            by_turns[1].zero_grad()
            loss.backward()
            by_turns[1].step()
"""


@pytest.mark.parametrize(
    ("read", "code"),
    [
        ("encoded", "encoded = encode(rows).tanh()"),
        ("index.get()", "self.known = encode(rows).tanh()"),
    ],
)
def test_what_two_losses_read_in_turns_is_told_where_it_is_made_now_and_then(checked, read, code):
    found = checked(IN_TURNS.replace("READ", read)).findings[-1]
    assert found.code == code
    assert found.suggestion.startswith("It is made only now and then")


ON_ONE_LINE = """
import contextlib
import torch
from torch import nn

torch.manual_seed(0)
world, actor, value = nn.Linear(5, 4), nn.Linear(4, 1), nn.Linear(4, 1)
nets = (world, actor, value)
of_world, of_actor, of_value = (torch.optim.SGD(each.parameters(), 0.01) for each in nets)

def imagined(seen):
    states = []
    for _ in range(3):
        seen = world(torch.cat([seen, actor(seen).tanh()], 1)).tanh()
        states.append(seen)
    return torch.stack(states)

with contextlib.suppress(RuntimeError):
    for _ in range(9):
        path = imagined(torch.randn(8, 4))
        gain = -(path.square().sum(-1, keepdim=True) + value(path)).mean()
        of_actor.zero_grad(); gain.backward(); of_actor.step()
        error = (value(path) - 1).square().mean()
        of_value.zero_grad(); error.backward(); of_value.step()
"""


def test_the_step_behind_it_on_the_same_line_tells_what_a_loss_trains(checked):
    (found,) = checked(ON_ONE_LINE).findings
    assert found.code == "error = (value(path) - 1).square().mean()"
    assert "`error = (value(path.detach()) - 1).square().mean()`" in found.suggestion


OFTEN = """
import contextlib
import torch
from torch import nn

torch.manual_seed(0)
maker, critic = nn.Linear(3, 4), nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
of_maker = torch.optim.SGD(maker.parameters(), 0.01)
of_critic = torch.optim.SGD(critic.parameters(), 0.01)

def judge(true, made):
    loss = critic(made).mean() - critic(true).mean()
    of_critic.zero_grad()
    loss.backward()
    of_critic.step()

with contextlib.suppress(RuntimeError):
    for _ in range(9):
        made = maker(torch.randn(8, 3)).tanh()
        for _ in range(3):
            judge(torch.randn(8, 4), made)
        fooled = -critic(maker(torch.randn(8, 3)).tanh()).mean()
        of_maker.zero_grad()
        fooled.backward()
        of_maker.step()
"""


def test_what_none_of_several_steps_trains_is_read_without_its_graph(checked):
    (found,) = checked(OFTEN).findings
    assert found.code == "loss = critic(made).mean() - critic(true).mean()"
    assert "`loss = critic(made.detach()).mean() - critic(true).mean()`" in found.suggestion
