"""Actors that are trained by what the critic is trained by, too."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import nn

from ..common import STEPS, actor, sgd_of


def through_the_critic():
    """second-backward | advantage | replaced"""
    torch.manual_seed(0)
    actor, critic = nn.Linear(4, 1), nn.Linear(4, 1)
    of_actor = torch.optim.SGD(actor.parameters(), 0.01)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        advantage = 1 - critic(x)
        critic_loss = advantage.pow(2).mean()
        of_critic.zero_grad()
        critic_loss.backward()
        of_critic.step()
        actor_loss = (actor(x) * advantage).mean()  # <-
        of_actor.zero_grad()
        actor_loss.backward()
        of_actor.step()


def by_an_advantage_of_which_both_losses_are_made_first():
    """second-backward | advantage | replaced"""
    model, optimizer = actor()
    critic = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    second = torch.optim.Adam(critic.parameters(), lr=1e-3)
    for _ in range(STEPS):
        states = torch.randn(4, 3)
        advantage = torch.rand(4, 1) - critic(states)
        actor_loss = -(model(states) * advantage).mean()  # <-
        critic_loss = advantage.pow(2).mean()
        optimizer.zero_grad()
        actor_loss.backward()
        optimizer.step()
        second.zero_grad()
        critic_loss.backward()
        second.step()


def by_advantages_that_train_the_critic():
    """second-backward | advantages | before"""
    policy, critic = nn.Linear(4, 2), nn.Linear(4, 1)
    by_policy = torch.optim.SGD(policy.parameters(), 0.01)
    for _ in range(STEPS):
        states, returns = torch.randn(8, 4), torch.randn(8)
        advantages = returns - critic(states).squeeze(-1).exp()
        advantages = advantages / advantages.std()  # <-
        for _ in range(3):
            loss = -(policy(states).log_softmax(-1)[:, 0] * advantages).mean()
            by_policy.zero_grad()
            loss.backward()
            by_policy.step()


def actor_and_critic():
    actor, critic = nn.Linear(4, 1), nn.Linear(4, 1)
    return actor, critic, sgd_of(actor), sgd_of(critic)


def by_an_advantage_of_two_optimizers():
    """second-backward | gain | replaced"""
    actor, critic, actor_steps, critic_steps = actor_and_critic()
    for _ in range(STEPS):
        state = torch.randn(8, 4)
        gain = 1 - critic(state).tanh()
        actor_loss = -(nn.functional.logsigmoid(actor(state)) * gain).mean()  # <-
        critic_loss = gain.pow(2).mean()
        actor_steps.zero_grad()
        critic_steps.zero_grad()
        actor_loss.backward()
        critic_loss.backward()
        actor_steps.step()
        critic_steps.step()


def by_an_advantage_whose_critic_comes_first():
    """second-backward | gain | replaced"""
    actor, critic, actor_steps, critic_steps = actor_and_critic()
    for _ in range(STEPS):
        state = torch.randn(8, 4)
        gain = 1 - critic(state).tanh()
        actor_loss = -(nn.functional.logsigmoid(actor(state)) * gain).mean()  # <-
        critic_loss = gain.pow(2).mean()
        actor_steps.zero_grad()
        critic_steps.zero_grad()
        critic_loss.backward()
        actor_loss.backward()
        actor_steps.step()
        critic_steps.step()


def by_advantages_that_are_told_apart_from_values():
    """second-backward | advantages | replaced"""
    torch.manual_seed(0)
    policy, value = nn.Linear(3, 2), nn.Linear(3, 1)
    of_policy = torch.optim.SGD(policy.parameters(), 0.01)
    of_value = torch.optim.SGD(value.parameters(), 0.01)

    def collected():
        values = [value(torch.randn(4, 3)).squeeze(-1) for _ in range(3)]
        running, steps = torch.zeros(4), []
        for each in values:
            running = torch.rand(4) - each + 0.9 * running
            steps.append(running)
        return torch.stack(values), torch.stack(steps)

    for _ in range(3):
        values, advantages = collected()
        worth = values.pow(2).mean()
        of_value.zero_grad()
        worth.backward()
        score = policy(torch.randn(3, 4, 3)).log_softmax(-1)[..., 0]
        gain = (score * advantages).mean()  # <-
        of_policy.zero_grad()
        gain.backward()
        of_value.step()
        of_policy.step()


def by_an_actor_that_reads_what_the_critic_trains():
    """second-backward | code | replaced"""
    torch.manual_seed(0)
    encoder, critic, actor = nn.Linear(4, 3), nn.Linear(4, 1), nn.Linear(3, 1)
    of_critic = torch.optim.SGD([*encoder.parameters(), *critic.parameters()], 0.01)
    of_actor = torch.optim.SGD(actor.parameters(), 0.01)

    def worth(code, move):
        return critic(torch.cat([code, move], -1)).mean()

    def train_critic(code):
        loss = (worth(code, torch.rand(8, 1)) - 1).pow(2)
        of_critic.zero_grad()
        loss.backward()

    def train_actor(code):
        loss = -worth(code, actor(code).tanh())  # <-
        of_actor.zero_grad()
        loss.backward()

    for _ in range(3):
        code = encoder(torch.randn(8, 4)).tanh()
        train_critic(code)
        train_actor(code)
        of_critic.step()
        of_actor.step()


def by_an_actor_that_reads_it_in_two_statements():
    """second-backward | code | replaced"""
    torch.manual_seed(0)
    encoder, critic, actor = nn.Linear(4, 3), nn.Linear(4, 1), nn.Linear(3, 1)
    of_critic = torch.optim.SGD([*encoder.parameters(), *critic.parameters()], 0.01)
    of_actor = torch.optim.SGD(actor.parameters(), 0.01)

    def worth(code, move):
        return critic(torch.cat([code, move], -1)).mean()

    def missed(code):
        move = actor(code).tanh()
        return -worth(code, move)

    for _ in range(3):
        code = encoder(torch.randn(8, 4)).tanh()
        of_critic.zero_grad()
        (worth(code, torch.rand(8, 1)) - 1).pow(2).backward()
        loss = missed(code)  # <-
        of_actor.zero_grad()
        loss.backward()
        of_critic.step()
        of_actor.step()


def by_an_actor_that_is_trained_from_two_places():
    """second-backward | code | replaced"""
    torch.manual_seed(0)
    encoder, critic, actor = nn.Linear(4, 3), nn.Linear(4, 1), nn.Linear(3, 1)
    of_critic = torch.optim.SGD([*encoder.parameters(), *critic.parameters()], 0.01)
    of_actor = torch.optim.SGD(actor.parameters(), 0.01)

    def worth(code, move):
        return critic(torch.cat([code, move], -1)).mean()

    def missed(code):
        move = actor(code).tanh()
        return -worth(code, move)

    def update(x):
        code = encoder(x).tanh()
        of_critic.zero_grad()
        (worth(code, torch.rand(8, 1)) - 1).pow(2).backward()
        loss = missed(code)  # <-
        of_actor.zero_grad()
        loss.backward()
        of_actor.step()
        of_critic.step()

    update(torch.randn(8, 4))
    for _ in range(3):
        update(torch.randn(8, 4))


def by_a_temperature():
    """second-backward | chance | replaced"""
    torch.manual_seed(0)
    policy, warmth = nn.Linear(3, 1), torch.zeros((), requires_grad=True)
    of_policy = torch.optim.SGD(policy.parameters(), 0.01)
    of_warmth = torch.optim.SGD([warmth], 0.01)
    for _ in range(STEPS):
        chance = policy(torch.randn(8, 3)).sigmoid().log()
        gain = (warmth.exp().detach() * chance).mean()
        of_policy.zero_grad()
        gain.backward()
        gap = (warmth * (chance + 1)).mean()  # <-
        of_warmth.zero_grad()
        gap.backward()
        of_policy.step()
        of_warmth.step()


@dataclass
class Gathered:
    seen: torch.Tensor
    gain: torch.Tensor


def gather(critic):
    seen = torch.randn(8, 4)
    return Gathered(seen, 1 - critic(seen))  # <- its field is a function's parameter below


def improve(actor, optimizer, gathered, rounds):
    for _ in range(rounds):
        loss = (actor(gathered.seen) * gathered.gain).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_field_of_what_a_function_is_given():
    """second-backward | gathered.gain | words"""
    actor, critic = nn.Linear(4, 1), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*actor.parameters(), *critic.parameters()], 0.01)
    for number in range(STEPS):
        improve(actor, optimizer, gather(critic), 1 if number < 5 else 4)


@dataclass
class Drawn:
    seen: torch.Tensor
    edge: torch.Tensor


def refine(actor, optimizer, drawn, rounds):
    for _ in range(rounds):
        loss = (actor(drawn.seen) * drawn.edge).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_copy_of_a_record_with_a_field_of_its_own():
    """second-backward | drawn.edge | words"""
    actor, critic = nn.Linear(4, 1), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*actor.parameters(), *critic.parameters()], 0.01)
    empty = Drawn(torch.zeros(8, 4), torch.zeros(8, 1))
    for number in range(STEPS):
        seen = torch.randn(8, 4)
        given = [replace(empty, seen=seen, edge=1 - critic(seen))]  # <- and not the first record
        refine(actor, optimizer, given.pop(), 1 if number < 5 else 4)


def by_two_parts_of_what_is_handed_back():
    """second-backward | batch | replaced"""
    actor, critic = nn.Linear(4, 1), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*actor.parameters(), *critic.parameters()], 0.01)

    def played():
        seen, gains, values = torch.randn(8, 4), [], []
        for each in seen:
            values.append(critic(each).tanh())
            gains.append(torch.rand(1) - values[-1])
        gains = torch.stack(gains)
        worth = gains + 0.5 * torch.stack(values).square()  # <- second-backward
        gains = gains / gains.std()
        return {"seen": seen, "gains": gains, "worth": worth}

    for _ in range(STEPS):
        batch = played()
        for _ in range(3):
            gained = (actor(batch["seen"]) * batch["gains"]).mean()
            loss = (critic(batch["seen"]) - batch["worth"]).square().mean() - gained
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def by_a_difference_without_a_name():
    """second-backward | - | replaced"""
    torch.manual_seed(0)
    chooser, judge = nn.Linear(4, 1), nn.Linear(4, 1)
    of_chooser, of_judge = sgd_of(chooser), sgd_of(judge)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        worth = judge(x).exp()
        aims = 1 + 0.9 * worth
        off = (worth - aims).pow(2).mean()
        chosen = (chooser(x) * (aims - worth).clamp(min=-1)).mean()  # <-
        of_judge.zero_grad()
        off.backward()
        of_judge.step()
        of_chooser.zero_grad()
        chosen.backward()
        of_chooser.step()


class Value(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(5, 1)

    def forward(self, seen, act):
        return self.layer(torch.cat([seen, act], 1))


class Learner:
    def __init__(self):
        self.body, self.value, self.policy = nn.Linear(4, 3), Value(), nn.Linear(3, 2)
        body_and_value = [*self.body.parameters(), *self.value.parameters()]
        self.of_value = torch.optim.SGD(body_and_value, 0.01)
        self.of_policy = torch.optim.SGD(self.policy.parameters(), 0.01)

    def judge(self, seen):
        loss = self.value(seen, torch.rand(8, 2)).pow(2).mean()
        self.of_value.zero_grad()
        loss.backward()
        self.of_value.step()

    def act(self, seen):
        chosen = self.policy(seen).tanh()
        loss = (chosen.square() - self.value(seen, chosen)).mean()
        self.of_policy.zero_grad()
        loss.backward()
        self.of_policy.step()

    def learn(self):
        seen = self.body(torch.randn(8, 4)).tanh()
        self.judge(seen)
        self.act(seen)  # <- second-backward, through a module that both losses go through


def by_a_module_that_both_losses_go_through():
    """second-backward | seen | words"""
    learner = Learner()
    for _ in range(STEPS):
        learner.learn()


class Played:
    def __init__(self, returns, values):
        self.returns, self.values = returns, values

    def advantages(self):
        return self.returns - self.values


def by_advantages_that_what_was_played_works_out():
    """second-backward | played.values | replaced"""
    torch.manual_seed(0)
    actor, critic = nn.Linear(4, 2), nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    of_actor = torch.optim.SGD(actor.parameters(), 0.01)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)
    for _ in range(STEPS):
        seen = torch.randn(8, 4)
        log_probs = actor(seen).log_softmax(1)[:, 0]
        played = Played(torch.rand(8), critic(seen).squeeze(1))
        loss = -(log_probs * played.advantages()).mean()  # <-
        of_actor.zero_grad()
        loss.backward()
        of_actor.step()
        loss = played.advantages().pow(2).mean()
        of_critic.zero_grad()
        loss.backward()
        of_critic.step()
