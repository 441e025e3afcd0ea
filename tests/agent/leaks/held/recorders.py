"""Meters and logs of which one call, or all of them, are given a graph."""

from __future__ import annotations

import collections
import functools
import logging
import time

import torch
from torch import nn

from ..common import STEPS, job


class Mean:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, n=1):
        self.total = self.total + value * n
        self.count += n


@torch.no_grad()
def share_above(loss):
    return (loss > 0.5).float().mean()


def by_one_meter_of_several():
    """graph-held | losses.total | replaced"""
    step = job()
    losses, above, took = Mean(), Mean(), Mean()
    for _ in range(STEPS):
        began = time.time()
        loss = step()
        losses.update(loss, 8)  # <- graph-held
        above.update(share_above(loss), 8)
        took.update(time.time() - began)


class Recorder:
    def __init__(self):
        self.rows = collections.defaultdict(list)
        self.step = 0

    def log(self, split, **values):
        values["step"] = self.step
        self.rows[split].append(values)

    def scalar(self, name, value):
        self.rows[name].append(value)


def by_one_row_of_several():
    """graph-held | recorder.rows['train'] | replaced"""
    step, recorder = job(), Recorder()
    for _ in range(STEPS):
        loss = step()
        recorder.log("train", loss=loss, lr=0.01)  # <- graph-held
        recorder.log("test", loss=step().item())


def by_one_name_of_several():
    """graph-held | recorder.rows['loss'] | replaced"""
    step, recorder = job(), Recorder()
    for _ in range(STEPS):
        loss, other = step(), step()
        recorder.scalar("loss", loss)  # <- graph-held
        recorder.scalar("other", other.item())


def note(book, **values):
    for name, value in values.items():
        book.setdefault(name, []).append(value)


def by_one_call_of_what_is_prepared():
    """graph-held | book['loss'] | replaced"""
    step, book = job(), {}
    keep = functools.partial(note, book)
    for _ in range(STEPS):
        loss = step()
        keep(loss=loss)  # <- graph-held
        keep(other=step().item())


class Pair:
    def __init__(self):
        self.seen = []

    def add(self, value):
        self.seen.append(value)  # <- graph-held


def by_all_calls():
    """graph-held | pair.seen | words"""
    step, pair = job(), Pair()
    for _ in range(STEPS):
        pair.add(step())
        pair.add(step().exp())


class Smoothed:
    """Made for tensors, too: of those it adds up the numbers."""

    def __init__(self):
        self.window, self.total = [], 0.0

    def observe(self, value):
        self.window.append(value)  # <- by_what_takes_numbers_of_tensors_elsewhere
        self.total += float(value)


def by_what_takes_numbers_of_tensors_elsewhere():
    """graph-held | losses.window | words"""
    step, losses, shares = job(), Smoothed(), Smoothed()
    for _ in range(STEPS):
        loss = step()
        losses.observe(loss)
        shares.observe(share_above(loss))


def averaged(key, value, *, _history=collections.defaultdict(list)):  # noqa: B006
    _history[key].append(value)
    return sum(map(float, _history[key][-20:])) / len(_history[key][-20:])


def by_a_default_that_one_call_fills():
    """graph-held | _history['loss'] | replaced"""
    step = job()
    for number in range(STEPS):
        averaged("reward", number / 2)
        averaged("loss", step())  # <- graph-held


class Tail(logging.Handler):
    def __init__(self):
        super().__init__()
        self.records = []

    def emit(self, record):
        self.records.append(record)


def by_a_handler_of_its_own():
    """graph-held | log.handlers[0].records | replaced"""
    step, log = job(), logging.Logger("of its own")
    log.addHandler(Tail())
    for number in range(STEPS):
        loss = step()
        log.info("step %d loss %.3f", number, loss)  # <- graph-held


def by_a_handler_that_is_given_names():
    """graph-held | log.handlers[0].records | replaced"""
    step, log = job(), logging.Logger("of its own")
    log.addHandler(Tail())
    for number in range(STEPS):
        loss = step()
        log.info("step %(n)d loss %(loss).3f", {"n": number, "loss": loss})  # <- graph-held


class Total:
    def __init__(self):
        self.amount = 0.0

    def take(self, value, n=1):
        self.amount = self.amount + value * n


class Group:
    def __init__(self, *names):
        self.totals = {name: Total() for name in names}

    def take_all(self, n, **values):
        for name, value in values.items():
            self.totals[name].take(value, n)


def by_one_total_of_a_group():
    """graph-held | group.totals['other'].amount | replaced"""
    step, group = job(), Group("loss", "other")
    for _ in range(STEPS):
        loss = step()
        group.take_all(8, loss=loss.item())
        group.totals["other"].take(2 * loss, 8)  # <- graph-held


class Index:
    def __init__(self):
        self.entries = []

    def consider(self, number, metrics):
        entry = {"step": number, **metrics}
        self.entries.append(entry)


def by_one_metric_of_several():
    """graph-held | index.entries | replaced"""
    step, index = job(), Index()
    for number in range(STEPS):
        loss = step()
        index.consider(number, {"loss": loss.item(), "root": loss.sqrt()})  # <- graph-held


class Running:
    def __init__(self):
        self.value = None

    def __call__(self, x):
        if self.value is None:
            self.value = x
        else:
            self.value = 0.9 * self.value + 0.1 * x
        return self.value


def by_one_running_value_of_two():
    """graph-chain | center.value | replaced"""
    torch.manual_seed(0)
    model, center, smooth = nn.Linear(4, 3), Running(), Running()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        out = model(torch.randn(8, 4))
        around = center(out.mean(0))  # <- graph-chain
        loss = (out - around).pow(2).mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        smooth(loss.item())


class Sums:
    def __init__(self):
        self.whole = 0.0

    def put(self, value, n=1):
        self.whole = self.whole + value * n  # <- graph-held


def by_one_call_of_pairs():
    """graph-held | sums.whole | words"""
    step, sums, counts = job(), Sums(), Sums()
    for _ in range(STEPS):
        pair = step(), 8
        sums.put(*pair)
        counts.put(pair[0].item(), 1)


class Series:
    def __init__(self):
        self.points = []

    def extend_by(self, value):
        self.points.append(value)  # <- graph-held


class Board:
    def __init__(self):
        self.series = collections.defaultdict(Series)

    def note_all(self, **values):
        for name, value in values.items():
            self.series[name].extend_by(value)


def by_a_series_of_either():
    """graph-held | - | words"""
    step, board = job(), Board()
    for _ in range(STEPS):
        loss = step()
        board.note_all(loss=loss, rounded=round(loss.item(), 3))


class Gauges:
    def __init__(self):
        self.gauged = collections.defaultdict(list)

    def gauge(self, name, value):
        self.gauged[name].append(value)  # <- graph-held by two of three calls


def by_two_of_three_calls():
    """graph-held | gauges.gauged | words"""
    step, gauges = job(), Gauges()
    for _ in range(STEPS):
        loss = step()
        gauges.gauge("loss", loss)
        gauges.gauge("root", loss.sqrt())
        gauges.gauge("rate", 0.1)


class Smoothing:
    def __init__(self):
        self.latest_few, self.so_far = collections.deque(maxlen=20), 0.0

    def smooth_in(self, value):
        self.latest_few.append(value)  # <- graph-held by words, some of them numbers
        self.so_far += value  # <- graph-held by words, some of them numbers


class Smoothings:
    def __init__(self):
        self.smoothings = {}

    def smooth_all(self, **words):
        for word, value in words.items():
            self.smoothings.setdefault(word, Smoothing()).smooth_in(value)


def by_words_some_of_which_are_numbers():
    """graph-held | - | words"""
    step, smoothed = job(), Smoothings()
    for _ in range(STEPS):
        smoothed.smooth_all(loss=step(), pace=0.1)
