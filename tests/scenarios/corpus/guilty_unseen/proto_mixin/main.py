# gradwatch-corpus: kind=graph-chain
# holder: self.centers | model.centers | net.centers
from dataclasses import dataclass

import torch

from protolib.nets import ProtoClassifier


@dataclass
class Config:
    steps: int = 240
    batch: int = 96
    lr: float = 3e-3
    classes: int = 12
    seed: int = 5


def run(cfg: Config):
    torch.manual_seed(cfg.seed)
    net = ProtoClassifier(in_dim=32, emb=64, classes=cfg.classes)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr)
    means = torch.randn(cfg.classes, 32)
    for step in range(cfg.steps):
        y = torch.randint(cfg.classes, (cfg.batch,))
        x = means[y] + 0.3 * torch.randn(cfg.batch, 32)
        opt.zero_grad(set_to_none=True)
        loss = net.loss(x, y)
        loss.backward()
        opt.step()
        if not step % 60:
            print(step, round(loss.item(), 4))


if __name__ == "__main__":
    run(Config())
