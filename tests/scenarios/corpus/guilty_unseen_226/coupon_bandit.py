# gradwatch-corpus: kind=graph-chain
# holder: self.regret | policy.regret
# first-bad: 1
"""Which coupon to show to which customer: softmax bandit with linear scores per arm."""
import argparse

import torch
from torch.distributions import Categorical

ap = argparse.ArgumentParser()
ap.add_argument("--rounds", type=int, default=120)
ap.add_argument("--customers", type=int, default=64)
ap.add_argument("--seed", type=int, default=21)
args = ap.parse_args()
torch.manual_seed(args.seed)

n_ctx = 10
n_arms = 5


class Shop:
    def __init__(self):
        self.theta = torch.randn(n_ctx, n_arms) * 0.7

    def visitors(self, n):
        return torch.randn(n, n_ctx)

    def reward(self, ctx, arm):
        p = torch.sigmoid(ctx @ self.theta)
        chosen = p.gather(1, arm[:, None]).squeeze(1)
        return torch.bernoulli(chosen), p.max(dim=1).values


class CouponPolicy:
    def __init__(self, shop, lr=0.05):
        self.shop = shop
        self.scores = torch.nn.Linear(n_ctx, n_arms)
        self.opt = torch.optim.SGD(self.scores.parameters(), lr=lr)
        self.regret = torch.zeros(())
        self.seen = 0
        self.baseline = 0.5

    def play(self, n):
        ctx = self.shop.visitors(n)
        dist = Categorical(logits=self.scores(ctx))
        arm = dist.sample()
        reward, best = self.shop.reward(ctx, arm)
        gap = best - reward
        advantage = reward - self.baseline
        surrogate = -(dist.log_prob(arm) * advantage).sum()
        surrogate = surrogate - 0.01 * dist.entropy().sum()
        self.baseline = 0.95 * self.baseline + 0.05 * reward.mean().item()
        return surrogate, gap

    def learn(self, n):
        surrogate, gap = self.play(n)
        self.seen += n
        self.regret = self.regret + surrogate  # <- culprit
        objective = self.regret / self.seen
        self.opt.zero_grad()
        objective.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return objective.item(), gap.mean().item()


shop = Shop()
policy = CouponPolicy(shop)
gaps = []
for r in range(1, args.rounds + 1):
    obj, gap = policy.learn(args.customers)
    gaps.append(gap)
    if r % 20 == 0:
        recent = sum(gaps[-20:]) / 20
        print(f"round {r:4d} objective {obj:+.4f} average gap {recent:.3f}")

with torch.no_grad():
    ctx = shop.visitors(2000)
    arm = policy.scores(ctx).argmax(1)
    _, best = shop.reward(ctx, arm)
    got = torch.sigmoid(ctx @ shop.theta).gather(1, arm[:, None]).squeeze(1)
print("greedy share of the optimum:", round((got.sum() / best.sum()).item(), 3))
