from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class EngineConfig:
    sampler: str = "hard"
    batch: int = 64
    iters: int = 120
    lr: float = 2e-3
    clip: float = 1.0
    eval_every: int = 30


class Engine:
    def __init__(self, cfg, model, data, sampler):
        self.cfg, self.model, self.data, self.sampler = cfg, model, data, sampler
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, cfg.lr * 3, total_steps=cfg.iters)
        self.meter = {"loss": 0.0, "n": 0}

    def step(self):
        idx = self.sampler.draw()
        x, y = self.data[idx]
        per_row = F.binary_cross_entropy_with_logits(self.model(x), y, reduction="none")
        loss = per_row.mean()
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
        self.opt.step()
        self.sched.step()
        self.sampler.observe(idx, per_row)  # <- culprit
        self.meter["loss"] += loss.item()
        self.meter["n"] += 1

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        rows = torch.randint(0, len(self.data), (2000,))
        x, y = self.data[rows]
        acc = ((self.model(x) > 0).float() == y).float().mean().item()
        self.model.train()
        return acc

    def run(self):
        for it in range(self.cfg.iters):
            self.step()
            if (it + 1) % self.cfg.eval_every == 0:
                mean = self.meter["loss"] / self.meter["n"]
                print(f"[{it + 1:4d}] loss {mean:.4f} acc {self.evaluate():.3f}")
                self.meter = {"loss": 0.0, "n": 0}
