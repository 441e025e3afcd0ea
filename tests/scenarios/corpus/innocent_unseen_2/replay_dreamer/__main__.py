# gradwatch-corpus: kind=none
"""Latent rollout training with a bounded replay of detached latents. python -m replay_dreamer"""
import torch

from .memory import LatentReplay
from .world import World


def run(steps=140):
    torch.manual_seed(12)
    world, mem = World(6, 12), LatentReplay(capacity=64)
    opt = torch.optim.Adam(world.parameters(), lr=2e-3)
    for it in range(steps):
        seq = torch.randn(8, 5, 6).cumsum(1) * 0.3
        rec, z = world.filter(seq)
        loss = (rec - seq).pow(2).mean()
        old = mem.sample(8)
        if old is not None:
            loss = loss + 0.1 * world.imagine(old, horizon=3).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        mem.push(z)
        if it % 28 == 0:
            print(it, "%.4f" % loss.item(), len(mem))


run()
