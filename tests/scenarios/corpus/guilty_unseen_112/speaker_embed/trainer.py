from itertools import chain

import torch


class Trainer:
    def __init__(self, model, criterion, cfg):
        self.model, self.criterion, self.cfg = model, criterion, cfg
        everything = chain(model.parameters(), criterion.parameters())
        self.optimizer = torch.optim.SGD(everything, lr=cfg.lr, momentum=0.5)
        self.seen = 0

    def run_epoch(self, bank):
        self.model.train()
        total = 0.0
        for _ in range(self.cfg.iters):
            x, who = bank.draw(self.cfg.batch)
            total += self._fit(x, who)
        self.seen += self.cfg.iters * self.cfg.batch
        return {"loss": total / self.cfg.iters, "seen": self.seen}

    def _fit(self, x, who):
        self.model.zero_grad()  # <- culprit
        loss = self.criterion(self.model(x), who)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()  # <- culprit
        return loss.item()
