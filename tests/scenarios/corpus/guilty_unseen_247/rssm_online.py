# gradwatch-corpus: kind=second-backward
# holder: belief | belief.deter | belief.stoch | self.belief | learner.belief | post | self.belief.deter
# first-bad: 1
"""Online recurrent state-space model on a pendulum-like stream, eight transitions per update."""
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.distributions import Normal, kl_divergence


class Belief(NamedTuple):
    deter: Tensor
    stoch: Tensor


class RSSM(nn.Module):
    def __init__(self, obs, act, deter=32, stoch=8):
        super().__init__()
        self.deter = deter
        self.stoch = stoch
        self.cell = nn.GRUCell(stoch + act, deter)
        self.prior_net = nn.Linear(deter, 2 * stoch)
        self.post_net = nn.Linear(deter + obs, 2 * stoch)
        self.decoder = nn.Sequential(nn.Linear(deter + stoch, 48), nn.ELU(), nn.Linear(48, obs))

    def initial(self, batch):
        return Belief(torch.zeros(batch, self.deter), torch.zeros(batch, self.stoch))

    @staticmethod
    def gaussian(raw):
        mean, scale = raw.chunk(2, -1)
        return Normal(mean, F.softplus(scale) + 0.1)

    def observe(self, belief, action, obs):
        deter = self.cell(torch.cat([belief.stoch, action], -1), belief.deter)
        prior = self.gaussian(self.prior_net(deter))
        post = self.gaussian(self.post_net(torch.cat([deter, obs], -1)))
        return Belief(deter, post.rsample()), prior, post

    def elbo_terms(self, belief, actions, observations):
        recon = 0.0
        kl = 0.0
        for action, obs in zip(actions, observations):
            belief, prior, post = self.observe(belief, action, obs)
            guess = self.decoder(torch.cat(belief, -1))
            recon = recon + (guess - obs).pow(2).sum(-1).mean()
            kl = kl + kl_divergence(post, prior).sum(-1).clamp(min=0.5).mean()
        n = len(actions)
        return recon / n, kl / n, belief


class PendulumStream:
    def __init__(self, batch):
        self.theta = torch.rand(batch, 1) * 6.28
        self.omega = torch.zeros(batch, 1)

    def observe(self):
        return torch.cat([self.theta.cos(), self.theta.sin(), self.omega / 4], 1)

    def chunk(self, length):
        actions = []
        observations = []
        for _ in range(length):
            torque = torch.randn_like(self.theta)
            self.omega = self.omega + 0.05 * (-9.8 * self.theta.sin() + torque)
            self.theta = self.theta + 0.05 * self.omega
            actions.append(torque)
            observations.append(self.observe())
        return actions, observations


class OnlineLearner:
    def __init__(self, batch=16, beta=0.3):
        self.stream = PendulumStream(batch)
        self.model = RSSM(obs=3, act=1)
        self.belief = self.model.initial(batch)
        self.beta = beta
        self.opt = torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def update(self):
        actions, observations = self.stream.chunk(8)
        recon, kl, belief = self.model.elbo_terms(self.belief, actions, observations)  # <- culprit
        loss = recon + self.beta * kl
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.opt.step()
        self.belief = belief  # <- culprit
        return {"recon": recon.item(), "kl": kl.item()}


def main():
    torch.manual_seed(55)
    learner = OnlineLearner()
    for it in range(80):
        metrics = learner.update()
        print(it, metrics)


if __name__ == "__main__":
    main()
