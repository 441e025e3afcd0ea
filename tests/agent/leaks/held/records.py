"""Rows, tuples and records in one of whose fields lies a loss."""

from __future__ import annotations

import collections
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn

from ..common import STEPS, Row, actor, job


def by_a_dict_made_before():
    """graph-held | history | replaced"""
    step, history = job(), []
    for n in range(30):
        loss = step()
        record = {"step": n, "loss": loss, "twice": 2 * loss}
        history.append(record)  # <-


def by_a_dict_of_several_inside_a_record():
    """graph-held | rows | replaced"""
    step, rows = job(), []
    for number in range(STEPS):
        loss = step()
        parts = {"loss": loss, "twice": loss * 2, "half": loss / 2}
        rows.append({"number": number, "parts": parts})  # <-


def by_a_record_of_several():
    """graph-held | history | replaced"""
    step, history = job(), []
    for n in range(30):
        loss = step()
        history.append({"step": n, "loss": loss, "twice": 2 * loss})  # <-


def by_a_row_with_what_was_unpacked():
    """graph-held | rows | replaced"""
    step, rows = job(), []
    for n in range(STEPS):
        logs = {"loss": step()}
        rows.append({"step": n, **logs})  # <-


def by_pairs():
    """graph-held | history | replaced"""
    step, history = job(), []
    for n in range(30):
        loss = step()
        history.append((n, loss, 2 * loss))  # <-


def by_dataclass():
    """graph-held | rows | replaced"""
    step, rows = job(), []
    for n in range(STEPS):
        loss = step()
        rows.append(Row(step=n, loss=loss))  # <-


def by_namedtuple():
    """graph-held | rows | replaced"""
    step, rows = job(), collections.deque()
    Pair = collections.namedtuple("Pair", "n loss")
    for n in range(STEPS):
        loss = step()
        rows.append(Pair(n, loss))  # <-


Move = collections.namedtuple("Move", "place log_prob gain")


class Memory:
    def __init__(self):
        self.ring = collections.deque(maxlen=5000)

    def push(self, move):
        self.ring.append(move)

    def push_all(self, *parts):
        self.ring.append(Move(*parts))

    def note(self, ring, *parts):
        row = parts
        ring.append(row)


def by_parts_that_are_merely_put_away():
    """graph-held | memory.ring | replaced"""
    step, memory = job(), Memory()
    for number in range(STEPS):
        log_prob = step()
        memory.note(memory.ring, number, log_prob)  # <-


def by_parts_that_are_merely_put_together():
    """graph-held | memory.ring | replaced"""
    step, memory = job(), Memory()
    for number in range(STEPS):
        log_prob = step()
        memory.push_all(number, log_prob, 1.0)  # <-


def by_a_record_that_is_merely_put_away():
    """graph-held | memory.ring | replaced"""
    step, memory = job(), Memory()
    for number in range(STEPS):
        log_prob = step()
        memory.push(Move(number, log_prob, 1.0))  # <-


def by_a_record_made_elsewhere():
    """graph-held | memory.ring | replaced"""
    step, memory = job(), Memory()
    for number in range(STEPS):
        move = Move(number, step(), 1.0)
        memory.ring.append(move)  # <-


def by_records_that_a_function_hands_back():
    """graph-held | done | replaced"""
    step, done = job(), collections.deque()

    def one_round(n):
        loss = step()
        return {"round": n, "loss": loss, "shifted": loss + 1}  # <-

    for n in range(STEPS):
        done.append(one_round(n))


@dataclass
class Outcome:
    number: int
    loss: torch.Tensor


def by_records_of_a_class_that_a_function_hands_back():
    """graph-held | outcomes | replaced"""
    step, outcomes = job(), {}

    def one_outcome(n):
        return Outcome(n, step())  # <-

    for n in range(STEPS):
        outcomes[n] = one_outcome(n)


class Timing(NamedTuple):
    seconds: float
    outcome: object


class Stopwatch:
    def __init__(self):
        self.timings = []

    def take(self, seconds: float, outcome: object):
        self.timings.append(Timing(seconds, outcome))  # <-


def by_outcomes_some_of_which_are_numbers():
    """graph-held | watch.timings | words"""
    step, watch, other = job(), Stopwatch(), Stopwatch()
    for _ in range(STEPS):
        watch.take(0.1, step())
        other.take(0.1, 0.5)


class Turning(NamedTuple):
    angle: torch.Tensor
    turned: int


class Wheel:
    def turn(self):
        """Of the same name, but no call of the function below may be one of it."""
        return Turning(0, 0)


def turn(turning, net, optimizer):
    angle = 0.9 * turning.angle + net(torch.randn(8, 4)).mean()
    optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
    return turning._replace(angle=0.5 * angle, turned=turning.turned + 1)  # <- what a turn gives


def by_records_that_go_on_in_a_function():
    torch.manual_seed(0)
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    turnings = [Turning(torch.zeros(()), 0) for _ in range(2)]
    for _ in range(STEPS):
        for place, turning in enumerate(turnings):
            turnings[place] = turn(turning, net, optimizer)


class Visit(NamedTuple):
    seen: torch.Tensor
    state: torch.Tensor
    following: torch.Tensor


def by_records_of_which_the_first_has_fewer_graphs():
    """graph-held | memory | replaced"""
    torch.manual_seed(0)
    cell, memory, state = nn.GRUCell(4, 4), [], torch.zeros(1, 4)
    optimizer = torch.optim.SGD(cell.parameters(), 0.01)
    for number in range(STEPS):
        seen = torch.randn(1, 4)
        following = cell(seen, state)
        memory.append(Visit(seen, state, following))  # <-
        optimizer.zero_grad()
        cell(seen, torch.zeros(1, 4)).pow(2).mean().backward()
        optimizer.step()
        state = torch.zeros(1, 4) if number % 8 == 0 else following


def by_a_tuple_of_records_of_which_the_first_has_fewer_graphs():
    """graph-held | memory | replaced"""
    torch.manual_seed(0)
    cell, memory, state = nn.GRUCell(4, 4), (), torch.zeros(1, 4)
    optimizer = torch.optim.SGD(cell.parameters(), 0.01)
    for number in range(STEPS):
        seen = torch.randn(1, 4)
        following = cell(seen, state)
        memory = (*memory, Visit(seen, state, following))  # <-
        optimizer.zero_grad()
        cell(seen, torch.zeros(1, 4)).pow(2).mean().backward()
        optimizer.step()
        state = torch.zeros(1, 4) if number % 8 == 0 else following


def rounds(policy, optimizer):
    played = []
    while True:
        game = Game()
        for _ in range(3):
            game.log_probs.append(policy(torch.randn(3)).sigmoid().log().mean())
        played.append(game)  # <- graph-held
        optimizer.zero_grad()
        yield -torch.stack(game.log_probs).sum()


class Game:
    def __init__(self):
        self.log_probs = []


def by_games_of_a_generator_that_hands_out_losses():
    """graph-held | played | words"""
    policy, optimizer = actor()
    for _, loss in zip(range(STEPS), rounds(policy, optimizer), strict=False):
        loss.backward()
        optimizer.step()


class Ply(NamedTuple):
    reward: float
    log_odds: torch.Tensor


class Turns:
    def __init__(self):
        self.turns = []

    def push(self, *parts):
        self.turns.append(Ply(*parts))  # <- what is trained by must keep its graph

    def newest(self, count):
        return self.turns[-count:]


def by_turns_that_are_trained_by_and_never_let_go():
    policy = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(policy.parameters(), 0.01)
    played = Turns()
    for _ in range(STEPS):
        for _ in range(3):
            played.push(1.0, policy(torch.randn(4)).log_softmax(0)[0])
        odds = torch.stack([turn.log_odds for turn in played.newest(3)])
        optimizer.zero_grad()
        (-odds.mean()).backward()
        optimizer.step()


class Pairs:
    def __init__(self):
        self.pairs, self.begin = [], 0

    def put(self, odds, reward):
        self.pairs.append((odds, reward))  # <- what is trained by must keep its graph

    def since(self):
        begin, self.begin = self.begin, len(self.pairs)
        return self.pairs[begin:]


def by_pairs_that_are_trained_by_and_never_let_go():
    policy = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(policy.parameters(), 0.01)
    tried = Pairs()
    for _ in range(STEPS):
        for _ in range(3):
            tried.put(policy(torch.randn(4)).log_softmax(0)[0], 1.0)
        odds, rewards = zip(*tried.since(), strict=True)
        optimizer.zero_grad()
        (-torch.stack(odds).mean() * sum(rewards)).backward()
        optimizer.step()


class Columns:
    """Of three that are filled side by side two are emptied, by a loop."""

    def __init__(self):
        self.odds, self.doubts, self.rewards = [], [], []

    def add(self, odds, reward):
        self.odds.append(odds[0])
        self.doubts.append(-odds)  # <- by_a_column_that_is_not_emptied_with_the_others
        self.rewards.append(reward)

    def clear(self):
        for column in (self.odds, self.rewards):
            column.clear()


def by_a_column_that_is_not_emptied_with_the_others():
    """graph-held | columns.doubts | words"""
    policy, columns = nn.Linear(4, 2), Columns()
    optimizer = torch.optim.SGD(policy.parameters(), 0.01)
    for _ in range(STEPS):
        for _ in range(3):
            columns.add(policy(torch.randn(4)).log_softmax(0), 1.0)
        doubt = torch.stack(columns.doubts[-len(columns.rewards) :]).mean()
        optimizer.zero_grad()
        (doubt - torch.stack(columns.odds).mean()).backward()
        optimizer.step()
        columns.clear()


class Episode:
    def __init__(self):
        self.odds = []


def by_episodes_that_carry_lists():
    """graph-held | best | words"""
    policy, best = nn.Linear(4, 2), []
    optimizer = torch.optim.SGD(policy.parameters(), 0.01)
    for _ in range(STEPS):
        episode = Episode()
        for _ in range(3):
            episode.odds.append(policy(torch.randn(4)).log_softmax(0)[0])
        optimizer.zero_grad()
        (-torch.stack(episode.odds).mean()).backward()
        optimizer.step()
        best.append(episode)  # <-


class Result:
    def __init__(self, parts):
        self.parts = parts


def by_results_that_carry_dicts():
    """graph-held | results | before"""
    step, results = job(), []
    for _ in range(STEPS):
        result = Result({"loss": step(), "kind": "train"})
        results.append(result)  # <-


@dataclass
class Said:
    loss: torch.Tensor
    parts: dict
    size: int


def by_records_with_a_dict_beside():
    """graph-held | said | before"""
    step, said = job(), []
    for _ in range(STEPS):
        first, second = step(), step()
        each = Said(first, {"first": first, "second": second, "count": 2}, 8)
        said.append(each)  # <-


def by_a_record_of_a_dict_that_is_given_by_place():
    """graph-held | said_so | replaced"""
    step, said_so = job(), []

    def measured():
        first = step()
        return {"first": first, "twice": first * 2}

    for number in range(STEPS):
        made = measured()
        said_so.append(Said(number, made, 8))  # <-


class Transition(NamedTuple):
    seen: torch.Tensor
    log_prob: torch.Tensor
    reward: float


class Transitions:
    def __init__(self):
        self.rows = []

    def push(self, *fields):
        self.rows.append(Transition(*fields))  # <-


def by_a_record_of_all_that_is_given_some_of_it_unpacked():
    """graph-held | - | words"""
    torch.manual_seed(0)
    policy, kept = nn.Linear(4, 2), Transitions()
    optimizer = torch.optim.SGD(policy.parameters(), 0.01)
    for _ in range(STEPS):
        seen = torch.randn(8, 4)
        last = seen, policy(seen).log_softmax(1)[:, 0]
        optimizer.zero_grad()
        (-last[1].mean()).backward()
        optimizer.step()
        kept.push(*last, 1.0)


def by_two_statements_of_one_line():
    """graph-held | logged | words"""
    step, logged = job(), collections.defaultdict(list)
    for _ in range(STEPS):
        loss = step()
        away = loss.sqrt()
        # fmt: off
        logged["loss"].append(loss); logged["away"].append(away)  # <- # noqa: E702


def by_copies_of_a_dict():
    """graph-held | copied_rows | replaced"""
    step, current, copied_rows = job(), {"pace": 1.0}, []
    for number in range(STEPS):
        current["loss"] = step()
        copied_rows.append((number, dict(current)))  # <-


class Worded:
    def __init__(self):
        self.worded, self.worded_by_name = [], {}

    def whole(self, **words):
        self.worded.append(words)

    def one_by_one(self, number, **words):
        for word in words:
            self.worded_by_name.setdefault(word, []).append((number, words[word]))


def by_words_of_a_record():
    """graph-held | told_in_words.worded | replaced"""
    step, told_in_words = job(), Worded()
    for number in range(STEPS):
        cost = step()
        told_in_words.whole(number=number, cost=cost, root=cost.sqrt())  # <-


def by_words_that_are_lists():
    """graph-held | told_by_word.worded_by_name | replaced"""
    step, told_by_word = job(), Worded()
    for number in range(STEPS):
        cost = step()
        told_by_word.one_by_one(number, cost=cost.item(), root=cost.sqrt(), log=cost.log())  # <-


def by_a_tuple_that_is_joined_with_another():
    """graph-held | joined_rows | replaced"""
    step, joined_rows = job(), []
    for number in range(STEPS):
        loss = step()
        measured = loss, loss.sqrt(), 0.1
        joined_rows.append((number,) + measured)  # <- # noqa: RUF005 - as some write it
