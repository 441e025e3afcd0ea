# gradwatch-corpus: kind=second-backward
# holder: self.u | u | self.v | v | layer.u | m.u | self.net[0].u | self.net[2].u | self.net[4].u | critic.net[0].u | critic.net[2].u | critic.net[4].u
# first-bad: 1
# notice: 0
"""Estimates the 1-Wasserstein distance of two point clouds with a 1-Lipschitz critic."""
import torch

from .critic import LipschitzCritic
from .clouds import moon, ring

torch.set_num_threads(1)


def estimate(steps=80, batch=64, seed=0):
    torch.manual_seed(seed)
    critic = LipschitzCritic(width=32)
    optim = torch.optim.RMSprop(critic.parameters(), lr=2e-3)
    best = float("-inf")
    for step in range(steps):
        a, b = moon(batch), ring(batch)
        scores = critic(torch.cat([a, b]))
        gap = scores[:batch].mean() - scores[batch:].mean()
        optim.zero_grad()
        (-gap).backward()
        optim.step()
        best = max(best, gap.item())
        if step % 20 == 0:
            print("step", step, "W1 >=", round(gap.item(), 4))
    return best


if __name__ == "__main__":
    print("best lower bound", estimate())
