import random

import torch
import torch.nn.functional as F


class EpochTrainer:
    def __init__(self, model, index, data):
        self.model = model
        self.index = index
        self.data = data
        self.rng = random.Random(1)
        self.opt = torch.optim.Adagrad(model.parameters(), lr=0.05)

    def step(self):
        user, item = self.data.positives(48)
        pool = self.rng.sample(range(90), 12)
        u, pos = self.model(user, item)
        neg_ids, table = self.index.hardest(u, pool)
        neg = (u * self.model.embed_items(neg_ids)).sum(1)
        bpr = -F.logsigmoid(pos - neg).mean()
        align = (u @ table.t()).logsumexp(1).mean() * 0.01
        self.opt.zero_grad()
        (bpr + align).backward()
        self.opt.step()
        return bpr.detach(), align.detach()

    def run_epoch(self, steps):
        rows = [self.step() for _ in range(steps)]
        self.index.clear()
        bpr = torch.stack([r[0] for r in rows]).mean().item()
        align = torch.stack([r[1] for r in rows]).mean().item()
        return bpr, align
