import torch
import torch.nn.functional as F

from drift import DriftPenalty
from towers import TwoTower


class RecoTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = TwoTower(cfg)
        self.drift = DriftPenalty(self.model, cfg.anchor_decay, cfg.drift_weight)
        self.optimizer = torch.optim.Adagrad(self.model.parameters(), lr=cfg.lr)
        self.seen = 0
        self.best = float("inf")

    def step(self, batch):
        pos = self.model.score(batch["user"], batch["pos"])
        neg = self.model.score(batch["user"], batch["neg"])
        bpr = F.softplus(neg - pos).mean()
        drift = self.drift()
        loss = bpr + drift
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.drift.follow()  # <- culprit
        self.seen += len(batch["user"])
        self.best = min(self.best, bpr.item())
        return {"bpr": bpr.item(), "drift": drift.item()}

    def summary(self):
        return {"seen": self.seen, "best": round(self.best, 4)}
