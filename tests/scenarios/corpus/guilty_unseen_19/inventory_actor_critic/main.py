# gradwatch-corpus: kind=second-backward
# holder: self.mean | self.var | norm.mean | norm.var | agent.norm.mean | self.norm.mean | agent.norm.var | self.norm.var
# first-bad: 1
"""Actor-critic for a single-product inventory (lost sales, lead time zero), vectorised over warehouses.

Advantage by GAE(lambda); the critic regresses on returns in normalised units.
"""
import torch

from agent import Agent
from warehouse import Warehouses


def main(iterations=250):
    torch.manual_seed(19)
    env = Warehouses(n=16, capacity=20)
    agent = Agent(env.obs_dim, env.n_actions)
    for it in range(iterations):
        batch = agent.rollout(env, length=12)
        stats = agent.learn(batch)
        if it % 50 == 0:
            print(it, " ".join(f"{k}={v:.3f}" for k, v in stats.items()))


if __name__ == "__main__":
    main()
