# gradwatch-corpus: kind=none
"""Soft actor-critic with twin critics and a tuned temperature for the gates of a reservoir."""
import torch

torch.set_num_threads(1)

from experience import Experience
from reservoir import Reservoir
from sac import Sac


def main():
    torch.manual_seed(37)
    env, sac = Reservoir(), Sac(obs=3)
    memory = Experience(500, 3)
    obs, score = env.reset(), []
    for t in range(380):
        a = sac.act(obs)
        nxt, r, end = env.step(a)
        memory.put(obs, a, r, nxt, end)
        obs = env.reset() if end else nxt
        score.append(r)
        if t > 40:
            idx, batch = memory.sample(24)
            memory.reweigh(idx, sac.update(batch))
    print("mean reward", sum(score[-100:]) / 100, "alpha", sac.log_alpha.exp().item())


main()
