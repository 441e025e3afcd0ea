from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class FitterConfig:
    steps: int
    lr: float
    warmup: int
    print_every: int = 100


class Fitter:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, lambda s: min(1.0, (s + 1) / cfg.warmup))

    def fit(self, stream):
        running = None
        for step, (x, y) in zip(range(self.cfg.steps), stream):
            loss = F.cross_entropy(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.sched.step()
            running = loss.item() if running is None else 0.95 * running + 0.05 * loss.item()
            if step % self.cfg.print_every == 0:
                print(f"step {step} loss {running:.3f}")
