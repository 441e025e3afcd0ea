"""A new policy's probabilities over those of the old one, whose graph was kept."""

from __future__ import annotations

import torch
from torch import nn
from torch.distributions import Categorical

from ..common import STEPS


def rollout(policy):
    states = torch.randn(16, 4)
    chosen = Categorical(logits=policy(states))
    actions = chosen.sample()
    return states, actions, chosen.log_prob(actions), torch.rand(16)  # <-


def by_an_old_policy_that_is_handed_back_among_others():
    """second-backward | before | words"""
    policy = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(policy.parameters(), 0.01)
    for _ in range(STEPS):
        states, actions, before, advantages = rollout(policy)
        for _ in range(3):
            now = Categorical(logits=policy(states)).log_prob(actions)
            loss = -((now - before).exp() * advantages).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def by_probabilities_of_some_that_are_divided_by():
    """second-backward | before | replaced"""
    policy = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(policy.parameters(), 0.01)
    for _ in range(STEPS):
        states, advantages = torch.randn(16, 4), torch.randn(16)
        before = policy(states).softmax(-1)[:, 0]  # <-
        for _ in range(3):
            some = torch.randperm(16)[:8]
            ratio = policy(states[some]).softmax(-1)[:, 0] / before[some].clamp(1e-6)
            loss = -torch.min(ratio, ratio.clamp(0.8, 1.2)).mul(advantages[some]).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def by_old_probabilities_that_a_generator_gives_in_parts():
    """second-backward | before | replaced"""
    policy = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(policy.parameters(), 0.01)

    def parts(lived):
        states = torch.cat([state for state, _ in lived])
        before = torch.cat([probability for _, probability in lived])  # <-
        for some in torch.randperm(len(states)).chunk(2):
            yield states[some], before[some]

    for _ in range(STEPS):
        states = torch.randn(3, 6, 4)
        lived = [(state, policy(state).log_softmax(-1)[:, 0]) for state in states]
        for state, old in parts(lived):
            ratio = (policy(state).log_softmax(-1)[:, 0] - old).exp()
            optimizer.zero_grad()
            (-ratio).mean().backward()
            optimizer.step()
