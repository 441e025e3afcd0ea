# gradwatch-corpus: kind=graph-chain
# holder: self.level | self.baseline.level | baseline.level | learner.baseline.level | bl.level | self.level[zone] | old
# first-bad: 3
# notice: 15
# also: retain-needless
"""Which bin should the arm pick from?  Contextual bandit, REINFORCE, one baseline per warehouse zone."""
from __future__ import annotations

import dataclasses
import itertools

import torch
import torch.nn.functional as F

torch.set_num_threads(1)


@dataclasses.dataclass
class Settings:
    zones: int = 3
    bins: int = 6
    features: int = 10
    rounds: int = 150
    batch: int = 48
    lr: float = 0.05
    horizon: float = 0.92
    entropy: float = 0.01


class Warehouse:
    def __init__(self, cfg: Settings):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(404)
        self.truth = torch.randn(cfg.zones, cfg.features, cfg.bins, generator=self.gen)

    def orders(self):
        for i in itertools.count():
            zone = i % self.cfg.zones
            yield zone, torch.randn(self.cfg.batch, self.cfg.features, generator=self.gen)

    def outcome(self, zone, x, chosen):
        quality = (x @ self.truth[zone]).gather(1, chosen[:, None]).squeeze(1)
        noise = 0.3 * torch.randn(len(x), generator=self.gen)
        return torch.tanh(quality + noise)


class Baseline:
    """Mixes what was earned recently in a zone with what the policy expects to earn there."""

    def __init__(self, zones, horizon):
        self.level = {z: torch.zeros(()) for z in range(zones)}
        self.horizon = horizon

    def __getitem__(self, zone):
        return self.level[zone]

    def absorb(self, zone, earned, expected):
        target = 0.5 * (earned + expected)
        old = self.level[zone]
        self.level[zone] = self.horizon * old + (1 - self.horizon) * target  # <- culprit


class Picker(torch.nn.Module):
    def __init__(self, cfg: Settings):
        super().__init__()
        self.policy = torch.nn.ModuleList(torch.nn.Linear(cfg.features, cfg.bins) for _ in range(cfg.zones))
        self.value = torch.nn.Linear(cfg.features, cfg.zones)

    def forward(self, zone, x):
        return self.policy[zone](x), self.value(x)[:, zone]


class Learner:
    def __init__(self, cfg: Settings):
        self.cfg = cfg
        self.net = Picker(cfg)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=cfg.lr, momentum=0.8)
        self.baseline = Baseline(cfg.zones, cfg.horizon)

    def learn(self, zone, x, world):
        logits, value = self.net(zone, x)
        logp = F.log_softmax(logits, 1)
        with torch.no_grad():
            chosen = torch.multinomial(logp.exp(), 1).squeeze(1)
        reward = world.outcome(zone, x, chosen)

        picked = logp.gather(1, chosen[:, None]).squeeze(1)
        surprise = reward - self.baseline[zone]
        policy_loss = -(picked * surprise).mean()
        value_loss = F.mse_loss(value, reward)
        bonus = -(logp.exp() * logp).sum(1).mean()
        loss = policy_loss + 0.5 * value_loss - self.cfg.entropy * bonus

        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        self.baseline.absorb(zone, reward.mean(), value.mean())
        return reward.mean().item()


def main():
    cfg = Settings()
    torch.manual_seed(9)
    world, learner = Warehouse(cfg), Learner(cfg)
    window = []
    for k, (zone, x) in enumerate(itertools.islice(world.orders(), cfg.rounds)):
        window.append(learner.learn(zone, x, world))
        if len(window) == 30:
            print(f"round {k + 1:3d}: mean reward {sum(window) / 30:+.3f}")
            window.clear()


if __name__ == "__main__":
    main()
