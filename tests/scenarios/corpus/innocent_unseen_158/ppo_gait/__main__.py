# gradwatch-corpus: kind=none
"""Clipped policy optimisation on a one-dimensional walker."""
import torch
from torch.optim.lr_scheduler import ReduceLROnPlateau

from .agent import Agent
from .rollout import Walker, collect

torch.set_num_threads(1)
torch.manual_seed(23)


def main():
    agent, env = Agent(), Walker()
    opt = torch.optim.Adam(agent.parameters(), lr=3e-3)
    plateau = ReduceLROnPlateau(opt, patience=4, factor=0.7)
    previous = None
    for iteration in range(20):
        batch = collect(agent, env, steps=48)
        for _ in range(4):
            loss, policy = agent.loss(batch, reference=previous)
            opt.zero_grad()
            loss.backward()
            opt.step()
        plateau.step(loss)
        previous = agent.freeze(policy)
        if iteration % 5 == 4:
            print(f"iteration {iteration + 1} reward {batch.rewards.mean():.3f} lr {opt.param_groups[0]['lr']:.5f}")


if __name__ == "__main__":
    main()
