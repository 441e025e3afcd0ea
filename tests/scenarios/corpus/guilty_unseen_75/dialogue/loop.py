from dataclasses import dataclass
from typing import Iterator

import torch
from torch import Tensor

from .ranker import DualEncoder


@dataclass(slots=True)
class LoopConfig:
    vocab: int = 60
    width: int = 20
    turns: int = 4
    words: int = 5
    batch: int = 12
    steps: int = 140
    eval_every: int = 35
    lr: float = 5e-3


class DialogueLoop:
    def __init__(self, cfg: LoopConfig) -> None:
        self.cfg = cfg
        self.model = DualEncoder(cfg.vocab, cfg.width)
        self.optimizer = torch.optim.RMSprop(self.model.parameters(), lr=cfg.lr)
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, cfg.steps)

    def dialogues(self) -> Iterator[tuple[Tensor, Tensor]]:
        c = self.cfg
        while True:
            topic = torch.randint(1, c.vocab - 6, (c.batch, 1, 1))
            context = topic + torch.randint(0, 6, (c.batch, c.turns, c.words))
            response = topic[:, 0] + torch.randint(0, 6, (c.batch, c.words))
            yield context, response

    def fit(self) -> None:
        for step, (context, response) in zip(range(self.cfg.steps), self.dialogues()):
            loss = self.model.nll(context, response)
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.schedule.step()
            if (step + 1) % self.cfg.eval_every == 0:
                self.model.eval()
                print(f"{step + 1}: nll={loss.item():.3f} recall@1={self.model.recall(context, response):.2f}")
                self.model.train()
