# gradwatch-corpus: kind=graph-held
# holder: self.items | self.items[...]["policy_action"] | agg.items | buffer.items
# first-bad: 1
# also: memory-climb
"""DAgger on a two-link reacher, mixture of expert and learner."""
import random

import torch
import torch.nn.functional as F

from aggregate import Aggregate
from policy import Policy, expert_action, step_env

ITERS = 420
BETA_DECAY = 0.985


def rollout(policy, agg, beta, gen, horizon=4):
    state = torch.randn(6, generator=gen) * 0.5
    for _ in range(horizon):
        a_exp = expert_action(state)
        with torch.no_grad():
            a_pol = policy(state)
        agg.add(obs=state, expert=a_exp)
        act = a_exp if random.random() < beta else a_pol
        state = step_env(state, act)


def main():
    torch.manual_seed(0)
    random.seed(0)
    gen = torch.Generator().manual_seed(5)
    policy = Policy()
    opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
    agg = Aggregate()
    for _ in range(60):
        rollout(policy, agg, 1.0, gen)
    beta = 1.0
    for it in range(ITERS):
        rollout(policy, agg, beta, gen)
        beta *= BETA_DECAY
        picks = agg.sample(24)
        obs = torch.stack([agg.items[i]["obs"] for i in picks])
        target = torch.stack([agg.items[i]["expert"] for i in picks])
        pred = policy(obs)
        loss = F.smooth_l1_loss(pred, target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        agg.annotate(picks, pred)
        if it % 60 == 0:
            print(f"it {it} n={len(agg)} loss={loss.item():.4f} disagree={agg.disagreement():.4f} beta={beta:.2f}")


if __name__ == "__main__":
    main()
