# gradwatch-corpus: kind=none
"""Contextual bandit for coupons where the purchase is only known a few visits later; the
score function of a visit waits in line until its reward has come in."""
import random
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

N_COUPONS, N_FEATURES, DELAY = 5, 12, 6


@dataclass
class Pending:
    visit: int
    shown: torch.Tensor
    log_prob: torch.Tensor
    entropy: torch.Tensor


class Shop:
    """Generates visitors and, later, what they bought."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.taste = torch.randn(N_FEATURES, N_COUPONS, generator=self.gen) / N_FEATURES ** 0.5
        self._due = deque()

    def visitors(self, n):
        return torch.randn(n, N_FEATURES, generator=self.gen)

    def show(self, people, coupons):
        p = torch.sigmoid(2 * (people @ self.taste).gather(1, coupons[:, None]).squeeze(1) - 0.5)
        bought = (torch.rand(len(p), generator=self.gen) < p).float()
        self._due.append(bought)

    def settle(self):
        return self._due.popleft() if len(self._due) > DELAY else None


class CouponPolicy(nn.Module):
    """Linear on purpose: the marketing people want to read the weights."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(N_FEATURES, N_COUPONS)
        nn.init.zeros_(self.linear.weight)

    def forward(self, people):
        return F.log_softmax(self.linear(people), dim=-1)


class DelayedReinforce:
    def __init__(self, policy, lr=0.05):
        self.policy = policy
        self.opt = torch.optim.Adagrad(policy.parameters(), lr=lr)
        self.waiting = deque()
        self.baseline = 0.0
        self.rewards = deque(maxlen=50)

    def choose(self, visit, people):
        logp = self.policy(people)
        shown = torch.multinomial(logp.detach().exp(), 1).squeeze(1)
        picked = logp.gather(1, shown[:, None]).squeeze(1)
        entropy = -(logp.exp() * logp).sum(-1).mean()
        self.waiting.append(Pending(visit, shown, picked, entropy))
        return shown

    def reward(self, bought):
        entry = self.waiting.popleft()
        loss = -((bought - self.baseline) * entry.log_prob).mean() - 0.01 * entry.entropy
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        mean = bought.mean().item()
        self.baseline += 0.05 * (mean - self.baseline)
        self.rewards.append(mean)
        return entry.visit

    @property
    def conversion(self):
        return sum(self.rewards) / max(len(self.rewards), 1)


def oracle_rate(shop, n=2000):
    people = shop.visitors(n)
    return torch.sigmoid(2 * (people @ shop.taste).max(dim=1).values - 0.5).mean().item()


def main(visits=500, batch=64):
    random.seed(0)
    torch.manual_seed(13)
    torch.set_num_threads(1)
    shop = Shop(seed=13)
    agent = DelayedReinforce(CouponPolicy())
    for visit in range(visits):
        people = shop.visitors(batch)
        shop.show(people, agent.choose(visit, people))
        bought = shop.settle()
        if bought is None:
            continue
        settled = agent.reward(bought)
        if visit % 100 == 99:
            print(f"visit {visit + 1} (settled up to {settled}): conversion {agent.conversion:.3f}, "
                  f"{len(agent.waiting)} in line")
    print(f"best possible: {oracle_rate(shop):.3f}")


if __name__ == "__main__":
    main()
