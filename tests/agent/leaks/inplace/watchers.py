"""Metrics, listeners and hooks that change what they were merely shown."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn

from ..common import STEPS


class Scores(NamedTuple):
    loss: torch.Tensor
    rates: torch.Tensor


def by_a_metric_that_counts_in_what_it_was_shown():
    """inplace-modified | bins | words"""
    model = nn.Linear(4, 1)

    def calibration(scores):
        bins = scores.rates.detach()
        bins.mul_(10).floor_()  # <-
        return bins.mean()

    for _ in range(STEPS):
        rates = model(torch.randn(8, 4)).sigmoid().squeeze(1)
        scores = Scores(nn.functional.binary_cross_entropy(rates, torch.ones(8)), rates)
        calibration(scores)
        scores.loss.backward()


class InUnits:
    def decoded(self, guessed):
        flat = guessed.detach()
        return flat.mul_(3.0)  # <-

    def on_guess(self, guessed, **_others):
        self.decoded(guessed).mean().item()


def by_a_listener_that_is_given_keywords():
    """inplace-modified | flat | words"""
    torch.manual_seed(0)
    model, listeners = nn.Linear(4, 1), [InUnits()]

    def tell(what, **details):
        for listener in listeners:
            getattr(listener, what)(**details)

    for _ in range(3):
        guess = model(torch.randn(8, 4)).squeeze(-1)
        loss = nn.functional.mse_loss(guess, torch.zeros(8))
        tell("on_guess", guessed=guess, rest=None)
        loss.backward()


def drawn_in_grey(shades):
    shades -= shades.min()
    shades /= shades.max()
    return shades.tolist()


class Attending(nn.Module):
    def forward(self, scores):
        return scores.softmax(-1)


def by_a_hook_that_has_a_picture_drawn_in_place():
    """inplace-modified | shades | words"""
    torch.manual_seed(0)
    encoder, attending, drawings = nn.Linear(4, 3), Attending(), []

    def draw(_module, _given, weights):
        drawings.append(drawn_in_grey(weights.detach()[0]))  # <-

    attending.register_forward_hook(draw)
    for _ in range(3):
        attending(encoder(torch.randn(8, 4))).pow(2).mean().backward()
