# gradwatch-corpus: kind=none
"""Weave patterns from a small GAN with a pool of older forgeries."""
import random
from dataclasses import dataclass

import torch
from torch import nn, Tensor
from torch.nn import functional as F

torch.set_num_threads(1)
SIDE = 8


@dataclass
class Forgery:
    """One batch from the generator, as each of the two players may see it."""

    pixels: Tensor

    @property
    def for_weaver(self):
        return self.pixels

    @property
    def for_judge(self):
        return self.pixels.detach()


class Pool:
    """Half of what the judge sees comes from earlier rounds."""

    def __init__(self, capacity, seed):
        self.capacity, self.rng = capacity, random.Random(seed)
        self.items = []

    def exchange(self, batch):
        out = []
        for item in batch.unbind(0):
            if len(self.items) < self.capacity:
                self.items.append(item)
                out.append(item)
            elif self.rng.random() < 0.5:
                k = self.rng.randrange(self.capacity)
                out.append(self.items[k])
                self.items[k] = item
            else:
                out.append(item)
        return torch.stack(out)


def weaves(n, gen):
    period = torch.randint(2, 5, (n, 1, 1), generator=gen)
    shift = torch.randint(0, 3, (n, 1, 1), generator=gen)
    i = torch.arange(SIDE)
    cloth = ((i[None, :, None] + i[None, None, :] + shift) % period == 0).float()
    return (cloth * 2 - 1 + 0.1 * torch.randn(n, SIDE, SIDE, generator=gen)).flatten(1)


class Weaver(nn.Module):
    def __init__(self, noise=8):
        super().__init__()
        self.noise = noise
        self.net = nn.Sequential(nn.Linear(noise, 64), nn.ReLU(inplace=True), nn.Linear(64, SIDE * SIDE), nn.Tanh())

    def forward(self, n):
        return Forgery(self.net(torch.randn(n, self.noise)))


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(SIDE * SIDE, 48), nn.LeakyReLU(0.2))
        self.verdict = nn.Linear(48, 1)

    def forward(self, x):
        f = self.features(x)
        return self.verdict(f).squeeze(-1), f


class Studio:
    def __init__(self):
        self.weaver, self.judge = Weaver(), Judge()
        self.pool = Pool(96, seed=5)
        self.w_opt = torch.optim.Adam(self.weaver.parameters(), 1e-3, betas=(0.5, 0.99))
        self.j_opt = torch.optim.Adam(self.judge.parameters(), 1e-3, betas=(0.5, 0.99))

    def judge_turn(self, real, forged):
        yes, _ = self.judge(real)
        no, _ = self.judge(self.pool.exchange(forged.for_judge))
        loss = F.relu(1 - yes).mean() + F.relu(1 + no).mean()
        self.j_opt.zero_grad()
        loss.backward()
        self.j_opt.step()
        return loss.item()

    def weaver_turn(self, real, forged):
        self.judge.requires_grad_(False)
        score, feats = self.judge(forged.for_weaver)
        _, wanted = self.judge(real)
        loss = -score.mean() + 0.5 * F.mse_loss(feats.mean(0), wanted.mean(0))
        self.w_opt.zero_grad()
        loss.backward()
        self.w_opt.step()
        self.judge.requires_grad_(True)
        return loss.item()


def main(rounds=250):
    torch.manual_seed(29)
    studio, gen = Studio(), torch.Generator().manual_seed(29)
    for r in range(rounds):
        real = weaves(24, gen)
        forged = studio.weaver(len(real))
        j = studio.judge_turn(real, forged)
        w = studio.weaver_turn(real, forged)
        if r % 50 == 49:
            print(f"round {r + 1}: judge {j:.3f} weaver {w:.3f} pool {len(studio.pool.items)}")


if __name__ == "__main__":
    main()
