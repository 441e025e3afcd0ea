# gradwatch-corpus: kind=none
"""Contextual bandit with delayed feedback: clicks arrive three rounds after the slate was served, and
the score-function loss is formed from the log-probabilities kept in flight."""
from collections import deque
from typing import NamedTuple

import torch
from torch import nn

LAG = 3
ARMS = 12


class Served(NamedTuple):
    round: int
    logp: torch.Tensor
    entropy: torch.Tensor
    arms: torch.Tensor
    context: torch.Tensor


class SlatePolicy(nn.Module):
    def __init__(self, n_ctx, arms):
        super().__init__()
        self.by_segment = nn.Embedding(20, arms)
        self.by_context = nn.Linear(n_ctx, arms)

    def forward(self, seg, ctx):
        return self.by_segment(seg) + self.by_context(ctx)


class ClickWorld:
    def __init__(self, n_ctx, arms, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.w = torch.randn(n_ctx, arms, generator=self.g)
        self.s = torch.randn(20, arms, generator=self.g)
        self.n_ctx = n_ctx
        self.segments = {}

    def arrive(self, n=32):
        seg = torch.randint(0, 20, (n,), generator=self.g)
        ctx = torch.randn(n, self.n_ctx, generator=self.g)
        return seg, ctx

    def clicks(self, context, arms):
        util = (context @ self.w).gather(1, arms[:, None]).squeeze(1)
        return (torch.rand(len(arms), generator=self.g) < torch.sigmoid(util)).float()


class InFlight:
    """Slates that have been shown and whose clicks we do not have yet."""

    def __init__(self, lag):
        self.pending = deque()
        self.lag = lag

    def send(self, served):
        self.pending.append(served)

    def matured(self, now):
        while self.pending and now - self.pending[0].round >= self.lag:
            yield self.pending.popleft()


def main(rounds=700):
    torch.manual_seed(3)
    world = ClickWorld(8, ARMS, 21)
    policy = SlatePolicy(8, ARMS)
    opt = torch.optim.SGD(policy.parameters(), lr=0.2)
    flight = InFlight(LAG)
    baseline = 0.5
    for t in range(rounds):
        seg, ctx = world.arrive()
        dist = torch.distributions.Categorical(logits=policy(seg, ctx))
        arms = dist.sample()
        flight.send(Served(t, dist.log_prob(arms), dist.entropy(), arms, ctx))
        for served in flight.matured(t):
            reward = world.clicks(served.context, served.arms)
            loss = -(served.logp * (reward - baseline)).mean() - 0.01 * served.entropy.mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            baseline += 0.05 * (reward.mean().item() - baseline)
        if t % 100 == 0:
            print(f"round {t} in flight {len(flight.pending)} ctr {baseline:.3f}")


if __name__ == "__main__":
    main()
