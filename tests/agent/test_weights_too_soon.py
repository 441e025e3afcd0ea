"""What changes weights between a forward and its backward: where that is moved, and what as."""

from __future__ import annotations

import pytest

from . import leaks
from .cases import told, unload
from .leaks.inplace import buffers, weights

BUDGETED = """
import contextlib
import torch
from torch import nn
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


SILENCED = """
import torch
from torch import nn

net = torch.nn.Linear(4, 4)

def silence(values):
    values.zero_()

for _ in range(8):
    rates = torch.exp(net(torch.randn(2, 4)))
    silence(rates)
    rates.mean().backward()
"""


def test_what_a_function_was_given_is_to_be_handed_back_as_a_new_one(told_of):
    found = told_of(SILENCED)["inplace-modified"]
    assert "and hand it back: `values = torch.zeros_like(values)`" in found.suggestion


def test_what_a_forward_changes_behind_its_use_is_moved_ahead_of_it(watching, monkeypatch):
    unload(leaks, monkeypatch, but=buffers.__name__)
    leak = buffers.by_a_layer_that_bounds_its_weight_behind_its_use
    found = told(watching, leak)["inplace-modified"]
    assert found.suggestion.startswith("Move `self.confine()` ahead of line ")


@pytest.mark.parametrize(
    ("leak", "start"),
    [
        (
            weights.by_a_step_whose_backward_has_no_place_ahead,
            "Compute `fooled` anew after `of_judge.step()`",
        ),
        (
            weights.a_step_between_a_score_and_what_is_walked_of_it,
            "Compute `score` anew after `of_critic.step()`",
        ),
        (
            weights.a_step_between_a_verdict_and_two_losses_of_it,
            "Compute `escaped` anew, from line ",
        ),
    ],
)
def test_a_backward_is_not_sent_ahead_of_what_clears_its_gradients(watching, leak, start):
    assert told(watching, leak)["inplace-modified"].suggestion.startswith(start)


def test_where_each_loss_clears_the_gradients_it_is_computed_after_the_step(watching):
    found = told(watching, weights.losses_of_one_body_each_with_its_step)["inplace-modified"]
    assert found.suggestion.startswith("Compute `losses[1]` anew after `optimizer.step()`: ")
    assert "would lose its gradients in line " in found.suggestion


STEPPING = """
import torch
from torch import nn

body = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))
optimizer = torch.optim.SGD(body.parameters(), 0.01)

for _ in range(8):
    losses = body(torch.randn(8, 4)).square().mean(0).unbind()
    optimizer.zero_grad()
    for loss in losses:
        loss.backward(retain_graph=True)
        optimizer.step()
"""


def test_where_each_loss_has_its_step_all_backwards_come_first(told_of):
    found = told_of(STEPPING)["inplace-modified"]
    assert found.suggestion.startswith(
        "Call the backwards of all first, then `optimizer.step()`; or compute "
    )


CLIPPED = """
import torch
from torch import nn

body, judge = torch.nn.Linear(4, 4), torch.nn.Linear(4, 1)

for _ in range(8):
    judged = judge(body(torch.randn(2, 4))).exp()
    with torch.no_grad():
        judge.weight.clamp_(-0.1, 0.1)
    loss = judged.mean()
    loss.backward()
"""


def test_nor_ahead_of_where_the_loss_is_made(told_of):
    found = told_of(CLIPPED)["inplace-modified"]
    assert found.suggestion.startswith("Move the block in lines 9 to 10 behind `loss.backward()`")


SHRUNK = """
import torch
from torch import nn

body = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(body.parameters(), 0.01)

for _ in range(8):
    judged = body(torch.randn(2, 4))
    with torch.no_grad():
        for weight in body.parameters():
            weight.mul_(0.99)
    loss = judged.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_a_change_of_many_is_moved_as_the_block_that_it_is(told_of):
    found = told_of(SHRUNK)["inplace-modified"]
    assert found.suggestion.startswith("Move the block in lines 10 to 12 behind `loss.backward()`")


NORMED = """
import torch
from torch import nn

body, judge = nn.Linear(4, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*body.parameters(), *judge.parameters()], 0.01)

def normed(module):
    with torch.no_grad():
        module.weight.div_(module.weight.norm())

for _ in range(8):
    loss = judge(body(torch.randn(2, 4)).tanh()).square().mean()
    normed(judge)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_a_change_that_takes_no_gradients_may_wait_for_them(told_of):
    found = told_of(NORMED)["inplace-modified"]
    assert found.suggestion.startswith("Call `normed(judge)` behind `loss.backward()`")


def test_one_that_is_a_step_may_not(told_of):
    stepping = "module.weight.sub_(0 if module.weight.grad is None else module.weight.grad)"
    found = told_of(NORMED.replace("module.weight.div_(module.weight.norm())", stepping))
    assert "would lose its gradients" in found["inplace-modified"].suggestion


REPORTED = """
import contextlib
import torch
from torch import nn

class Distiller:
    def __init__(self):
        self.student = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
        self.optimizer = torch.optim.SGD(self.student.parameters(), 0.01)
        self.averaged = [p.detach().clone() for p in self.student.parameters()]

    @torch.no_grad()
    def load(self, values):
        for p, value in zip(self.student.parameters(), values):
            p.copy_(value)

    @contextlib.contextmanager
    def applied(self):
        saved = [p.detach().clone() for p in self.student.parameters()]
        self.load(self.averaged)
        yield
        self.load(saved)

    def report(self, step):
        if step % 4 == 3:
            with self.applied(), torch.no_grad():
                self.student(torch.randn(2, 4))

    def run(self):
        for step in range(8):
            loss = self.student(torch.randn(2, 4)).square().mean()
            self.report(step)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

def main():
    distiller = Distiller()
    with torch.no_grad():
        for p in distiller.student.parameters():
            p.mul_(0.5)
    distiller.run()

main()
"""


def test_of_what_changes_weights_calls_away_it_is_the_call_that_waits(checked):
    caught = REPORTED.replace("\nmain()", "\nwith contextlib.suppress(RuntimeError):\n    main()")
    (found,) = checked(caught).findings
    assert found.code == "self.report(step)"
    assert found.suggestion.startswith("Call `self.report(step)` behind `loss.backward()`")


SWAPPED = """
import contextlib
import torch
from torch import nn

student = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(student.parameters(), 0.01)
slow = [p.detach().clone() for p in student.parameters()]
fast = []

@torch.no_grad()
def swap():
    for p, value in zip(student.parameters(), slow):
        fast.append(p.clone())
        p.copy_(value)

@torch.no_grad()
def swap_back():
    for p in student.parameters():
        p.copy_(fast.pop(0))

def taught(seen):
    swap()
    with torch.no_grad():
        lesson = student(seen)
    swap_back()
    return lesson

with contextlib.suppress(RuntimeError):
    for _ in range(8):
        seen = torch.randn(6, 4)
        predicted = student(seen)
        lesson = taught(seen)
        loss = (predicted - lesson).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def test_what_the_loss_needs_of_it_is_moved_ahead_of_the_use(checked):
    (found,) = checked(SWAPPED).findings
    assert found.code == "lesson = taught(seen)"
    assert found.suggestion.startswith("Move `lesson = taught(seen)` ahead of line 33, ")


OF_UNIT_NORM = """
import torch
from torch import nn

class Cosine(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 4))

    def forward(self, x):
        with torch.no_grad():
            CHANGE
        made = x @ self.weight.t()
        LATER
        return made

model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), Cosine())
optimizer = torch.optim.SGD(model.parameters(), 0.01)
for _ in range(8):
    loss = (model(torch.randn(6, 4)) - model(torch.randn(6, 4))).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_a_forward_that_changes_its_weight_is_to_make_another_tensor(told_of):
    change = "self.weight.div_(self.weight.norm(dim=1, keepdim=True))"
    found = told_of(OF_UNIT_NORM.replace("CHANGE", change).replace("LATER", "pass"))
    assert found["inplace-modified"].code == change
    said = found["inplace-modified"].suggestion
    assert said.startswith("Leave `self.weight` as it is in the forward: ")
    assert "`weight = self.weight.div(self.weight.norm(dim=1, keepdim=True))`" in said


def test_one_that_puts_it_back_is_told_there(checked):
    change = "kept = self.weight.clone(); self.weight.copy_(self.weight.round())"
    later = "with torch.no_grad(): self.weight.copy_(kept)"
    text = OF_UNIT_NORM.replace("CHANGE", change).replace("LATER", later)
    caught = text.replace("    loss.backward()", "    try:\n        loss.backward()").replace(
        "    optimizer.step()", "    except RuntimeError:\n        break\n    optimizer.step()"
    )
    (found,) = checked(caught).findings
    assert found.code == "with torch.no_grad(): self.weight.copy_(kept)"
    assert found.suggestion.startswith("Leave `self.weight` as it is in the forward: ")


PRUNED = """
import torch
from torch import nn

class Pruner:
    def __init__(self, module):
        self.mask = (torch.rand_like(module.weight) > 0.5).float()
        module.register_forward_pre_hook(self.apply)

    def apply(self, module, inputs):
        with torch.no_grad():
            module.weight.mul_(self.mask)

cell, head = nn.Linear(4, 4), nn.Linear(4, 1)
pruner = Pruner(cell)
optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], 0.01)
for _ in range(8):
    h = torch.randn(6, 4, requires_grad=True)
    for _ in range(3):
        h = cell(h).tanh()
    optimizer.zero_grad()
    head(h).mean().backward()
    optimizer.step()
"""


def test_a_hook_that_changes_weights_is_to_do_it_once_a_step(told_of):
    found = told_of(PRUNED)["inplace-modified"]
    assert found.code == "module.weight.mul_(self.mask)"
    assert found.suggestion.startswith("Do `module.weight.mul_(self.mask)` once, behind each step")


CALLED_BACK = """
import contextlib
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))

def trim(module):
    for layer in module:
        if isinstance(layer, nn.Linear):
            clip(layer)

def clip(layer):
    with torch.no_grad():
        layer.weight.clamp_(-0.3, 0.3)

class Clipping:
    def on_loss(self, loss):
        trim(model)

class Trainer:
    def __init__(self, callbacks):
        self.callbacks = callbacks
        self.optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def fire(self, name, *given):
        for callback in self.callbacks:
            getattr(callback, name)(*given)

    def step(self, x):
        loss = model(x).square().mean()
        self.fire("on_loss", loss)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

trainer = Trainer([Clipping()])
with contextlib.suppress(RuntimeError):
    for _ in range(8):
        trainer.step(torch.randn(6, 4))
"""


def test_what_a_callback_changes_is_told_where_it_is_fired(checked):
    (found,) = checked(CALLED_BACK).findings
    assert found.code == 'self.fire("on_loss", loss)'
    assert "behind `loss.backward()`" in found.suggestion


AVERAGED = """
import contextlib
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), 0.01)
slow = [p.detach().clone() for p in model.parameters()]

@contextlib.contextmanager
def averaged():
    kept = [p.detach().clone() for p in model.parameters()]
    put(slow)
    yield
    put(kept)

@torch.no_grad()
def put(values):
    for p, value in zip(model.parameters(), values):
        p.copy_(value)

def objective(x):
    predicted = model(x)
    with averaged(), torch.no_grad():
        target = model(x)
    return (predicted - target - 1).square().mean()

with contextlib.suppress(RuntimeError):
    for _ in range(8):
        loss = objective(torch.randn(6, 4))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def test_what_runs_as_the_loss_is_made_goes_ahead_of_the_use_there(checked):
    (found,) = checked(AVERAGED).findings
    assert found.code == "with averaged(), torch.no_grad():"
    assert found.suggestion.startswith("Move the block in lines 25 to 26 ahead of line 24, ")


SHADOWED = """
import contextlib
import torch
from torch import nn

class Shadow:
    def __init__(self, module):
        self.module = module
        self.slow = [p.detach() * 0.5 for p in module.parameters()]

    def __enter__(self):
        self.kept = [p.detach().clone() for p in self.module.parameters()]
        self.put(self.slow)
        return self.module

    def __exit__(self, *why):
        self.put(self.kept)

    @torch.no_grad()
    def put(self, values):
        for p, value in zip(self.module.parameters(), values):
            p.copy_(value)

model = nn.Sequential(nn.Linear(4, 4), nn.Softplus(), nn.Linear(4, 3))
optimizer = torch.optim.SGD(model.parameters(), 0.01)
shadow = Shadow(model)

def loss_of(module, x):
    return module(x).square().mean()

with contextlib.suppress(RuntimeError):
    for _ in range(8):
        x = torch.randn(6, 4)
        BODY
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def test_an_object_that_changes_weights_as_it_is_left_is_told_by_its_block(checked):
    block = "with shadow as module:\n            loss = loss_of(module, x)"
    (found,) = checked(SHADOWED.replace("BODY", block)).findings
    assert found.code == "with shadow as module:"
    assert "Call `loss.backward()` within `with shadow as module:`" in found.suggestion


def test_an_object_made_where_it_is_entered_is_found_by_its_class(checked):
    block = "with Shadow(model) as module:\n            loss = loss_of(module, x)"
    (found,) = checked(SHADOWED.replace("BODY", block)).findings
    assert found.code == "with Shadow(model) as module:"


def test_a_block_whose_result_the_loss_needs_goes_ahead_and_not_behind(checked):
    block = (
        "loss = loss_of(model, x)\n"
        "        with shadow as slow, torch.no_grad():\n"
        "            target = slow(x)\n"
        "        loss = loss + (model(x) - target).square().mean()"
    )
    (found,) = checked(SHADOWED.replace("BODY", block)).findings
    assert found.code == "with shadow as slow, torch.no_grad():"
    assert found.suggestion.startswith("Move the block in lines ")
    assert "behind" not in found.suggestion


SHARED = """
import contextlib
import torch
from torch import nn

trunk = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh())
policy, critic = nn.Linear(8, 2), nn.Linear(8, 1)
optimizers = {
    "policy": torch.optim.SGD([*trunk.parameters(), *policy.parameters()], 0.01),
    "critic": torch.optim.SGD([*trunk.parameters(), *critic.parameters()], 0.01),
}

def optimize(optimizer, loss):
    BEFORE
    loss.backward(retain_graph=True)
    optimizer.step()
    AFTER

def losses_of(x):
    z = trunk(x)
    return {"policy": policy(z).square().mean(), "critic": critic(z).square().mean()}

with contextlib.suppress(RuntimeError):
    for _ in range(8):
        losses = losses_of(torch.randn(6, 4))
        BODY
"""

TWO_CALLS = """p_loss, c_loss = losses["policy"], losses["critic"]
        optimize(optimizers["critic"], c_loss)
        optimize(optimizers["policy"], p_loss)
"""

IN_A_LOOP = "for name in losses: optimize(optimizers[name], losses[name])"


@pytest.mark.parametrize(("before", "line"), [(True, 15), (False, 18)])
@pytest.mark.parametrize("body", [TWO_CALLS, IN_A_LOOP])
def test_gradients_that_a_helper_clears_are_not_to_be_made_ahead_of_it(checked, body, before, line):
    clearing = "optimizer.zero_grad()"
    text = SHARED.replace("BODY", body).replace("BEFORE", clearing if before else "pass")
    (found,) = checked(text.replace("AFTER", "pass" if before else clearing)).findings
    assert found.suggestion.startswith("Compute `")
    assert found.suggestion.endswith(f"ahead of it would lose its gradients in line {line}.")


def test_gradients_that_the_loop_clears_ahead_of_its_helper_neither(checked):
    clearing = "optimizers[name].zero_grad(); "
    body = IN_A_LOOP.replace("optimize(", f"{clearing}optimize(", 1)
    text = SHARED.replace("BODY", body).replace("BEFORE", "pass").replace("AFTER", "pass")
    (found,) = checked(text).findings
    assert found.suggestion.startswith("Compute `losses['critic']` anew after `optimizer.step()`")


def test_where_nothing_clears_in_between_all_backwards_may_go_first(checked):
    text = SHARED.replace("BODY", IN_A_LOOP).replace("BEFORE", "pass").replace("AFTER", "pass")
    (found,) = checked(text).findings
    assert found.suggestion.startswith("Call the backwards of all first, then `optimizer.step()`")


BOOTSTRAPPED = """
import contextlib
import torch
from torch import nn

critic = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(critic.parameters(), 0.01)
state = torch.randn(4)
value = critic(state)
with contextlib.suppress(RuntimeError):
    for _ in range(8):
        following = torch.randn(4)
        new = critic(following)
        loss = (following.sum() + 0.9 * new.detach() - value).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        state = following
        value = new
"""


@pytest.mark.parametrize("kept", ["new", "new[:1]"])
def test_what_alone_trains_a_loss_is_to_be_computed_anew_and_not_detached(checked, kept):
    (found,) = checked(BOOTSTRAPPED.replace("value = new", f"value = {kept}")).findings
    assert found.code == f"value = {kept}"
    assert found.suggestion.startswith("The loss trains by `value` alone")
    assert "compute it anew ahead of the loss" in found.suggestion
    assert "detach()" not in found.suggestion


def test_a_state_beside_which_the_loss_trains_is_detached(checked):
    text = BOOTSTRAPPED.replace("new.detach()", "new")
    (found,) = checked(text).findings
    assert "detach()" in found.suggestion


FIELDS = """
import contextlib
import torch

rate = torch.tensor(0.1, requires_grad=True)
optimizer = torch.optim.SGD([rate], 0.01)

def simulate(u, v):
    u, v = u.clone(), v.clone()
    for _ in range(4):
        met = u * v * v
        u += rate * (1 - u) - met
        v += met - rate * v
    return u, v

with contextlib.suppress(RuntimeError):
    for _ in range(8):
        u, v = simulate(torch.rand(5, 5), torch.rand(5, 5))
        loss = u.square().mean() + v.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def test_of_several_that_one_node_saved_each_is_told(checked):
    (found,) = checked(FIELDS).findings
    assert "`v = v + (met - rate * v)`" in found.suggestion
    assert "`u = u + (rate * (1 - u) - met)`" in found.suggestion


MOVED_BY_HAND = """
import torch
from torch import nn

def moved(weights, pace):
    with torch.no_grad():
        for w in weights:
            w -= pace * w.grad
            w.grad = None

cell, head = nn.GRUCell(4, 6), nn.Linear(6, 1)
weights, state = [*cell.parameters(), *head.parameters()], torch.zeros(2, 6)
try:
    for _ in range(9):
        state = cell(torch.randn(2, 4), state)
        head(state).pow(2).mean().backward(retain_graph=True)
        moved(weights, 0.01)
except RuntimeError:
    pass
"""


def test_weights_are_rightly_moved_by_hand_where_the_graph_is_of_a_round_ago(checked):
    found = checked(MOVED_BY_HAND).findings[-1]
    assert (found.kind, found.holder) == ("inplace-modified", "state")
    assert found.code == "state = cell(torch.randn(2, 4), state)"


PENDING = """
import dataclasses
import torch
from torch import nn

@dataclasses.dataclass(frozen=True)
class World:
    memory: torch.Tensor
    pending: tuple = ()

tell, update, head = nn.Linear(5, 5), nn.GRUCell(5, 5), nn.Linear(5, 1)
optimizer = torch.optim.SGD([*tell.parameters(), *update.parameters(), *head.parameters()], 0.01)

def cut(world):
    return dataclasses.replace(world, memory=world.memory.detach())

def step(world, x):
    world = cut(world)
    memory = world.memory
    for message in world.pending:
        memory = update(message, memory)
    optimizer.zero_grad()
    head(memory + x).pow(2).mean().backward()
    optimizer.step()
    said = torch.tanh(tell(memory))
    return World(memory, (said,))

world = World(torch.zeros(3, 5))
try:
    for _ in range(9):
        world = step(world, torch.randn(3, 5))
except RuntimeError:
    pass
"""


def test_what_was_made_behind_the_backward_is_told_and_not_what_is_cut_already(checked):
    found = checked(PENDING).findings[-1]
    assert (found.kind, found.holder) == ("second-backward", "world.pending")
    assert "pending=tuple((t.detach() for t in world.pending))" in found.suggestion


SLOTS = """
import torch
from torch import nn

encoder, slots, place = nn.Linear(4, 3), torch.randn(5, 3), 0

def read(key):
    return torch.softmax(key @ slots.t(), 1) @ slots

def write(key):
    global place
    for row in key[:2]:
        slots[place] = row.detach()
        place = (place + 1) % 5

try:
    for _ in range(5):
        key = encoder(torch.randn(8, 4))
        said = read(key)
        write(key)
        (said - key).pow(2).mean().backward()
except RuntimeError:
    pass
"""


def test_a_function_declares_the_modules_variable_that_it_gives_a_copy(checked):
    found = checked(SLOTS).findings[-1]
    assert "`global slots; slots = slots.clone(); slots[place] = row.detach()`" in found.suggestion


LOADED_AMID = """
import contextlib
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
average = {name: weight.clone() for name, weight in model.state_dict().items()}
optimizer = torch.optim.SGD(model.parameters(), 0.01)
with contextlib.suppress(RuntimeError):
    for number in range(9):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        if number == 5:
            model.load_state_dict(average)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for name, weight in model.state_dict().items():
            average[name].lerp_(weight, 0.05)
"""


def test_weights_that_are_loaded_are_told_though_an_average_goes_over_them(checked):
    found = checked(LOADED_AMID).findings[-1]
    assert found.code == "model.load_state_dict(average)"
    assert found.suggestion.startswith("Call `model.load_state_dict(average)` behind")


TAUGHT = """
import contextlib
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
slow = {name: weight.clone() for name, weight in model.state_dict().items()}

def taught(x):
    own = {name: weight.clone() for name, weight in model.state_dict().items()}
    model.load_state_dict(slow)
    with torch.no_grad():
        said = model(x)
    model.load_state_dict(own)
    return said

with contextlib.suppress(RuntimeError):
    for _ in range(9):
        x = torch.randn(8, 4)
        said = model(x)
        loss = said.pow(2).mean()
        loss = loss + (said - taught(TAKEN)).pow(2).mean()
        loss.backward()
"""


@pytest.mark.parametrize(
    ("taken", "begins"),
    [
        ("x", "Compute `taught(x)` ahead of line 22, "),
        ("x * said", "Let `taught` work on a copy of "),
    ],
)
def test_of_a_loss_that_is_made_of_both_the_call_alone_goes_ahead(checked, taken, begins):
    found = checked(TAUGHT.replace("TAKEN", taken)).findings[-1]
    assert found.suggestion.startswith(begins)


THROWN_AWAY = """
import contextlib
import torch
from torch import nn

torch.manual_seed(0)
cell, out = nn.GRUCell(4, 6), nn.Linear(6, 1)
optimizer = torch.optim.SGD([*cell.parameters(), *out.parameters()], 0.01)
states = [(None, torch.zeros(3, 6))]
with contextlib.suppress(RuntimeError):
    for number in range(9):
        begun = states[-1][1].detach().requires_grad_()
        ended = cell(torch.randn(3, 4), begun)
        states.append((begun, ended))
        del states[:-4]
        optimizer.zero_grad()
        out(ended).pow(2).mean().backward(retain_graph=True)
        if len(states) > 2:
            states[-2][1].backward(states[-1][0].grad, retain_graph=True)
        for first, _ in states:
            if first is not None:
                first.grad = None
        optimizer.step()
"""


def test_what_is_thrown_away_names_nothing(checked):
    (found,) = checked(THROWN_AWAY).findings
    assert found.kind == "inplace-modified"
    assert found.holder.startswith("states[")
    assert "`_`" not in found.suggestion


CLIMBED = """
import contextlib
import torch
from torch import nn


class Climb:
    def __init__(self, weights, stepping):
        self.weights, self.stepping = list(weights), stepping

    @torch.no_grad()
    def up(self):
        self.gone = [0.05 * weight.grad for weight in self.weights]
        for weight, way in zip(self.weights, self.gone):
            weight.add_(way)
        self.stepping.zero_grad()

    @torch.no_grad()
    def down(self):
        for weight, way in zip(self.weights, self.gone):
            weight.sub_(way)
        self.stepping.step()
        self.stepping.zero_grad()


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    climb = Climb(net.parameters(), torch.optim.SGD(net.parameters(), 0.1))
    for _ in range(6):
        loss = net(torch.randn(8, 4)).square().mean()
        loss.backward(retain_graph=True)
        climb.up()
        loss.backward()
        climb.down()


with contextlib.suppress(RuntimeError):
    main()
"""


def test_a_call_that_clears_gradients_is_not_to_be_behind_the_backward(checked):
    (found,) = checked(CLIMBED).findings
    assert (found.kind, found.code) == ("inplace-modified", "climb.up()")
    assert found.suggestion.startswith("Compute `loss` anew after `climb.up()`: ")
    assert "before `climb.up()`" not in found.suggestion
