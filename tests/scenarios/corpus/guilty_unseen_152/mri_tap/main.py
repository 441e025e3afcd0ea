# gradwatch-corpus: kind=graph-held
# holder: self.store | tap.store | self.tap.store
# first-bad: 21
from dataclasses import dataclass

import torch
from torch import nn

from network import SliceNet
from taps import ActivationTap


@dataclass
class Settings:
    size: int = 24
    batch: int = 4
    iterations: int = 80
    tap_from: int = 20
    lr: float = 2e-3
    keep: float = 0.4


def phantoms(cfg, gen):
    axis = torch.linspace(-1, 1, cfg.size)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    images = torch.zeros(cfg.batch, 1, cfg.size, cfg.size)
    for _ in range(3):
        cy, cx, r = (torch.rand(cfg.batch, 1, 1, generator=gen) for _ in range(3))
        inside = ((yy - cy + 0.5) ** 2 + (xx - cx + 0.5) ** 2) < (0.1 + 0.3 * r) ** 2
        images[:, 0] += inside.float() * 0.4
    return images


def undersample(images, cfg, gen):
    k = torch.fft.fft2(images)
    lines = torch.rand(images.shape[0], 1, images.shape[2], 1, generator=gen) < cfg.keep
    lines[:, :, :2] = True
    return torch.fft.ifft2(k * lines).real


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(5)
        self.net = SliceNet()
        self.opt = torch.optim.Adam(self.net.parameters(), cfg.lr)
        self.tap = ActivationTap(self.net, ["enc", "mid"])

    def one(self):
        full = phantoms(self.cfg, self.gen)
        loss = nn.functional.mse_loss(self.net(undersample(full, self.cfg, self.gen)), full)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def run(self):
        for it in range(self.cfg.iterations):
            if it == self.cfg.tap_from:
                self.tap.arm()
            self.tap.step = it
            value = self.one()
            if it % 20 == 19:
                print(f"{it + 1:3d}  mse {value:.5f}  drift mid {self.tap.drift('mid'):.4f}")
        self.tap.disarm()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(2)
    Trainer(Settings()).run()
