# gradwatch-corpus: kind=none
"""Fraud scoring with epoch metrics over all training predictions."""
import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(33)


class EpochRecord:
    def __init__(self):
        self.scores, self.labels, self.hidden = [], [], []

    def update(self, logits, labels, hidden):
        self.scores.append(logits.detach().sigmoid())
        self.labels.append(labels)
        self.hidden.append(hidden.detach().clone())

    def compute(self):
        scores = torch.cat(self.scores).numpy()
        labels = torch.cat(self.labels).numpy()
        hidden = torch.cat(self.hidden)
        dead = (hidden.amax(0) <= 0).float().mean().item()
        return auc(scores, labels), dead, hidden.std(0).mean().item()

    def reset(self):
        self.scores.clear()
        self.labels.clear()
        self.hidden.clear()


def auc(scores, labels):
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores)] = np.arange(1, len(scores) + 1)
    pos = labels > 0.5
    n_pos, n_neg = pos.sum(), (~pos).sum()
    return (ranks[pos].sum() - n_pos * (n_pos + 1) / 2) / (n_pos * n_neg)


class Scorer(nn.Module):
    def __init__(self, dim=30, width=256):
        super().__init__()
        self.hide = nn.Sequential(nn.Linear(dim, width), nn.ReLU())
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = self.hide(x)
        return self.out(h).squeeze(1), h


def rows(gen, weight, batches, size):
    for _ in range(batches):
        x = torch.randn(size, len(weight), generator=gen)
        risk = x @ weight + x[:, 0] * x[:, 1] - 2
        yield x, (risk + 0.5 * torch.randn(size, generator=gen) > 0).float()


def main(epochs=8, batches=18, size=768):
    gen = torch.Generator().manual_seed(5)
    weight = torch.randn(30, generator=gen) * 0.3
    net = Scorer()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    lossfn = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(3.0))
    record = EpochRecord()
    history = []
    for epoch in range(epochs):
        for x, y in rows(gen, weight, batches, size):
            logits, hidden = net(x)
            loss = lossfn(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            record.update(logits, y, hidden)
        area, dead, spread = record.compute()
        record.reset()
        history.append(area)
        print(f"epoch {epoch} auc {area:.4f} dead units {dead:.2f} spread {spread:.3f}")
    print("best", max(history))


if __name__ == "__main__":
    main()
