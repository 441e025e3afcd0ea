# gradwatch-corpus: kind=graph-chain
# holder: self.anchors["body.0.weight"] | self.anchors["body.2.weight"] | self.anchors[name] | anchor | anchoring.anchors | self.anchors | penalty.anchors
# first-bad: 1
# notice: 5
"""Fine-tune a small vibration classifier on a new machine while keeping it near where it came from."""
import random
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

from regularizers import SlowAnchor


@dataclass
class Config:
    channels: int = 12
    hidden: int = 24
    classes: int = 4
    batch: int = 32
    finetune_steps: int = 110
    lr: float = 3e-3
    seed: int = 7


class VibrationNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(cfg.channels, cfg.hidden), nn.GELU(),
            nn.Linear(cfg.hidden, cfg.hidden), nn.GELU(),
        )
        self.head = nn.Linear(cfg.hidden, cfg.classes)

    def forward(self, x):
        return self.head(self.body(x))


class Machine:
    """Synthetic recordings: every fault class has its own spectral signature."""

    def __init__(self, cfg, shift):
        gen = torch.Generator().manual_seed(cfg.seed)
        self.signatures = torch.randn(cfg.classes, cfg.channels, generator=gen) + shift
        self.cfg = cfg

    def record(self):
        y = torch.randint(0, self.cfg.classes, (self.cfg.batch,))
        x = self.signatures[y] + 0.6 * torch.randn(self.cfg.batch, self.cfg.channels)
        return x, y


def factory_weights(net, cfg):
    """Weights as the factory ships them, here simply drawn from a fixed seed."""
    gen = torch.Generator().manual_seed(cfg.seed)
    with torch.no_grad():
        for p in net.parameters():
            bound = p.shape[-1] ** -0.5
            p.uniform_(-bound, bound, generator=gen)


def finetune(net, machine, cfg, anchoring):
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr)
    seen = []
    for step in range(cfg.finetune_steps):
        x, y = machine.record()
        fit = F.cross_entropy(net(x), y)
        loss = fit + anchoring(net)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        seen.append(fit.item())
        if step % 25 == 0:
            print(f"step {step:3d}  fit {seen[-1]:.4f}  total {loss.item():.4f}")
    return sum(seen[-10:]) / 10


def main():
    torch.set_num_threads(1)
    cfg = Config()
    torch.manual_seed(cfg.seed)
    random.seed(cfg.seed)
    net = VibrationNet(cfg)
    factory_weights(net, cfg)
    anchoring = SlowAnchor(net, match="body", tau=0.95, weight=0.05)
    final = finetune(net, Machine(cfg, shift=0.4), cfg, anchoring)
    print(f"mean fit over the last ten steps: {final:.4f}")


if __name__ == "__main__":
    main()
