from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

from .calls import Calls
from .teacher import AveragedTeacher


@dataclass
class SemiConfig:
    seed: int = 26
    species: int = 4
    length: int = 32
    width: int = 20
    epochs: int = 24
    updates: int = 20
    micro: int = 3
    ema: float = 0.95
    weight: float = 2.0


class CallNet(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.stem = nn.Linear(c.length, c.width)
        self.block = nn.Sequential(nn.LayerNorm(c.width), nn.Linear(c.width, c.width), nn.GELU(), nn.Linear(c.width, c.width))
        self.out = nn.Linear(c.width, c.species)

    def forward(self, x):
        h = self.stem(x)
        h = h + checkpoint(self.block, h, use_reentrant=False)
        return self.out(h)


class SemiTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = CallNet(cfg)
        self.teacher = AveragedTeacher(self.net, cfg.ema)
        self.data = Calls(cfg.species, cfg.length)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=2e-3)

    def micro_loss(self):
        x, y = self.data.draw(5)
        u, _ = self.data.draw(15)
        sup = F.cross_entropy(self.net(x), y)
        con = F.mse_loss(self.net(u + 0.1 * torch.randn_like(u)).softmax(-1), self.teacher.predict(u))
        return sup, con

    def update(self):
        sup_sum = con_sum = 0.0
        self.opt.zero_grad()
        for _ in range(self.cfg.micro):
            sup, con = self.micro_loss()
            ((sup + self.cfg.weight * con) / self.cfg.micro).backward()
            sup_sum += sup.detach()
            con_sum += con.detach()
        self.opt.step()
        self.teacher.absorb()
        return sup_sum / self.cfg.micro, con_sum / self.cfg.micro

    def epoch(self):
        stats = torch.stack([torch.stack(self.update()) for _ in range(self.cfg.updates)])
        return stats.mean(0).tolist()

    def accuracy(self):
        x, y = self.data.draw(100)
        return (self.teacher.predict(x).argmax(-1) == y).float().mean().item()
