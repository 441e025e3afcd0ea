"""Dicts under whose keys losses are stored, and lists and objects that lie in dicts."""

from __future__ import annotations

import collections
import contextvars
import weakref
from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace

import torch
from torch import nn

from ..common import STEPS, job, sgd_of


def by_dict_union():
    """graph-held | log | replaced"""
    step, log = job(), {}
    for n in range(STEPS):
        loss = step()
        log |= {n: loss}  # <-


def by_setdefault():
    """graph-held | log['loss'] | replaced"""
    step, log = job(), {}
    for _ in range(STEPS):
        loss = step()
        log.setdefault("loss", []).append(loss)  # <-


def by_defaultdict():
    """graph-held | log['loss'] | replaced"""
    step, log = job(), collections.defaultdict(list)
    for n in range(STEPS):
        loss = step()
        log["loss"].append((n, loss))  # <-


def by_a_list_under_a_key():
    """graph-held | log | replaced"""
    step, seen = job(), collections.defaultdict(list)
    for _ in range(STEPS):
        log = seen["stem"]
        log.append(step())  # <-


def in_a_dict_by_step():
    """graph-held | by_step | replaced"""
    step, by_step = job(), {}
    for number in range(STEPS):
        by_step[f"step {number}"] = step()  # <- graph-held


def by_weak_keys():
    """graph-held | cache | replaced"""
    step, cache = job(), weakref.WeakKeyDictionary()

    class Key:
        pass

    keys = [Key() for _ in range(STEPS)]
    for key in keys:
        loss = step()
        cache[key] = loss  # <-


def under_keys_of_several_parts_beside_much_else():
    """graph-held | kept | replaced"""
    step, kept, much = job(), {}, [[] for _ in range(60_000)]
    for n in range(STEPS):
        loss = step()
        kept["train", n] = loss  # <-
    assert much


@dataclass
class Stats:
    losses: list


def by_a_record_without_methods():
    """graph-held | stats | words"""
    step, stats = job(), {("train", 0): Stats([])}
    for _ in range(STEPS):
        loss = step()
        stats["train", 0].losses.append(loss)  # <-


def by_two_lists_of_one_dict():
    """graph-held | parts | replaced"""
    step, parts = job(), {"style": [], "content": [], "steps": []}
    for n in range(STEPS):
        style = step()
        content = style + 1
        parts["style"].append(style)  # <-
        parts["content"].append(content)  # <-
        parts["steps"].append(n)


def by_lists_of_a_dict_of_losses():
    """graph-held | history | replaced"""
    step, history = job(), collections.defaultdict(list)
    for n in range(STEPS):
        loss = step()
        for name, value in {"loss": loss, "scaled": 2 * loss, "step": n}.items():
            history[name].append(value)  # <-


def by_a_table_of_numbers_and_vectors():
    """graph-held | table | replaced"""
    step, table = job(), {}
    for n in range(STEPS):
        loss = step()
        parts = {"loss": loss, "out": loss.detach().repeat(3), "rate": 0.1}
        for name, value in parts.items():
            table[n, name] = value * 0.5  # <-


class Seen:
    def __init__(self):
        self.by_layer = collections.defaultdict(lambda: {"mean": [], "dead": []})

    def take(self, name, value):
        entry = self.by_layer[name]
        entry["mean"].append(value.abs().mean())  # <-
        entry["dead"].append((value <= 0).float().mean().item())


def by_lists_of_each_layer():
    """graph-held | seen.by_layer | words"""
    step, seen = job(), Seen()
    for _ in range(STEPS):
        loss = step()
        for name in ("first", "second", "third"):
            seen.take(name, loss * 2)


class Scoreboard:
    def __init__(self):
        self.rows = collections.defaultdict(list)

    def put(self, tag, score, at):
        self.rows[tag].append((at, score))  # <-

    def lay(self, tag, score, at):
        self.rows[tag].append((at, score))  # <-


def by_rows_some_of_which_are_of_numbers():
    """graph-held | board.rows['loss'] | words"""
    step, board = job(), Scoreboard()
    for n in range(STEPS):
        for tag, score in (("reward", n / STEPS), ("loss", step())):
            board.put(tag, score, n)


def by_rows_that_are_all_of_tensors():
    """graph-held | board.rows['loss'] | words"""
    step, board = job(), Scoreboard()
    for n in range(STEPS):
        loss = step()
        for tag, score in (("loss", loss), ("twice", loss.detach() * 2)):
            board.lay(tag, score, n)


class RunBook:
    def __init__(self):
        self.series, self.rows = {}, {}

    def push(self, **values):
        for key, value in values.items():
            self._row(key).append(value)  # <- into what a getter hands back

    def _row(self, key):
        return self.series.setdefault(key, [])

    def close(self, number, tasks):
        self.rows[number] = self._scored(tasks)

    def _scored(self, tasks):
        row = {}
        for each, loss in enumerate(tasks):
            row[each] = loss * 2  # <- where the row is filled
        return row


def by_a_row_that_a_getter_makes():
    """graph-held | book.series | words"""
    step, book = job(), RunBook()
    for _ in range(STEPS):
        loss = step()
        book.push(loss=loss, twice=loss * 2)


def by_a_row_that_is_filled_and_handed_back():
    """graph-held | book.rows | words"""
    step, book = job(), RunBook()
    for number in range(STEPS):
        book.close(number, [step()])


def smoothed(key, value, *, _history=collections.defaultdict(list)):  # noqa: B006
    _history[key].append(value)  # <- graph-held
    return sum(map(float, _history[key][-20:])) / len(_history[key][-20:])


def of_a_default_beside_plain_numbers():
    """graph-held | _history['loss'] | words"""
    step = job()
    for number in range(STEPS):
        for key, value in (("reward", number / 2), ("loss", step())):
            smoothed(key, value)


def by_setdefault_of_things_that_carry_it():
    """graph-held | log['loss'] | before"""
    step, log = job(), {}
    for number in range(STEPS):
        lap = SimpleNamespace(number=number, loss=step())
        log.setdefault("loss", []).append(lap)  # <-


def by_views_of_dicts_that_are_made_anew():
    """graph-held | published | replaced"""
    step, published = job(), MappingProxyType({})
    for number in range(STEPS):
        published = MappingProxyType({**published, f"step {number}": step()})  # <-


def by_views_in_a_variable_of_the_context():
    """graph-held | published | replaced"""
    step = job()
    published = contextvars.ContextVar("published", default=MappingProxyType({}))

    def publish(name, value):
        old = published.get()
        published.set(MappingProxyType({**old, name: value}))  # <-

    for number in range(STEPS):
        publish(f"step {number}", step())


def by_the_default_of_a_variable_of_the_context():
    """graph-held | noted | .append(loss.detach())"""
    step = job()
    noted = contextvars.ContextVar("noted", default=[])  # noqa: B039

    def note(loss):
        noted.get().append(loss)  # <-

    for _ in range(STEPS):
        note(step())


class Critic:
    """With a slow copy of its weights, and what that foretells read without its graph."""

    def __init__(self):
        self.online = {k: torch.randn(4, 4, requires_grad=True) for k in "wb"}
        self.slow = {k: torch.randn(4, 4) for k in "wb"}

    def __call__(self, weights, x):
        return (x @ weights["w"] @ weights["b"]).tanh().mean(1)

    def follow(self):
        slow, new = self.slow, self.online
        self.slow = {k: 0.9 * slow[k] + 0.1 * new[k] for k in slow}  # <- graph-held


class Learner:
    def __init__(self):
        self.critic = Critic()
        self.optimizer = torch.optim.Adam(self.critic.online.values(), 1e-3)

    def update(self):
        x = torch.randn(8, 4, requires_grad=True)
        later = self.critic(self.critic.slow, x.tanh())
        loss = (self.critic(self.critic.online, x) - later.detach()).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.critic.follow()


def by_slow_weights_that_only_what_is_detached_is_made_of():
    """graph-held | learner.critic.slow | words"""
    learner = Learner()
    for _ in range(STEPS):
        learner.update()


def by_a_recorder_that_takes_numbers_too():
    """graph-held | series['loss'] | replaced"""
    step, series = job(), collections.defaultdict(list)
    for number in range(STEPS):
        payload = {"loss": step(), "rate": 0.1 / (number + 1)}
        for name in ("loss", "rate"):
            value = payload.get(name)
            if value is not None:
                series[name].append(value)  # <-


def by_one_that_is_picked():
    """graph-held | curves['loss'] | replaced"""
    step, curves = job(), {"loss": [], "twice": []}
    for _ in range(STEPS):
        loss = step()
        for name, curve in curves.items():
            curve.append({"loss": loss, "twice": 2 * loss.item()}[name])  # <- graph-held


def by_what_a_row_is_given_behind_the_backward():
    """graph-held | rows | replaced"""
    torch.manual_seed(0)
    model, rows = nn.Linear(4, 3), []
    optimizer = sgd_of(model)
    for number in range(STEPS):
        given = model(torch.randn(8, 4))
        optimizer.zero_grad()
        given.pow(2).mean().backward()
        optimizer.step()
        row = {"step": number}
        row["bias"] = (given - 1).mean()  # <-
        rows.append(row)


class Annals(dict):
    def enter(self, **events):
        for event, value in events.items():
            self.setdefault(event, []).append(value)  # <- graph-held by a dict that fills itself


def by_a_dict_that_fills_lists_of_its_own():
    """graph-held | annals | words"""
    step, annals = job(), Annals()
    for _ in range(STEPS):
        cost = step()
        annals.enter(cost=cost, root=cost.sqrt())


def by_the_counts_that_are_updated():
    """graph-held | tallied['loss'] | replaced"""
    step, tallied = job(), collections.Counter()
    for _ in range(STEPS):
        loss = step()
        tallied.update({"loss": loss, "n": 1})  # <-


def by_a_dict_with_one_key_more():
    """graph-held | logged | replaced"""
    step, logged = job(), {}
    for number in range(STEPS):
        loss = step()
        logged = {**logged, f"step {number}": loss, "n": number}  # <-


class Shelf:
    """Whatever is put there, under whatever key: what is trained by as well."""

    def __init__(self):
        self.slots_by_key = {}

    def take(self, key):
        return self.slots_by_key.get(key)

    def stow(self, key, thing):
        self.slots_by_key[key] = thing


def by_one_key_of_a_shelf_of_all():
    """graph-held | shelf.slots_by_key['mean'] | replaced"""
    torch.manual_seed(0)
    shelf, model = Shelf(), nn.Linear(4, 3)
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        shelf.stow("out", model(torch.randn(8, 4)))
        loss = shelf.take("out").pow(2).mean()
        mean = shelf.take("mean")
        mean = loss if mean is None else 0.9 * mean + 0.1 * loss
        shelf.stow("mean", mean)  # <-
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Cupboard:
    def __init__(self):
        self.slots_by_name = {}

    def __getitem__(self, key):
        return self.slots_by_name.get(key)

    def __setitem__(self, key, thing):
        self.slots_by_name[key] = thing


def by_one_key_of_a_cupboard_of_all():
    """graph-held | cupboard.slots_by_name['smooth'] | replaced"""
    torch.manual_seed(0)
    cupboard, model = Cupboard(), nn.Linear(4, 3)
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        cupboard["out"] = model(torch.randn(8, 4))
        loss = cupboard["out"].pow(2).mean()
        if cupboard["smooth"] is None:
            cupboard["smooth"] = loss.detach()
        else:
            cupboard["smooth"] = 0.9 * cupboard["smooth"] + 0.1 * loss  # <-
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_records_as_dicts_with_numbers_beside():
    """graph-held | seen | replaced"""
    step, seen = job(), []
    for n in range(STEPS):
        loss = step()
        seen.append({"loss": loss, "n": n})  # <-
