"""Entry point: collect with the current policy, one gradient update per env step."""
import argparse

import torch

from .agent import SacAgent


class PointReacher:
    """Velocity-controlled point that should get to the origin."""

    def __init__(self, dim, seed):
        self.dim = dim
        self.gen = torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        self.pos = 2 * torch.rand(self.dim, generator=self.gen) - 1
        self.t = 0
        return self.pos.clone()

    def step(self, action):
        self.pos = (self.pos + 0.2 * action).clamp(-2, 2)
        self.t += 1
        return self.pos.clone(), -self.pos.norm().item(), self.t >= 25


class Replay:
    def __init__(self, seed):
        self.rows = []
        self.gen = torch.Generator().manual_seed(seed)

    def add(self, *row):
        self.rows.append(row)

    def sample(self, n):
        pick = torch.randint(len(self.rows), (n,), generator=self.gen).tolist()
        s, a, r, s2 = zip(*(self.rows[i] for i in pick))
        return torch.stack(s), torch.stack(a), torch.tensor(r)[:, None], torch.stack(s2)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--updates", type=int, default=120)
    ap.add_argument("--random-steps", type=int, default=64)
    ap.add_argument("--tune-after", type=int, default=9)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(11)

    env, replay = PointReacher(2, 1), Replay(2)
    agent = SacAgent(2, 2, tune_after=args.tune_after)
    for _ in range(args.random_steps):
        obs, action = env.pos.clone(), torch.rand(2) * 2 - 1
        nxt, reward, done = env.step(action)
        replay.add(obs, action, reward, nxt)
        if done:
            env.reset()

    obs = env.reset()
    for update in range(args.updates):
        action = agent.act(obs)
        nxt, reward, done = env.step(action)
        replay.add(obs, action, reward, nxt)
        obs = env.reset() if done else nxt
        info = agent.update(replay.sample(32))
        if update % 3 == 0:
            print(update, {k: round(v, 3) for k, v in info.items()})


if __name__ == "__main__":
    main()
