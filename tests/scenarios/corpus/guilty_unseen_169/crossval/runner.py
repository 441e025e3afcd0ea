import torch
from torch import nn

from .tracking import ReferenceDrift


class CrossValidator:
    def __init__(self, hidden, lr, epochs, batch):
        self.hidden, self.lr, self.epochs, self.batch = hidden, lr, epochs, batch
        self.drift = ReferenceDrift()

    def build(self, d_in):
        model = nn.Sequential(nn.Linear(d_in, self.hidden), nn.SiLU(), nn.Linear(self.hidden, 1))
        return model, torch.optim.AdamW(model.parameters(), lr=self.lr)

    def run_fold(self, fold, x, y, train, val):
        model, opt = self.build(x.shape[1])
        step = 0
        for _ in range(self.epochs):
            for idx in train[torch.randperm(len(train))].split(self.batch):
                logit = model(x[idx]).squeeze(1)
                loss = nn.functional.binary_cross_entropy_with_logits(logit, y[idx])
                opt.zero_grad()
                loss.backward()
                opt.step()
                self.drift.measure(fold, step, model)
                step += 1
        self.drift.end_fold(model)
        model.eval()
        with torch.no_grad():
            hits = ((model(x[val]).squeeze(1) > 0) == (y[val] > 0.5)).float().mean()
        print(f"fold {fold}: loss {loss.item():.4f} acc {hits.item():.3f}")
        return hits.item()
