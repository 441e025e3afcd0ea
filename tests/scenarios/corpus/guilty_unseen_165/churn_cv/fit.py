import torch
import torch.nn as nn

from .data import iterate


def build_model(cols, hidden):
    return nn.Sequential(nn.Linear(cols, hidden), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))


class Fitter:
    def __init__(self, cols, hidden=24, lr=3e-3, epochs=8):
        self.model = build_model(cols, hidden)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.loss_fn = nn.BCEWithLogitsLoss()
        self.epochs = epochs

    def train_epoch(self, x, y):
        self.model.train()
        for xb, yb in iterate(x, y, 40, True):
            self.opt.zero_grad()
            loss = self.loss_fn(self.model(xb).squeeze(1), yb)
            loss.backward()
            self.opt.step()

    def validate(self, x, y):  # <- culprit
        self.model.eval()
        total, hits = 0.0, 0
        for xb, yb in iterate(x, y, 20, False):  # <- culprit
            out = self.model(xb).squeeze(1)  # <- culprit
            total += self.loss_fn(out, yb).item() * len(yb)
            hits += ((out > 0).float() == yb).sum().item()
        return total / len(y), hits / len(y)

    def run(self, train, val):
        best = (float("inf"), 0.0)
        for _ in range(self.epochs):
            self.train_epoch(*train)
            best = min(best, self.validate(*val))  # <- culprit
        return best
