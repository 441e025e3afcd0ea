# gradwatch-corpus: kind=second-backward
# holder: fake
# first-bad: 1
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Cfg:
    latent: int = 8
    width: int = 48
    batch: int = 64
    n_critic: int = 3
    clip: float = 0.05
    epochs: int = 10
    lr: float = 5e-4


def rings(n):
    k = torch.randint(0, 8, (n,))
    ang = k.float() * (2 * math.pi / 8)
    pts = torch.stack([ang.cos(), ang.sin()], 1) * 2
    return pts + 0.05 * torch.randn(n, 2)


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class WGAN:
    def __init__(self, cfg: Cfg):
        self.cfg = cfg
        self.G = mlp(cfg.latent, cfg.width, 2)
        self.D = mlp(2, cfg.width, 1)
        self.optG = torch.optim.RMSprop(self.G.parameters(), lr=cfg.lr)
        self.optD = torch.optim.RMSprop(self.D.parameters(), lr=cfg.lr)

    def noise(self, n):
        return torch.randn(n, self.cfg.latent)

    def train_batch(self, real):
        fake = self.G(self.noise(real.size(0)))  # <- culprit
        for _ in range(self.cfg.n_critic):
            self.optD.zero_grad()
            lossD = self.D(fake).mean() - self.D(real).mean()  # <- culprit
            lossD.backward()
            self.optD.step()
            with torch.no_grad():
                for p in self.D.parameters():
                    p.clamp_(-self.cfg.clip, self.cfg.clip)

        self.optG.zero_grad()
        lossG = -self.D(self.G(self.noise(real.size(0)))).mean()
        lossG.backward()
        self.optG.step()
        return lossD.item(), lossG.item()


def main():
    torch.manual_seed(3)
    cfg = Cfg()
    data = DataLoader(TensorDataset(rings(1024)), batch_size=cfg.batch, shuffle=True, drop_last=True)
    gan = WGAN(cfg)
    for epoch in range(cfg.epochs):
        d_sum = g_sum = 0.0
        for (real,) in data:
            d, g = gan.train_batch(real)
            d_sum += d
            g_sum += g
        print("epoch %d  D %.4f  G %.4f" % (epoch, d_sum / len(data), g_sum / len(data)))
    with torch.no_grad():
        sample = gan.G(gan.noise(512))
    print("mean radius", sample.norm(dim=1).mean().item())


if __name__ == "__main__":
    main()
