# gradwatch-corpus: kind=graph-held
# holder: self.total | meter.total | self.meters["loss"].total | self.meters[name].total | trainer.meters["loss"].total
# first-bad: 1
import dataclasses

import torch
from torch import nn
import torch.nn.functional as F


@dataclasses.dataclass
class SessionConfig:
    catalogue: int = 200
    session_len: int = 8
    dim: int = 32
    batch: int = 48
    steps: int = 140
    report_every: int = 35
    lr: float = 3e-3


class Meter:
    """Weighted mean over the whole run."""

    def __init__(self):
        self.total = 0.0
        self.weight = 0

    def add(self, value, weight=1):
        self.total = self.total + value * weight  # <- culprit
        self.weight += weight

    @property
    def mean(self):
        return float(self.total) / max(1, self.weight)


class Callback:
    def on_step(self, trainer, step):
        pass

    def on_end(self, trainer):
        pass


class PrintProgress(Callback):
    def __init__(self, every):
        self.every = every

    def on_step(self, trainer, step):
        if step % self.every == 0:
            with torch.no_grad():
                print(step, {k: f"{m.mean:.3f}" for k, m in trainer.meters.items()})


class WarmUp(Callback):
    def __init__(self, steps):
        self.steps = steps

    def on_step(self, trainer, step):
        ramp = min(1.0, (step + 1) / self.steps)
        for group in trainer.optimizer.param_groups:
            group["lr"] = trainer.cfg.lr * ramp


class NextClick(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.items = nn.Embedding(cfg.catalogue, cfg.dim)
        self.reader = nn.GRU(cfg.dim, cfg.dim, batch_first=True)

    def forward(self, sessions):
        _, last = self.reader(self.items(sessions))
        return last[0] @ self.items.weight.t()


class BaseTrainer:
    def __init__(self, cfg, model, callbacks):
        self.cfg = cfg
        self.model = model
        self.callbacks = callbacks
        self.optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
        self.meters = {"loss": Meter(), "hit@10": Meter()}

    def compute(self, batch):
        raise NotImplementedError

    def train(self, batches):
        for step, batch in enumerate(batches):
            loss, hit = self.compute(batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            count = len(batch[1])
            self.meters["loss"].add(loss, count)  # <- culprit
            self.meters["hit@10"].add(hit, count)
            for callback in self.callbacks:
                callback.on_step(self, step)
        for callback in self.callbacks:
            callback.on_end(self)


class SessionTrainer(BaseTrainer):
    def compute(self, batch):
        sessions, clicked = batch
        logits = self.model(sessions)
        loss = F.cross_entropy(logits, clicked)
        top = logits.detach().topk(10, dim=1).indices
        hit = (top == clicked.unsqueeze(1)).any(dim=1).float().mean().item()
        return loss, hit


def clickstream(cfg):
    gen = torch.Generator().manual_seed(1)
    for _ in range(cfg.steps):
        start = torch.randint(0, cfg.catalogue, (cfg.batch, 1), generator=gen)
        stride = torch.randint(1, 4, (cfg.batch, 1), generator=gen)
        walk = start + stride * torch.arange(cfg.session_len + 1)
        walk = walk % cfg.catalogue
        yield walk[:, :-1], walk[:, -1]


def main():
    torch.manual_seed(1)
    cfg = SessionConfig()
    callbacks = [WarmUp(20), PrintProgress(cfg.report_every)]
    trainer = SessionTrainer(cfg, NextClick(cfg), callbacks)
    trainer.train(clickstream(cfg))
    with torch.no_grad():
        print("mean loss", round(trainer.meters["loss"].mean, 4))


if __name__ == "__main__":
    main()
