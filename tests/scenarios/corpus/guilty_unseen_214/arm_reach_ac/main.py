# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
import torch

from agent import Agent
from arm import PlanarArm


def main(iters=150, warmup=30):
    torch.manual_seed(4)
    env = PlanarArm(64, seed=4)
    agent = Agent()
    for it in range(iters):
        obs, q, tgt = env.observe()
        with torch.no_grad():
            a = agent.act(obs)
            a = a + env.noise(a, 0.3)
        r = env.reward(q, tgt, a)
        lc = agent.update(obs, a, r, warmup)
        if it % 10 == 0:
            print(f"{it:4d} reward {r.mean().item():.3f} critic {lc:.3f}")


if __name__ == "__main__":
    main()
