# gradwatch-corpus: kind=graph-chain
# holder: self.chains | buffer.chains | self.buffer.chains | trainer.buffer.chains | samples | negative | x
# first-bad: 1
# notice: 5
"""Persistent contrastive divergence on small ring images."""
import argparse
from dataclasses import dataclass

import torch

from energy import EnergyNet, rings
from sampling import ChainBuffer, langevin


@dataclass
class Settings:
    iterations: int = 110
    batch: int = 24
    side: int = 8
    fresh: int = 2
    langevin_steps: int = 3
    step_size: float = 0.2
    noise: float = 0.02
    lr: float = 1e-3
    reg: float = 0.05


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = EnergyNet(cfg.side)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr, betas=(0.0, 0.95))
        self.buffer = ChainBuffer(cfg.batch, cfg.side, cfg.fresh)
        self.generator = torch.Generator().manual_seed(3)

    def iterate(self):
        cfg = self.cfg
        positive = rings(cfg.batch, cfg.side, self.generator)
        negative = langevin(self.net, self.buffer.draw(), cfg.langevin_steps,
                            cfg.step_size, cfg.noise)
        self.buffer.store(negative)  # <- culprit
        e_pos = self.net(positive)
        e_neg = self.net(negative)
        gap = e_pos.mean() - e_neg.mean()
        loss = gap + cfg.reg * (e_pos.pow(2).mean() + e_neg.pow(2).mean())
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        return gap.item(), loss.item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--iterations", type=int, default=Settings.iterations)
    p.add_argument("--seed", type=int, default=0)
    args = p.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    trainer = Trainer(Settings(iterations=args.iterations))
    for i in range(trainer.cfg.iterations):
        gap, loss = trainer.iterate()
        if i % 20 == 0:
            print(f"{i:4d}  energy gap {gap:+.3f}  loss {loss:+.3f}")
    print("chain spread", round(float(trainer.buffer.spread()), 4))


if __name__ == "__main__":
    main()
