# gradwatch-corpus: kind=none
from collections import deque
from contextlib import contextmanager
from typing import NamedTuple

import torch
import torch.nn as nn
from torch.distributions import Normal, kl_divergence


class Belief(NamedTuple):
    deter: torch.Tensor
    stoch: torch.Tensor

    @property
    def features(self):
        return torch.cat(self, dim=-1)

    def map(self, fn):
        return Belief(*(fn(x) for x in self))


class Transition(NamedTuple):
    feature: torch.Tensor
    value: torch.Tensor
    reward: torch.Tensor


class RSSM(nn.Module):
    def __init__(self, d_obs, d_act, deter=48, stoch=12):
        super().__init__()
        self.sizes = deter, stoch
        self.cell = nn.GRUCell(stoch + d_act, deter)
        self.prior = nn.Linear(deter, 2 * stoch)
        self.post = nn.Sequential(nn.Linear(deter + d_obs, 64), nn.ELU(), nn.Linear(64, 2 * stoch))
        self.decoder = nn.Sequential(nn.Linear(deter + stoch, 64), nn.ELU(), nn.Linear(64, d_obs))
        self.value = nn.Linear(deter + stoch, 1)

    def initial(self, batch):
        return Belief(*(torch.zeros(batch, n) for n in self.sizes))

    @staticmethod
    def normal(stats):
        mean, raw = stats.chunk(2, dim=-1)
        return Normal(mean, nn.functional.softplus(raw) + 0.1)

    def forward(self, belief, act, obs):
        deter = self.cell(torch.cat([belief.stoch, act], dim=-1), belief.deter)
        prior = self.normal(self.prior(deter))
        post = self.normal(self.post(torch.cat([deter, obs], dim=-1)))
        return Belief(deter, post.rsample()), prior, post


class Walker:
    def __init__(self, n, d_obs=14, d_act=4, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.n, self.d_act = n, d_act
        self.a = 0.9 * torch.linalg.qr(torch.randn(8, 8, generator=self.g))[0]
        self.b = 0.3 * torch.randn(d_act, 8, generator=self.g)
        self.c = torch.randn(8, d_obs, generator=self.g) / 3
        self.s = torch.randn(n, 8, generator=self.g)

    def stream(self, segments, length):
        for _ in range(segments):
            rows = []
            for _ in range(length):
                act = torch.randn(self.n, self.d_act, generator=self.g)
                self.s = self.s @ self.a + act @ self.b
                rows.append((act, torch.tanh(self.s @ self.c), -self.s[:, 0].abs()))
            yield rows


class Learner:
    def __init__(self, model, n):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=1e-3)
        self.carried = model.initial(n)
        self.trail = deque(maxlen=8)
        self.memory = deque(maxlen=200)

    @contextmanager
    def segment(self):
        self.running = self.carried
        try:
            yield
        finally:
            self.carried = self.running.map(torch.Tensor.detach)
            self.trail.append(self.running)

    def observe(self, rows):
        for act, obs, reward in rows:
            self.running, prior, post = self.model(self.running, act, obs)
            feats = self.running.features
            recon = (self.model.decoder(feats) - obs).square().sum(-1)
            kl = kl_divergence(post, prior).sum(-1).clamp(min=0.5)
            value = self.model.value(feats.detach()).squeeze(-1)
            self.memory.append(Transition(feats.detach(), value.detach(), reward))
            yield (recon + 0.5 * kl + 0.1 * (value - reward).square()).mean()

    def learn(self, rows):
        with self.segment():
            loss = torch.stack(list(self.observe(rows))).mean()
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 20.0)
            self.opt.step()
        return loss.item()

    @torch.no_grad()
    def value_error(self):
        return torch.stack([(t.value - t.reward).abs().mean() for t in self.memory]).mean().item()


def main():
    torch.manual_seed(0)
    env = Walker(n=16)
    learner = Learner(RSSM(14, 4), n=16)
    for i, rows in enumerate(env.stream(segments=160, length=8)):
        loss = learner.learn(rows)
        if i % 20 == 0:
            print(f"segment {i:3d} loss {loss:.3f} value error {learner.value_error():.3f} "
                  f"trail {len(learner.trail)} memory {len(learner.memory)}")


if __name__ == "__main__":
    main()
