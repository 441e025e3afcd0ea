# gradwatch-corpus: kind=none
"""Semi-supervised tabular classification: temporal ensembling, weight EMA, early stopping."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Indexed(Dataset):
    def __init__(self, x, y, labelled):
        self.x, self.y, self.labelled = x, y, labelled

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return i, self.x[i], self.y[i], self.labelled[i]


class EnsembleTargets:
    """Moving average of the predictions for each training sample."""

    def __init__(self, n, classes, alpha=0.6):
        self.Z = torch.zeros(n, classes)
        self.z = torch.zeros(n, classes)
        self.alpha = alpha
        self.epoch = 0
        self.outputs = []

    def remember(self, idx, probs):
        self.outputs.append((idx, probs.detach()))

    def end_epoch(self):
        self.epoch += 1
        for idx, p in self.outputs:
            self.Z[idx] = self.alpha * self.Z[idx] + (1 - self.alpha) * p
        self.z = self.Z / (1 - self.alpha ** self.epoch)
        self.outputs.clear()


class WeightEMA:
    def __init__(self, model, decay=0.97):
        self.shadow = copy.deepcopy(model).requires_grad_(False).eval()
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


class EarlyStop:
    def __init__(self, patience):
        self.patience, self.bad = patience, 0
        self.best, self.best_state, self.seen = None, None, []

    def step(self, score, model):
        self.seen.append(score)
        if self.best is None or score > self.best:
            self.best, self.bad = score, 0
            self.best_state = {k: v.clone() for k, v in model.state_dict().items()}
        else:
            self.bad += 1
        return self.bad >= self.patience


def two_spirals(n, noise=0.12):
    y = torch.arange(n) % 2
    r = torch.rand(n) * 3 + 0.3
    a = r * 1.8 + y * 3.1416
    return torch.stack([r * a.cos(), r * a.sin()], 1) + noise * torch.randn(n, 2), y


def main():
    torch.manual_seed(21)
    x, y = two_spirals(1024)
    xv, yv = two_spirals(400)
    labelled = torch.rand(len(x)) < 0.15
    loader = DataLoader(Indexed(x, y, labelled), batch_size=64, shuffle=True)
    model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    targets, ema, stop = EnsembleTargets(len(x), 2), WeightEMA(model), EarlyStop(patience=5)

    for epoch in range(12):
        ramp = min(1.0, epoch / 6)
        total = torch.zeros(())
        for idx, xb, yb, mask in loader:
            logits = model(xb + 0.05 * torch.randn_like(xb))
            probs = logits.softmax(1)
            loss = ramp * F.mse_loss(probs, targets.z[idx])
            if mask.any():
                loss = loss + F.cross_entropy(logits[mask], yb[mask])
            opt.zero_grad()
            loss.backward()
            opt.step()
            ema.update(model)
            targets.remember(idx, probs)
            with torch.no_grad():
                total += loss
        targets.end_epoch()
        with torch.no_grad():
            acc = (ema.shadow(xv).argmax(1) == yv).float().mean()
        print(f"epoch {epoch:2d} loss {total.item() / len(loader):.4f} ema acc {acc:.3f}")
        if stop.step(acc, ema.shadow):
            break
    print("best %.3f over %d epochs" % (stop.best, len(stop.seen)))


if __name__ == "__main__":
    main()
