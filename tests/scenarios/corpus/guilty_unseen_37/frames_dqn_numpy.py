# gradwatch-corpus: kind=memory-climb
# holder: self.frames | memory.frames
# first-bad: 1
# notice: 120
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


@dataclass
class Args:
    envs: int = 16
    side: int = 36
    batch: int = 16
    updates: int = 180
    gamma: float = 0.9
    lr: float = 1e-3


class FrameMemory:
    def __init__(self):
        self.frames = []

    def store(self, s, a, r, s2):
        for i in range(len(a)):
            self.frames.append((s[i].copy(), int(a[i]), float(r[i]), s2[i].copy()))  # <- culprit

    def sample(self, n, rng):
        picks = rng.integers(0, len(self.frames), n)
        s, a, r, s2 = zip(*[self.frames[i] for i in picks])
        return (torch.from_numpy(np.stack(s)), torch.tensor(a), torch.tensor(r), torch.from_numpy(np.stack(s2)))


class VecCatch:
    def __init__(self, n, side, rng):
        self.n, self.side, self.rng = n, side, rng
        self.ball = rng.integers(0, side, (n, 2))
        self.pad = rng.integers(0, side, n)

    def render(self):
        img = np.zeros((self.n, 1, self.side, self.side), dtype=np.float32)
        k = np.arange(self.n)
        img[k, 0, self.ball[:, 0], self.ball[:, 1]] = 1.0
        img[k, 0, -1, self.pad] = 0.5
        return img

    def step(self, a):
        self.pad = np.clip(self.pad + a - 1, 0, self.side - 1)
        self.ball[:, 0] += 1
        down = self.ball[:, 0] >= self.side - 1
        r = np.where(down, 1.0 - 2.0 * (np.abs(self.pad - self.ball[:, 1]) > 3), 0.0)
        self.ball[down, 0] = 0
        self.ball[down, 1] = self.rng.integers(0, self.side, down.sum())
        self.ball = self.ball % self.side
        return self.render(), r.astype(np.float32)


def build(side):
    return nn.Sequential(nn.Conv2d(1, 4, 5, stride=3), nn.ReLU(), nn.Flatten(), nn.LazyLinear(32), nn.ReLU(),
                         nn.Linear(32, 3))


def main(args: Args):
    rng = np.random.default_rng(0)
    torch.manual_seed(0)
    env, memory = VecCatch(args.envs, args.side, rng), FrameMemory()
    q = build(args.side)
    q(torch.zeros(1, 1, args.side, args.side))
    optim = torch.optim.Adam(q.parameters(), lr=args.lr)
    obs = env.render()
    for u in range(args.updates):
        with torch.no_grad():
            greedy = q(torch.from_numpy(obs)).argmax(1).numpy()
        acts = np.where(rng.random(args.envs) < 0.2, rng.integers(0, 3, args.envs), greedy)
        nxt, rew = env.step(acts)
        memory.store(obs, acts, rew, nxt)  # <- culprit
        obs = nxt
        s, a, r, s2 = memory.sample(args.batch, rng)
        with torch.no_grad():
            y = r + args.gamma * q(s2).max(1).values
        loss = F.mse_loss(q(s).gather(1, a[:, None])[:, 0], y)
        optim.zero_grad()
        loss.backward()
        optim.step()
        if u % 45 == 0:
            print(f"update {u} stored {len(memory.frames)} loss {loss.item():.4f} reward {rew.mean():+.3f}")


if __name__ == "__main__":
    main(Args())
