import torch
import torch.nn.functional as F


class LoopBase:
    def __init__(self, cfg):
        self.cfg = cfg
        self.schedules = []
        self.ranks = []

    def loss(self, batch):
        raise NotImplementedError

    def train(self, stream):
        for step in range(self.cfg.steps):
            for s in self.schedules:
                s.apply(self, step)
            loss = self.loss(next(stream))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if step % 20 == 0:
                print(f"step {step:3d} loss {loss.item():.4f}")


class LinkTrainer(LoopBase):
    def __init__(self, cfg, encoder, scorer):
        super().__init__(cfg)
        self.encoder, self.scorer = encoder, scorer
        self.optimizer = torch.optim.Adam([*encoder.parameters(), *scorer.parameters()], lr=cfg.lr)

    def loss(self, batch):
        h, r, t = batch
        table = self.encoder.table()
        fake = torch.randint(len(table), (self.cfg.negatives, len(h)))
        pos = self.scorer(table[h], r, table[t])
        neg = self.scorer(table[h].expand(self.cfg.negatives, -1, -1), r, table[fake])
        self.ranks.append((1.0 / (1 + (neg > pos).sum(0).float())).mean().item())
        return F.softplus(-pos).mean() + F.softplus(neg).mean()

    def summary(self):
        return round(sum(self.ranks[-20:]) / 20, 3)
