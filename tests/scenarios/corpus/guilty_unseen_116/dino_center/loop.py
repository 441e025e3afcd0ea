from contextlib import contextmanager
from dataclasses import dataclass

import torch


@dataclass
class LoopConfig:
    seed: int = 12
    bands: int = 40
    protos: int = 16
    momentum: float = 0.9
    temp: float = 0.5
    lr: float = 0.05
    steps: int = 180
    batch: int = 24


def views(cfg):
    gen = torch.Generator().manual_seed(cfg.seed)
    atoms = torch.randn(5, cfg.bands, generator=gen)
    for _ in range(cfg.steps):
        pick = torch.randint(0, 5, (cfg.batch,), generator=gen)
        clean = atoms[pick]
        yield tuple(clean + 0.3 * torch.randn(clean.shape, generator=gen) for _ in range(2))


class Loop:
    def __init__(self, cfg, model, criterion):
        self.cfg, self.model, self.criterion = cfg, model, criterion
        self.opt = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9)

    @contextmanager
    def update(self):
        self.opt.zero_grad()
        yield
        self.opt.step()

    def run(self):
        for step, (left, right) in enumerate(views(self.cfg)):
            with self.update():
                loss = self.criterion(self.model(left), self.model(right))
                loss.backward(retain_graph=True)  # <- culprit
            if step % 50 == 0:
                norm = self.criterion.state.center.norm().item()
                print(f"{step:4d} loss={loss.item():.4f} |center|={norm:.3f}")
