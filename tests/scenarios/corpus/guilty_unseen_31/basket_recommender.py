# gradwatch-corpus: kind=memory-climb
# holder: self.store | recorder.store | self.store["scores"] | recorder.store["scores"]
# first-bad: 1
# notice: 80
"""Next-item recommender on synthetic shopping baskets; keeps what the merch
team needs for their calibration plots."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

N_ITEMS = 400
HIST = 6


def baskets(n, seed=31):
    g = torch.Generator().manual_seed(seed)
    aisle = torch.randint(20, (n,), generator=g)
    items = aisle[:, None] * 20 + torch.randint(20, (n, HIST + 1), generator=g)
    stray = torch.rand(n, HIST + 1, generator=g) < 0.15
    items[stray] = torch.randint(N_ITEMS, (int(stray.sum()),), generator=g)
    return TensorDataset(items[:, :-1], items[:, -1])


class BasketModel(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.emb = nn.Embedding(N_ITEMS, dim)
        nn.init.normal_(self.emb.weight, std=0.1)
        self.mix = nn.Linear(dim, dim)
        self.bias = nn.Parameter(torch.zeros(N_ITEMS))

    def forward(self, hist):
        u = torch.tanh(self.mix(self.emb(hist).mean(1)))
        return u @ self.emb.weight.T + self.bias


class CalibrationRecorder:
    def __init__(self, bins=10):
        self.bins = bins
        self.store = {"scores": [], "target": []}

    @torch.no_grad()
    def snapshot(self, logits):
        return logits.softmax(dim=1).clone()

    def add(self, logits, target):
        self.store["scores"].append(self.snapshot(logits))  # <- culprit
        self.store["target"].append(target)

    def table(self, last=20):
        p = torch.cat(self.store["scores"][-last:])
        y = torch.cat(self.store["target"][-last:])
        conf, pred = p.max(1)
        which = (conf * self.bins).long().clamp(max=self.bins - 1)
        rows = []
        for b in which.unique().tolist():
            m = which == b
            rows.append((b / self.bins, conf[m].mean().item(), (pred[m] == y[m]).float().mean().item()))
        return rows


def main():
    torch.manual_seed(31)
    loader = DataLoader(baskets(160 * 200), batch_size=160, shuffle=True)
    model = BasketModel()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    recorder = CalibrationRecorder()
    for step, (hist, nxt) in enumerate(loader):
        logits = model(hist)
        loss = F.cross_entropy(logits, nxt)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        recorder.add(logits, nxt)  # <- culprit
        if step % 50 == 0:
            print(f"step {step:3d}  ce {loss.item():.4f}")
    for lo, conf, acc in recorder.table():
        print(f"bin {lo:.1f}: confidence {conf:.3f} accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
