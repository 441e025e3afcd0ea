from dataclasses import dataclass

import torch
import torch.nn.functional as F

from model import TableAnchor


@dataclass
class TrainConfig:
    steps: int = 160
    batch_size: int = 64
    lr: float = 0.01
    drift_every: int = 10
    log_every: int = 40


class Trainer:
    def __init__(self, model, cfg):
        self.model = model
        self.cfg = cfg
        self.opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg.steps)
        self.anchor = TableAnchor(model.tables())

    def fit(self, stream):
        self.model.train()
        for step in range(self.cfg.steps):
            loss = self.training_step(stream.draw())
            if step % self.cfg.drift_every == 0:
                stream.drift()
            if step % self.cfg.log_every == 0:
                print(f"step {step:3d} loss {loss:.3f} lr {self.sched.get_last_lr()[0]:.4f}")

    def training_step(self, batch):
        *inputs, y = batch
        pred = self.model(*inputs)
        loss = F.huber_loss(pred, y) + self.anchor.penalty()
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        self.sched.step()
        self.anchor.advance()
        return loss.item()

    @torch.no_grad()
    def evaluate(self, stream, n):
        self.model.eval()
        errs = []
        for _ in range(n):
            *inputs, y = stream.draw()
            errs.append((self.model(*inputs) - y).abs().mean().item())
        return sum(errs) / n
