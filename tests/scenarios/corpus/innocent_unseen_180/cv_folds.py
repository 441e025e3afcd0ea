# gradwatch-corpus: kind=none
"""Cross-validation of an ordinal regressor; each fold has its own trainer and history."""
import torch
import torch.nn.functional as F
from torch import nn


class OrdinalNet(nn.Module):
    def __init__(self, n_in, n_levels):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(n_in, 24), nn.Tanh(), nn.Linear(24, 1))
        self.cuts = nn.Parameter(torch.linspace(-1, 1, n_levels - 1))

    def forward(self, x):
        return self.f(x) - self.cuts


def ordinal_loss(logits, y):
    levels = torch.arange(logits.size(1))
    return F.binary_cross_entropy_with_logits(logits, (y.unsqueeze(1) > levels).float())


class FoldTrainer:
    def __init__(self, fold, train, valid):
        self.fold = fold
        self.train_set, self.valid_set = train, valid
        self.model = OrdinalNet(7, 5)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=8e-3)
        self.history = []
        self.margins = {}

    def epoch(self, n):
        x, y = self.train_set
        for idx in torch.randperm(len(x)).split(20):
            logits = self.model(x[idx])
            loss = ordinal_loss(logits, y[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.history.append(loss)
        self.margins[n] = logits.abs().amin(dim=1)

    def report(self):
        n = len(self.history)
        first = torch.stack(self.history[: n // 4]).mean().item()
        last = torch.stack(self.history[-n // 4:]).mean().item()
        with torch.no_grad():
            x, y = self.valid_set
            mae = ((self.model(x) > 0).sum(1) - y).abs().float().mean().item()
        return {"fold": self.fold, "first": first, "last": last, "mae": mae,
                "margin": self.margins[max(self.margins)].mean().item()}


def main():
    torch.manual_seed(61)
    w = torch.randn(7)
    x = torch.randn(240, 7)
    score = x @ w + 0.3 * torch.randn(240)
    y = torch.bucketize(score, torch.quantile(score, torch.tensor([0.2, 0.4, 0.6, 0.8])))
    k = 8
    folds = torch.randperm(240).chunk(k)
    results = []
    for i in range(k):
        held = folds[i]
        rest = torch.cat([f for j, f in enumerate(folds) if j != i])
        trainer = FoldTrainer(i, (x[rest], y[rest]), (x[held], y[held]))
        for e in range(6):
            trainer.epoch(e)
        results.append(trainer.report())
        print(" ".join(f"{a}={b:.3f}" if isinstance(b, float) else f"{a}={b}" for a, b in results[-1].items()))
    print("cv mae", sum(r["mae"] for r in results) / k)


if __name__ == "__main__":
    main()
