# gradwatch-corpus: kind=graph-held
# holder: trainer.callbacks[1].bank.meters['loss'].weighted | self.weighted | meter.weighted | self.meters[name].weighted | self.meters | bank.meters | trainer.callbacks | self.bank.meters
# first-bad: 1
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from callbacks import ProgressCallback, LRWarmup, StepState


@dataclass
class Config:
    n_words: int = 8
    n_mels: int = 20
    frames: int = 32
    batch_size: int = 32
    epochs: int = 4
    lr: float = 3e-3
    seed: int = 11


class TinyKWS(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(cfg.n_mels, 32, 5, stride=2), nn.ReLU(),
            nn.Conv1d(32, 32, 3), nn.ReLU(),
        )
        self.out = nn.Linear(32, cfg.n_words)

    def forward(self, mel):
        return self.out(self.body(mel).mean(-1))


class Trainer:
    def __init__(self, model, cfg, callbacks):
        self.model = model
        self.cfg = cfg
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self.crit = nn.CrossEntropyLoss(label_smoothing=0.05)
        self.callbacks = callbacks

    def fire(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def fit(self, loader):
        step = 0
        for epoch in range(self.cfg.epochs):
            for mel, word in loader:
                self.fire("before_step", step)
                logits = self.model(mel)
                loss = self.crit(logits, word)
                self.opt.zero_grad(set_to_none=True)
                loss.backward()
                self.opt.step()
                hits = (logits.argmax(-1) == word).float().mean()
                self.fire("after_step", StepState(step, len(word), loss, hits))  # <- culprit
                step += 1
            self.fire("after_epoch", epoch)


def make_data(cfg):
    g = torch.Generator().manual_seed(cfg.seed)
    shapes = torch.randn(cfg.n_words, cfg.n_mels, cfg.frames, generator=g)
    y = torch.randint(cfg.n_words, (960,), generator=g)
    x = shapes[y] * 0.6 + torch.randn(960, cfg.n_mels, cfg.frames, generator=g)
    return TensorDataset(x, y)


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    loader = DataLoader(make_data(cfg), cfg.batch_size, shuffle=True, drop_last=True)
    trainer = Trainer(TinyKWS(cfg), cfg, [LRWarmup(20), ProgressCallback()])
    trainer.fit(loader)


if __name__ == "__main__":
    main()
