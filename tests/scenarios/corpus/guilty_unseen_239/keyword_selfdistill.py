# gradwatch-corpus: kind=second-backward
# holder: self.soft_targets | trainer.soft_targets | self.soft_targets[index] | trainer.soft_targets[0]
# first-bad: 12
"""Keyword spotting on synthetic filterbanks, with targets softened by last epoch's predictions."""
import logging
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

logger = logging.getLogger("kws")


@dataclass
class KwsConfig:
    clips: int = 384
    batch_size: int = 32
    bands: int = 20
    frames: int = 24
    keywords: int = 8
    epochs: int = 8
    lr: float = 1.5e-3
    alpha_final: float = 0.6

    def alpha(self, epoch: int) -> float:
        return self.alpha_final * epoch / max(1, self.epochs - 1)


def synth_clips(cfg: KwsConfig) -> TensorDataset:
    prototypes = torch.randn(cfg.keywords, cfg.bands, cfg.frames)
    y = torch.randint(0, cfg.keywords, (cfg.clips,))
    x = prototypes[y] + 1.5 * torch.randn(cfg.clips, cfg.bands, cfg.frames)
    return TensorDataset(x, y)


class DSConv(nn.Module):
    def __init__(self, cin, cout, kernel):
        super().__init__()
        self.depth = nn.Conv1d(cin, cin, kernel, padding=kernel // 2, groups=cin)
        self.point = nn.Conv1d(cin, cout, 1)
        self.norm = nn.BatchNorm1d(cout)

    def forward(self, x):
        return F.relu(self.norm(self.point(self.depth(x))))


class KwsNet(nn.Module):
    def __init__(self, cfg: KwsConfig):
        super().__init__()
        self.features = nn.Sequential(DSConv(cfg.bands, 32, 5), DSConv(32, 32, 3))
        self.classifier = nn.Linear(32, cfg.keywords)

    def forward(self, x):
        return self.classifier(self.features(x).mean(-1))


class SelfDistillTrainer:
    def __init__(self, cfg: KwsConfig):
        self.cfg = cfg
        self.net = KwsNet(cfg)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cfg.lr)
        self.soft_targets = {}

    def targets(self, index, labels, epoch):
        hard = F.one_hot(labels, self.cfg.keywords).float()
        if index not in self.soft_targets:
            return hard
        a = self.cfg.alpha(epoch)
        return (1 - a) * hard + a * self.soft_targets[index]  # <- culprit

    def epoch(self, epoch, loader):
        self.net.train()
        total = 0.0
        for index, (x, y) in enumerate(loader):
            logits = self.net(x)
            loss = -(self.targets(index, y, epoch) * logits.log_softmax(-1)).sum(-1).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.soft_targets[index] = logits.softmax(-1)  # <- culprit
            total += loss.item()
        return total / len(loader)


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(name)s: %(message)s")
    torch.manual_seed(31)
    cfg = KwsConfig()
    loader = DataLoader(synth_clips(cfg), batch_size=cfg.batch_size, shuffle=False)
    trainer = SelfDistillTrainer(cfg)
    for epoch in range(cfg.epochs):
        mean = trainer.epoch(epoch, loader)
        logger.info("epoch %d loss %.4f alpha %.2f", epoch, mean, cfg.alpha(epoch))


if __name__ == "__main__":
    main()
