# gradwatch-corpus: kind=none
# about: a pool of past policies' rollouts grows for the first 80 updates and stays at its maxlen; what goes in was made under no_grad; the best loss is kept as a cut tensor
"""Sail trim with a clipped-ratio policy update; rollouts of the last updates are reused off-policy."""
import copy
import math
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(21)


@dataclass(slots=True)
class Rollout:
    seen: torch.Tensor
    sheet: torch.Tensor
    logp: torch.Tensor
    profit: torch.Tensor
    value: torch.Tensor


class Skipper(nn.Module):
    def __init__(self, seen=6, width=40):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(seen, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.trim, self.worth = nn.Linear(width, 1), nn.Linear(width, 1)
        self.spread = nn.Parameter(torch.tensor(-0.5))

    def forward(self, seen):
        h = self.body(seen)
        return Normal(self.trim(h).squeeze(-1), self.spread.exp()), self.worth(h).squeeze(-1)


def sea(rows):
    wind = torch.rand(rows) * 2 * math.pi
    force = 0.5 + torch.rand(rows)
    heel = torch.randn(rows) * 0.2
    return torch.stack([wind.sin(), wind.cos(), force, heel, heel * force, wind / 6.28], 1)


def speed(seen, sheet):
    ideal = seen[:, 1] * 0.8 + 0.3 * seen[:, 3]
    return seen[:, 2] * torch.exp(-(sheet - ideal) ** 2) - 0.05 * sheet.abs()


class EarlyFinish:
    def __init__(self, patience):
        self.patience, self.bad = patience, 0
        self.best = None
        self.best_weights = None

    def __call__(self, loss, model):
        loss = loss.detach()
        if self.best is None or loss < self.best:
            self.best, self.bad = loss, 0
            self.best_weights = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad > self.patience


@torch.no_grad()
def sail(skipper, rows=160):
    seen = sea(rows)
    policy, value = skipper(seen)
    sheet = policy.sample()
    return Rollout(seen, sheet, policy.log_prob(sheet), speed(seen, sheet), value)


def main():
    skipper = Skipper()
    opt = torch.optim.Adam(skipper.parameters(), lr=1.5e-3)
    pool, stop = deque(maxlen=80), EarlyFinish(patience=10_000)
    for update in range(320):
        pool.append(sail(skipper))
        reuse = [pool[i] for i in torch.randint(max(0, len(pool) - 12), len(pool), (3,)).tolist()]
        total = 0.0
        for r in reuse:
            policy, worth = skipper(r.seen)
            ratio = (policy.log_prob(r.sheet) - r.logp).exp()
            edge = r.profit - r.value
            edge = (edge - edge.mean()) / (edge.std() + 1e-6)
            gain = torch.min(ratio * edge, ratio.clamp(0.8, 1.2) * edge).mean()
            total += -gain + 0.5 * (worth - r.profit).square().mean() - 0.003 * policy.entropy().mean()
        opt.zero_grad()
        total.backward()
        opt.step()
        if stop(total, skipper):
            break
        if update % 64 == 0:
            recent = torch.cat([r.profit for r in list(pool)[-5:]])
            print(f"update {update}: objective {total.item():+.3f}, boat speed {recent.mean().item():.3f}, pool {len(pool)}")
    print("best objective", round(stop.best.item(), 4))


if __name__ == "__main__":
    main()
