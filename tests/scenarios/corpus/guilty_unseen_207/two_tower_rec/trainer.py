from collections import defaultdict

import torch
import torch.nn.functional as F


class Tracker:
    def __init__(self):
        self.rows = []

    def record(self, step, **metrics):
        self.rows.append({"step": step, **metrics})

    def summary(self, last=50):
        sums = defaultdict(float)
        tail = self.rows[-last:]
        for row in tail:
            for key, value in row.items():
                sums[key] += float(value) / len(tail)
        return dict(sums)


class Trainer:
    def __init__(self, model, cfg):
        self.model = model
        self.cfg = cfg
        self.optim = torch.optim.Adam(model.parameters(), lr=cfg.lr)
        self.tracker = Tracker()

    def fit(self, stream):
        for step, (users, items) in enumerate(stream):
            logits, penalty = self.model(users, items)
            target = torch.arange(len(users))
            nce = F.cross_entropy(logits, target)
            loss = nce + self.cfg.reg * penalty
            self.optim.zero_grad(set_to_none=True)
            loss.backward()
            self.optim.step()
            hit = (logits.argmax(-1) == target).float().mean()
            self.tracker.record(step, nce=nce.item(), hit=hit.item(), penalty=penalty)  # <- culprit
            if step % 120 == 0:
                print(step, round(nce.item(), 4))
