import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F

import metrics as M


@dataclass
class TrainerConfig:
    max_steps: int = 300
    lr: float = 3e-3
    warmup: int = 20
    clip: float = 1.0
    log_every: int = 50
    metrics: tuple = ("ppl",)


class Trainer:
    def __init__(self, model, data, cfg):
        self.model, self.data, self.cfg = model, data, cfg
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, betas=(0.9, 0.95))
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, self._schedule)
        self.metrics = M.build(cfg.metrics)

    def _schedule(self, step):
        if step < self.cfg.warmup:
            return (step + 1) / self.cfg.warmup
        done = (step - self.cfg.warmup) / max(1, self.cfg.max_steps - self.cfg.warmup)
        return 0.1 + 0.45 * (1 + math.cos(math.pi * min(done, 1.0)))

    def training_step(self, x, y):
        logits = self.model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
        self.opt.step()
        self.sched.step()
        for m in self.metrics.values():
            m.update(logits, y)  # <- culprit
        return loss.item()

    def fit(self):
        for step, (x, y) in enumerate(self.data):
            if step == self.cfg.max_steps:
                break
            loss = self.training_step(x, y)
            if step % self.cfg.log_every == 0:
                shown = "  ".join(f"{n}={m.compute():.3f}" for n, m in self.metrics.items())
                print(f"[{step:4d}] loss={loss:.3f}  {shown}")
