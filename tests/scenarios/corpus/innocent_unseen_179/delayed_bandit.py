# gradwatch-corpus: kind=none
"""Ad placement where the conversion of an impression is learnt some rounds later."""
import random
from collections import deque
from types import SimpleNamespace

import torch
from torch import nn

torch.manual_seed(139)
rng = random.Random(139)


class Placer(nn.Module):
    def __init__(self, context=10, ads=5):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(context, 28), nn.ReLU(), nn.Linear(28, ads))

    def choose(self, context):
        dist = torch.distributions.Categorical(logits=self.net(context))
        ad = dist.sample()
        return ad, dist.log_prob(ad)


class Market:
    def __init__(self, context=10, ads=5):
        self.appeal = torch.randn(ads, context)

    def visitor(self):
        return torch.randn(self.appeal.shape[1])

    def respond(self, context, ad):
        bought = torch.rand(()) < torch.sigmoid(self.appeal[ad] @ context)
        return float(bought), rng.randint(1, 9)


class Stages:
    """Impressions go from shown to credited; the learner takes the credited ones."""

    def __init__(self, timeout):
        self.shown = deque()
        self.credited = []
        self.timeout = timeout
        self.expired = 0

    def show(self, **fields):
        self.shown.append(SimpleNamespace(**fields))

    def move(self, now):
        waiting = deque()
        for item in self.shown:
            if item.due <= now:
                self.credited.append(item)
            elif now - item.born > self.timeout:
                self.expired += 1
            else:
                waiting.append(item)
        self.shown = waiting

    def take(self):
        taken, self.credited = self.credited, []
        return taken


def main():
    market, placer = Market(), Placer()
    optimizer = torch.optim.Adam(placer.parameters(), lr=5e-3)
    stages = Stages(timeout=7)
    baseline, rate, now = 0.5, 0.5, 0
    for update in range(420):
        for _ in range(4):
            context = market.visitor()
            ad, logp = placer.choose(context)
            reward, delay = market.respond(context, ad)
            stages.show(logp=logp, reward=reward, born=now, due=now + delay)
            now += 1
        for _ in range(10):
            stages.move(now)
            now += 1
        items = stages.take()
        if not items:
            continue
        advantage = torch.tensor([i.reward for i in items]) - baseline
        loss = -(torch.stack([i.logp for i in items]) * advantage).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen = sum(i.reward for i in items) / len(items)
        baseline = 0.95 * baseline + 0.05 * seen
        rate = 0.98 * rate + 0.02 * seen
        if update % 60 == 0:
            print(f"{update} used {len(items)} open {len(stages.shown)} expired {stages.expired} rate {rate:.3f}")


if __name__ == "__main__":
    main()
