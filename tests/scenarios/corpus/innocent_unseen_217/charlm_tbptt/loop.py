import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class LoopConfig:
    epochs: int
    bptt: int
    lr: float
    seed: int = 1111
    clip: float = 0.5


class LMTrainer:
    def __init__(self, model, runner, cfg):
        self.model, self.runner, self.cfg = model, runner, cfg
        self.opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
        self.history = {"ppl": [], "loss": []}

    def fit(self, stream):
        for _ in range(self.cfg.epochs):
            self.runner.reset()
            losses = []
            for x, y in stream.chunks(self.cfg.bptt):
                logits = self.runner(x)
                loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
                self.opt.step()
                losses.append(loss.detach())
            mean = torch.stack(losses).mean().item()
            self.history["loss"].append(mean)
            self.history["ppl"].append(math.exp(mean))
