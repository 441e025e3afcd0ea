from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class TrainerConfig:
    seed: int = 23
    vocab: int = 30
    width: int = 24
    batch: int = 8
    length: int = 10
    lr: float = 5e-3


class Trainer:
    def __init__(self, cfg, model, callbacks=()):
        self.cfg, self.model, self.callbacks = cfg, model, list(callbacks)
        self.opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)

    def _notify(self, hook, *args):
        for cb in self.callbacks:
            getattr(cb, hook)(self, *args)

    def _step(self, tokens):
        logits = self.model(tokens[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, segments):
        for segment in segments:
            self._notify("on_segment", segment)
            value = self._step(segment.tokens)
            self._notify("on_step_end", value)
        print("sample:", self.model.greedy(3, 8))
