"""Two networks, of which the second's loss goes through what the first's has walked."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn

from ..common import STEPS


def through_the_generator():
    """second-backward | fake | replaced"""
    torch.manual_seed(0)
    generator, critic = nn.Linear(4, 2), nn.Linear(2, 1)
    of_generator = torch.optim.SGD(generator.parameters(), 0.01)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)

    def update(loss, optimizer):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    for _ in range(STEPS):
        fake = generator(torch.randn(8, 4))
        critic_loss = critic(fake).pow(2).mean()  # <-
        update(critic_loss, of_critic)
        generator_loss = (critic(fake) - 1).pow(2).mean()
        update(generator_loss, of_generator)


def through_the_generator_in_a_loss_of_its_own():
    """second-backward | fake | replaced"""
    torch.manual_seed(0)
    generator, critic = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), nn.Linear(2, 1)
    of_generator = torch.optim.SGD(generator.parameters(), 0.01)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)

    def of_real_and_made(real, made):
        ones = (critic(real) - 1).pow(2).mean()
        zeros = critic(made).pow(2).mean()  # <-
        return ones + zeros

    for _ in range(STEPS):
        fake = generator(torch.randn(8, 4))
        of_critic.zero_grad()
        loss = of_real_and_made(torch.randn(8, 2), fake)
        loss.backward()
        of_critic.step()
        of_generator.zero_grad()
        (critic(fake) - 1).pow(2).mean().backward()
        of_generator.step()


def through_the_generator_in_an_update_of_its_own():
    """second-backward | rows | replaced"""
    torch.manual_seed(0)
    generator, critic = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), nn.Linear(2, 1)
    of_generator = torch.optim.SGD(generator.parameters(), 0.01)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)

    def update_of_the_critic(real, synth):
        loss = critic(real).mean() + critic(synth).pow(2).mean()  # <-
        of_critic.zero_grad()
        loss.backward()
        of_critic.step()

    for _ in range(STEPS):
        rows = generator(torch.randn(8, 4))
        update_of_the_critic(torch.randn(8, 2), rows)
        of_generator.zero_grad()
        (critic(rows) - 1).pow(2).mean().backward()
        of_generator.step()


class Codes(NamedTuple):
    z: torch.Tensor


class Judge:
    def __init__(self):
        self.critic = nn.Linear(2, 1)
        self.optimizer = torch.optim.SGD(self.critic.parameters(), 0.01)

    def backward(self, codes):
        loss = self.critic(codes.z).pow(2).mean()  # <-
        self.optimizer.zero_grad()
        loss.backward()


def by_a_critic_that_steps_later():
    """second-backward | codes.z | words"""
    torch.manual_seed(0)
    encoder, judge = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), Judge()
    of_encoder = torch.optim.SGD(encoder.parameters(), 0.01)
    for _ in range(STEPS):
        codes = Codes(encoder(torch.randn(8, 4)))
        judge.backward(codes)
        loss = -judge.critic(codes.z).mean()
        of_encoder.zero_grad()
        loss.backward()
        of_encoder.step()
        judge.optimizer.step()


class Counterfeiter:
    def __init__(self):
        self.net, self.newest = nn.Linear(2, 4), None

    def notes(self):
        self.newest = self.net(torch.randn(8, 2)).tanh()
        return self.newest


def by_what_a_function_hands_back_and_keeps():
    """second-backward | maker.newest | replaced"""
    torch.manual_seed(0)
    maker, judge = Counterfeiter(), nn.Linear(4, 1)
    of_maker = torch.optim.SGD(maker.net.parameters(), 0.01)
    of_judge = torch.optim.SGD(judge.parameters(), 0.01)

    def judges():
        seen = maker.notes()  # <-
        of_maker.zero_grad()
        of_judge.zero_grad()
        judge(seen).exp().mean().backward()
        of_judge.step()

    def makes():
        of_maker.zero_grad()
        of_judge.zero_grad()
        judge(maker.newest).pow(2).mean().backward()
        of_maker.step()

    for number in range(20):
        judges()
        if number % 5 == 4:
            makes()


class Matching:
    def __init__(self):
        self.aim = None

    def remember(self, layers):
        self.aim = torch.cat([layer.mean(0) for layer in layers])


def by_what_was_made_of_it_after_the_first_backward():
    """second-backward | matching.aim | replaced"""
    torch.manual_seed(0)
    critic, maker, matching = nn.Linear(4, 3), nn.Linear(2, 4), Matching()
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)
    of_maker = torch.optim.SGD(maker.parameters(), 0.01)

    def judges():
        layers = [critic(torch.randn(8, 4)).tanh()]
        of_critic.zero_grad()
        layers[-1].pow(2).mean().backward()
        of_critic.step()
        matching.remember(layers)

    def makes(*, matched):
        seen = critic(maker(torch.randn(8, 2))).tanh()
        loss = seen.mean()
        if matched:
            loss = loss + (seen.mean(0) - matching.aim).pow(2).sum()  # <-
        of_maker.zero_grad()
        loss.backward()
        of_maker.step()

    for number in range(9):
        judges()
        makes(matched=number > 4)


def by_features_drawn_one_by_one_from_a_list():
    """second-backward | judged | replaced"""
    torch.manual_seed(0)
    judge, maker = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)]), nn.Linear(2, 4)
    steps_judge = torch.optim.SGD(judge.parameters(), 0.01)
    steps_maker = torch.optim.SGD(maker.parameters(), 0.01)

    def layers(x):
        judged = []
        for layer in judge:
            x = layer(x).tanh()
            judged.append(x)
        return judged

    for _ in range(STEPS):
        judged = layers(torch.randn(8, 4))
        steps_judge.zero_grad()
        judged[-1].exp().mean().backward()
        steps_judge.step()
        matching = 0.0
        for made, real in zip(layers(maker(torch.randn(8, 2))), judged, strict=True):
            matching = matching + (made.mean(0) - real.mean(0)).abs().mean()  # <-
        steps_maker.zero_grad()
        matching.backward()
        steps_maker.step()


class Duel:
    def __init__(self):
        self.maker, self.judge = nn.Linear(4, 2), nn.Linear(2, 1)
        self.steps = {
            "judge": torch.optim.SGD(self.judge.parameters(), 0.01),
            "maker": torch.optim.SGD(self.maker.parameters(), 0.01),
        }

    def losses(self, batch):
        yield "judge", self.judged(batch)
        yield "maker", (self.judge(batch["fake"]) - 1).pow(2).mean()

    def judged(self, batch):
        real, fake = self.judge(batch["real"]), self.judge(batch["fake"])  # <- in a duel
        return real.tanh().mean() - fake.tanh().mean()

    def round(self):
        batch = {"real": torch.randn(8, 2), "fake": self.maker(torch.randn(8, 4)).tanh()}
        for who, loss in self.losses(batch):
            self.steps[who].zero_grad()
            loss.backward()
        for step in self.steps.values():
            step.step()


def by_losses_that_a_generator_gives():
    """second-backward | batch['fake'] | words"""
    torch.manual_seed(0)
    duel = Duel()
    for _ in range(STEPS):
        duel.round()


def by_the_objectives_of_an_actor_and_its_critic():
    """second-backward | - | words"""
    torch.manual_seed(0)
    actor, critic = nn.Linear(3, 2), nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    of_actor = torch.optim.SGD(actor.parameters(), 0.01)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)

    def objectives(seen, returned):
        ahead = returned - critic(seen)
        return {
            "critic": ahead.pow(2).mean(),
            "actor": -(actor(seen).log_softmax(-1)[:, :1] * ahead).mean(),  # <-
        }

    for _ in range(STEPS):
        losses = objectives(torch.randn(8, 3), torch.randn(8, 1))
        for name, optimizer in (("critic", of_critic), ("actor", of_actor)):
            optimizer.zero_grad()
            losses[name].backward()  # <- where no lines are noted
            optimizer.step()


def by_two_heads_that_a_loop_trains_with_their_trunk():
    """second-backward | seen | words"""
    torch.manual_seed(0)
    trunk, first, second = nn.Linear(3, 4), nn.Linear(4, 1), nn.Linear(4, 1)
    heads = [
        (head, torch.optim.SGD([*trunk.parameters(), *head.parameters()], 0.01))
        for head in (first, second)
    ]
    for _ in range(STEPS):
        seen = trunk(torch.randn(8, 3)).tanh()  # <-
        for head, optimizer in heads:
            loss = head(seen).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


class Contest:
    """Both are stepped after both have been walked."""

    def __init__(self):
        torch.manual_seed(0)
        self.forger = nn.Sequential(nn.Linear(4, 2), nn.Tanh())
        self.expert = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
        self.both = [
            torch.optim.Adam(self.forger.parameters(), 1e-3),
            torch.optim.Adam(self.expert.parameters(), 1e-3),
        ]

    def told_apart(self, genuine, forged):
        return (self.expert(genuine) - 1).pow(2).mean() + self.expert(forged).pow(2).mean()

    def missed(self, forged):
        return forged.abs().mean() + (self.expert(forged) - 1).pow(2).mean()


def by_an_expert_that_is_walked_before_any_steps():
    """second-backward | forged | replaced"""
    contest = Contest()
    for _ in range(STEPS):
        forged = contest.forger(torch.randn(8, 4))
        for each in contest.both:
            each.zero_grad()
        expert_loss = contest.told_apart(torch.randn(8, 2), forged)  # <-
        expert_loss.backward()
        forger_loss = contest.missed(forged)
        forger_loss.backward()
        for each in contest.both:
            each.step()


def by_an_expert_that_is_frozen_in_the_other_loss():
    """second-backward | forged | replaced"""
    contest = Contest()
    for _ in range(STEPS):
        forged = contest.forger(torch.randn(8, 4))
        for each in contest.both:
            each.zero_grad()
        expert_loss = contest.told_apart(torch.randn(8, 2), forged)  # <-
        expert_loss.backward()
        contest.expert.requires_grad_(False)
        forger_loss = contest.missed(forged)
        contest.expert.requires_grad_(True)
        forger_loss.backward()
        for each in contest.both:
            each.step()


def by_an_expert_that_is_walked_last_before_any_steps():
    """second-backward | forged | replaced"""
    contest = Contest()
    for _ in range(STEPS):
        forged = contest.forger(torch.randn(8, 4))
        forger_loss = contest.missed(forged)
        expert_loss = contest.told_apart(torch.randn(8, 2), forged)  # <-
        for each in contest.both:
            each.zero_grad()
        forger_loss.backward()
        expert_loss.backward()
        for each in contest.both:
            each.step()


def through_the_generator_whose_length_the_labels_have():
    """second-backward | forged | replaced"""
    torch.manual_seed(0)
    forger, expert = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), nn.Linear(2, 1)
    of_forger = torch.optim.SGD(forger.parameters(), 0.01)
    of_expert = torch.optim.SGD(expert.parameters(), 0.01)
    criterion = nn.BCEWithLogitsLoss()

    def sorts_out(found, forged):
        of_expert.zero_grad()
        ones, zeros = torch.ones(len(found), 1), torch.zeros(forged.shape[0], 1)
        loss = criterion(expert(found), ones)
        loss = loss + criterion(expert(forged), zeros)  # <-
        loss.backward()
        of_expert.step()

    for _ in range(STEPS):
        forged = forger(torch.randn(8, 4))
        sorts_out(torch.randn(8, 2), forged)
        of_forger.zero_grad()
        criterion(expert(forged), torch.ones(len(forged), 1)).backward()
        of_forger.step()


def by_two_things_that_the_judge_is_shown():
    """second-backward | - | replaced"""
    torch.manual_seed(0)
    body, head, judge = nn.Linear(4, 3), nn.Linear(3, 1), nn.Linear(3, 1)
    of_body = torch.optim.SGD([*body.parameters(), *head.parameters()], 0.01)
    of_judge = torch.optim.SGD(judge.parameters(), 0.01)
    for _ in range(3):
        own, other = body(torch.randn(8, 4)).tanh(), body(torch.randn(8, 4)).tanh()
        apart = judge(own).mean() - judge(other).mean()  # <-
        of_judge.zero_grad()
        apart.backward()
        of_judge.step()
        loss = head(own).pow(2).mean() + judge(other).mean()
        of_body.zero_grad()
        loss.backward()
        of_body.step()


def by_what_the_judge_has_said_once_for_both():
    """second-backward | said | words"""
    torch.manual_seed(0)
    maker, judge = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    of_maker, of_judge = (torch.optim.SGD(m.parameters(), 0.1) for m in (maker, judge))
    for _ in range(3):
        said = judge(maker(torch.randn(5, 2)))
        judged = nn.functional.softplus(said).mean()
        of_judge.zero_grad()
        judged.backward()
        of_judge.step()
        fooled = nn.functional.softplus(-said).mean()  # <-
        of_maker.zero_grad()
        fooled.backward()
        of_maker.step()


class Player:
    def __init__(self, net):
        self.net, self.optimizer = net, torch.optim.SGD(net.parameters(), 0.01)

    def objective(self, game):
        raise NotImplementedError

    def move(self, game):
        loss = self.objective(game)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Guard(Player):
    def objective(self, game):
        told = self.net(game.forged)  # <- second-backward, by the method of its class
        return self.net(torch.randn(8, 2)).mean() - told.mean()


class Forger(Player):
    def objective(self, game):
        return -game.guard.net(game.forged).mean()


class Match:
    def __init__(self):
        self.guard = Guard(nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1)))
        self.forger = Forger(nn.Sequential(nn.Linear(4, 2), nn.Tanh()))
        self.forged = None


def by_methods_of_one_name():
    """second-backward | match.forged | words"""
    match = Match()
    for _ in range(STEPS):
        match.forged = match.forger.net(torch.randn(8, 4))
        match.guard.move(match)
        match.forger.move(match)


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.decode = nn.Linear(6, 3), nn.Linear(3, 6)


def _reconstruct(coder, optimizer, x):
    code = coder.encode(x)
    loss = (coder.decode(torch.relu(code)) - x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return code


def _regularize(code, critic, of_critic, of_encoder):
    told = critic(torch.randn_like(code)).mean() - critic(code.detach()).mean()
    of_critic.zero_grad()
    told.backward()
    of_critic.step()
    fooled = critic(code).mean()  # <- of what two optimizers train
    of_encoder.zero_grad()
    fooled.backward()
    of_encoder.step()


def by_a_code_that_two_optimizers_train():
    """second-backward | code | words"""
    coder = Coder()
    critic = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    whole, of_critic = (torch.optim.Adam(m.parameters(), 1e-3) for m in (coder, critic))
    of_encoder = torch.optim.Adam(coder.encode.parameters(), 1e-3)
    for _ in range(3):
        code = _reconstruct(coder, whole, torch.randn(8, 6))
        _regularize(code, critic, of_critic, of_encoder)


def by_features_of_two_heads_and_two_steps():
    """second-backward | features | words"""
    body, left, right = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
    parameters = [*body.parameters(), *left.parameters(), *right.parameters()]
    optimizer = torch.optim.SGD(parameters, 0.01)
    for _ in range(3):
        features = torch.tanh(body(torch.randn(8, 4)))
        optimizer.zero_grad()
        left(features).pow(2).mean().backward()
        optimizer.step()
        other = (right(features) - 1).pow(2).mean()  # <-
        optimizer.zero_grad()
        other.backward()
        optimizer.step()


def by_scores_that_the_forger_was_trained_by_first():
    """second-backward | score | before"""
    torch.manual_seed(0)
    forger, judge = nn.Linear(4, 2), nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    of_forger, of_judge = (torch.optim.SGD(m.parameters(), 0.1) for m in (forger, judge))
    for _ in range(STEPS):
        forged = forger(torch.randn(8, 4))
        score = judge(forged)
        fooled = nn.functional.softplus(-score).mean()
        of_forger.zero_grad()
        fooled.backward()
        of_forger.step()
        told = nn.functional.softplus(score).mean() - judge(torch.randn(8, 2)).mean()  # <-
        of_judge.zero_grad()
        told.backward()
        of_judge.step()


def by_losses_of_both_that_a_loop_trains_by():
    """second-backward | out['said'] | words"""
    torch.manual_seed(0)
    forger, judge = nn.Linear(4, 2), nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizers = [torch.optim.SGD(m.parameters(), 0.1) for m in (forger, judge)]
    for _ in range(STEPS):
        forged = forger(torch.randn(8, 4))
        out = {"forged": forged, "said": judge(forged), "of_real": judge(torch.randn(8, 2))}
        told = torch.relu(1 + out["said"]).mean() - out["of_real"].mean()  # <-
        losses = -out["said"].mean(), told
        for optimizer, loss in zip(optimizers, losses, strict=True):
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
