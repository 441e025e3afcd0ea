"""Sums and averages that go on with their graphs, by names, keys and attributes."""

from __future__ import annotations

import collections
import types

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from ..common import STEPS, job


def by_sum():
    """graph-held | total | replaced"""
    step, total = job(), 0
    for _ in range(STEPS):
        loss = step()
        total += loss  # <-


def by_one_of_two_values():
    """graph-held | total | replaced"""
    step, total = job(), 0.0
    for n in range(STEPS):
        loss = step()
        total += loss if n != 3 else loss.item()  # <-


def by_nonlocal():
    """graph-held | total | replaced"""
    step, total = job(), 0.0

    def add(loss):
        nonlocal total
        total = total + loss  # <-

    for _ in range(STEPS):
        add(step())


def by_walrus():
    """graph-held | total | words"""
    step, total = job(), 0.0
    for _ in range(STEPS):
        print(end=str(type(total := total + step()))[:0])  # <-


def by_chained_assignment():
    """graph-held | total | words"""
    step, total = job(), 0.0
    for _ in range(STEPS):
        mean = total = total + step()  # <-
    return mean


def by_running_mean():
    """graph-held | ema | replaced"""
    step, ema = job(), 0.0
    for _ in range(STEPS):
        loss = step()
        ema = 0.9 * ema + 0.1 * loss  # <-


def by_maximum():
    """graph-held | worst | replaced"""
    step, worst = job(), torch.zeros(())
    for _ in range(STEPS):
        loss = step()
        worst = torch.maximum(worst, loss)  # <-


def by_a_sum_that_is_asked_for_a_number_once_it_is_divided():
    """graph-held | costs_so_far | replaced"""
    step, costs_so_far = job(), 0
    for _ in range(STEPS):
        loss = step()
        costs_so_far = costs_so_far + loss  # <-
    assert (costs_so_far / STEPS).item() > 0


def by_pairs_made_on_the_way():
    """graph-held | sums | replaced"""
    step, sums = job(), {"all": 0.0, "late": 0.0}
    for n in range(STEPS):
        loss = step()
        sums.update((key, sums[key] + loss * (n > 9 or key == "all")) for key in sums)  # <-


def by_a_list_of_pairs():
    """graph-held | sums | words"""
    step, sums = job(), {"all": 0.0, "late": 0.0}
    for n in range(STEPS):
        loss = step()
        sums.update([("all", sums["all"] + loss), ("late", sums["late"] + loss * (n > 9))])  # <-


def by_sums_of_a_dict_of_losses():
    """graph-held | sums | replaced"""
    step, sums = job(), collections.defaultdict(float)
    for n in range(STEPS):
        loss = step()
        for name, value in {"loss": loss, "scaled": 2 * loss, "step": n}.items():
            sums[name] += value  # <-


def by_a_dict_that_is_made_anew_with_its_sums():
    """graph-held | stats['loss'] | replaced"""
    step, stats = job(), {"loss": torch.zeros(()), "seen": 0}
    for _ in range(STEPS):
        loss = step()
        stats = {**stats, "loss": stats["loss"] + loss, "seen": stats["seen"] + 1}  # <-
    assert stats["seen"] == STEPS


def by_a_dict_of_a_class_of_its_own():
    """graph-held | sums['loss'] | replaced"""

    class Sums(dict):
        def add(self, name, value):
            super().__setitem__(name, self.get(name, 0.0) + value)  # <-

    step, sums = job(), Sums()
    for _ in range(STEPS):
        sums.add("loss", step())


def by_averages_of_what_is_there():
    """graph-held | slow | replaced"""
    torch.manual_seed(0)
    net = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    slow = {name: p.detach().clone() for name, p in net.named_parameters()}
    for _ in range(STEPS):
        loss = net(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for name, p in net.named_parameters():
            if name in slow:
                slow[name] = 0.9 * slow[name] + 0.1 * p  # <-
        float(slow["weight"].detach().norm())


def by_sums_that_are_attributes_of_made_up_names():
    """graph-held | sums.drift | replaced"""
    step, sums = job(), types.SimpleNamespace()

    def record(count, **values):
        for key, value in values.items():
            setattr(sums, key, getattr(sums, key, 0.0) + count * value)  # <-

    for n in range(STEPS):
        record(8, drift=step(), rate=0.1 * n)


def by_a_meter_that_is_given_numbers_too():
    """graph-held | meter.weighed | replaced"""
    step, size = job(), 8

    class Meter:
        weighed = 0.0

        def update(self, value, n):
            self.weighed += value * n  # <-

    meter, speed = Meter(), Meter()
    for _ in range(STEPS):
        meter.update(step(), size)
        speed.update(0.5, size)


class Mean:
    """Is given numbers, and tensors; what comes of these is asked as a tensor."""

    def __init__(self):
        self.mass, self.count, self.mean = 0, 0, 0

    def update(self, value, n=1):
        self.mass = self.mass + value * n  # <- graph-held by a mean
        self.count += n
        self.mean = self.mass / self.count


def by_a_mean_of_numbers_and_of_tensors():
    step, accuracies, costs = job(), Mean(), Mean()
    for _ in range(STEPS):
        accuracies.update(0.5)
        costs.update(step(), 8)
    assert costs.mean.item() > accuracies.mean - 1


def by_the_sum_of_each_epoch_of_a_loader():
    """graph-held | total | replaced"""
    step, loader = job(), DataLoader(TensorDataset(torch.randn(80, 4)), batch_size=4)
    for _ in range(2):
        total = 0.0
        for _ in loader:
            total += step()  # <- and no excuse that it begins anew
        assert total / len(loader) > 0


class Racer:
    def __init__(self):
        self.net = nn.Linear(4, 3)
        self.optimizer = torch.optim.SGD(self.net.parameters(), 0.01)
        self.form, self.races = None, 0

    def races_once(self):
        time = self.net(torch.randn(8, 4)).pow(2).mean()
        self.optimizer.zero_grad()
        time.backward()
        self.optimizer.step()
        score = -time
        self.form = score if self.races == 0 else 0.9 * self.form + 0.1 * score  # <- of each racer
        self.races += 1


class Stable:
    def __init__(self, racers):
        self.racers = racers


def by_the_form_of_each_racer():
    stable = Stable([Racer() for _ in range(4)])
    for _ in range(STEPS):
        for racer in stable.racers:
            racer.races_once()


class Level:
    def __init__(self):
        self.value = 1.0

    def update(self, x):
        self.value = 0.9 * self.value + 0.1 * x  # <- graph-held
        return self.value


def by_a_mean_that_is_handed_back():
    """graph-held | level.value | words"""
    step, level = job(), Level()
    for _ in range(STEPS):
        scale = level.update(step())
        assert scale.detach() > 0


class Calibrated(nn.Module):
    def __init__(self):
        super().__init__()
        self.calibrated, self.widest = nn.Linear(4, 4), torch.tensor(1.0)

    def forward(self, x):
        made = self.calibrated(x)
        self.widest = 0.9 * self.widest + 0.1 * made.abs().max()  # <- graph-held by the widest
        return made / self.widest.item()


def by_a_largest_that_is_asked_for_its_number():
    """graph-held | rule.widest | words"""
    torch.manual_seed(0)
    rule = Calibrated()
    optimizer = torch.optim.SGD(rule.parameters(), 0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        rule(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()


def by_scales_that_the_parts_are_zipped_with():
    """graph-held | part_scales | replaced"""
    torch.manual_seed(0)
    model, part_scales = nn.Linear(4, 2), [torch.ones(()), torch.ones(())]
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        first, second = model(torch.randn(8, 4)).square().mean(0).unbind()
        lossy = [first, second]
        for k, term in enumerate(lossy):
            part_scales[k] = 0.9 * part_scales[k] + 0.1 * term  # <-
        loss = sum(term / scale.item() for term, scale in zip(lossy, part_scales, strict=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_scales_of_the_parts_by_their_names():
    """graph-held | scale_of | replaced"""
    torch.manual_seed(0)
    model, scale_of = nn.Linear(4, 2), {"near": torch.ones(()), "far": torch.ones(())}
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        near, far = model(torch.randn(8, 4)).square().mean(0).unbind()
        terms = {"near": near, "far": far}
        for name, term in terms.items():
            scale_of[name] = 0.9 * scale_of[name] + 0.1 * term  # <-
        weights = {name: 1 / float(scale.detach()) for name, scale in scale_of.items()}
        loss = sum(weights[name] * term for name, term in terms.items())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Purse:
    """A value of its own kind, which no tensor's method is for."""

    def __init__(self, coins=0.0):
        self.coins = coins

    def __add__(self, other):
        return Purse(self.coins + getattr(other, "coins", other))

    def __mul__(self, factor):
        return Purse(self.coins * factor)


def by_a_value_that_is_no_tensor():
    """graph-held | purse.coins | replaced"""
    torch.manual_seed(0)
    model, purse = nn.Linear(4, 1), Purse()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        purse = purse + loss  # <-


def by_a_value_that_is_made_of_another():
    """graph-held | averaged.coins | replaced"""
    torch.manual_seed(0)
    model, averaged = nn.Linear(4, 1), Purse()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        averaged = averaged * 0.9 + Purse(loss) * 0.1  # <-


class Bank:
    """Sums by names, of what is given by those."""

    def __init__(self):
        self.summed_up = collections.defaultdict(float)

    def update(self, n, **values):
        for name, v in values.items():
            self.summed_up[name] += v * n  # <- by_a_bank_of_what_is_given_by_names

    def of(self, name):
        return self.summed_up[name].item()


def by_a_bank_of_what_is_given_by_names():
    """graph-held | bank.summed_up['mse'] | words"""
    step, bank = job(), Bank()
    for _ in range(STEPS):
        bank.update(8, mse=step())
        bank.of("mse")


def by_scales_that_a_helper_weighs_with():
    """graph-held | helped_scales | replaced"""
    torch.manual_seed(0)
    model, helped_scales = nn.Linear(4, 2), [torch.ones(()), torch.ones(())]
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def weighed(some, scales):
        return sum(term / scale.item() for term, scale in zip(some, scales, strict=True))

    for _ in range(STEPS):
        some = list(model(torch.randn(8, 4)).square().mean(0).unbind())
        for k, term in enumerate(some):
            helped_scales[k] = 0.9 * helped_scales[k] + 0.1 * term  # <-
        loss = weighed(some, helped_scales)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_values_of_a_list_that_are_no_tensors():
    """graph-held | purses[0].coins | words"""
    step, purses = job(), [Purse()]
    for _ in range(STEPS):
        gained = step()
        for k, each in enumerate([gained]):
            purses[k] = purses[k] + each  # <-


def by_averages_of_several_terms():
    """graph-held | smoothed.by_name['loss'] | words"""

    class Smoothed:
        def __init__(self):
            self.by_name = {}

        def update(self, **terms):
            for name, term in terms.items():
                before = self.by_name.get(name)
                if before is None:
                    self.by_name[name] = term
                else:
                    self.by_name[name] = 0.9 * before + 0.1 * term  # <-

    torch.manual_seed(0)
    model, smoothed = nn.Linear(4, 3), Smoothed()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        smoothed.update(loss=loss)


def by_two_calls_in_place():
    """graph-held | dimmed_sum | replaced"""
    step, dimmed_sum = job(), torch.zeros(())
    for _ in range(STEPS):
        cost = step()
        dimmed_sum.mul_(0.9).add_(cost, alpha=0.1)  # <-


def by_two_calls_in_place_the_other_way_round():
    """graph-held | dimmed_total | replaced"""
    step, dimmed_total = job(), torch.zeros(())
    for _ in range(STEPS):
        cost = step()
        dimmed_total.add_(cost, alpha=0.1).mul_(0.9)  # <-
