# gradwatch-corpus: kind=graph-chain
# holder: self.total | regret.total
# first-bad: 1
"""Online coupon allocation: a linear softmax policy is updated after each group of visitors."""
import torch

from market import CouponMarket
from policy import LinearPolicy, RegretObjective


def campaign(rounds=400, group=32, seed=2):
    torch.manual_seed(seed)
    market = CouponMarket(seed=seed)
    policy = LinearPolicy(market.n_features, 5)
    opt = torch.optim.SGD(policy.parameters(), lr=0.02)
    regret = RegretObjective()
    conversions = shown = 0
    for r in range(rounds):
        x = market.visitors(group)
        logp = policy(x)
        with torch.no_grad():
            coupon = torch.multinomial(logp.exp(), 1).squeeze(1)
            behaviour = logp.gather(1, coupon.unsqueeze(1)).squeeze(1)
            reward = market.reward(x, coupon)
        objective = regret.add(logp, coupon, reward, behaviour)
        opt.zero_grad()
        objective.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        opt.step()
        conversions += int(reward.sum())
        shown += group
        if r % 40 == 39:
            ceiling = market.best(market.visitors(500)).mean().item()
            print(f"round {r + 1:4d} conversion {conversions / shown:.3f} of {ceiling:.3f} avg regret {regret.average():+.4f}")
            conversions = shown = 0


if __name__ == "__main__":
    campaign()
