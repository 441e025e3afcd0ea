# gradwatch-corpus: kind=graph-held
# holder: self.keys | bank.keys | self.bank.keys | model.bank.keys | keys
# first-bad: 1
"""Contrastive pretraining on tabular data with a negatives bank (XBM style)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

CFG = dict(dim=24, proj=16, batch=32, window=8, tau=0.2, iters=140, seed=11)


class Bank:
    """Projections of past batches, the most recent `window` batches serve as negatives."""

    def __init__(self, window):
        self.window = window
        self.keys = []

    def push(self, z):
        self.keys.append(z)  # <- culprit

    def negatives(self):
        if not self.keys:
            return None
        with torch.no_grad():
            return torch.cat(self.keys[-self.window:], dim=0)


class Contrastive(nn.Module):
    def __init__(self, dim, proj, window):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(dim, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 32))
        self.projector = nn.Linear(32, proj)
        self.bank = Bank(window)

    def embed(self, x):
        return F.normalize(self.projector(self.backbone(x)), dim=-1)

    def forward(self, a, b, tau):
        q, k = self.embed(a), self.embed(b)
        pos = (q * k).sum(-1, keepdim=True)
        neg = self.bank.negatives()
        if neg is None:
            neg = k.roll(1, 0)
        logits = torch.cat([pos, q @ neg.t()], dim=1) / tau
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.bank.push(k)  # <- culprit
        return loss


def corrupt(x, p=0.3):
    mask = torch.rand_like(x) < p
    return torch.where(mask, x[torch.randperm(len(x))], x)


def main():
    torch.manual_seed(CFG["seed"])
    torch.set_num_threads(1)
    centers = torch.randn(10, CFG["dim"]) * 2
    model = Contrastive(CFG["dim"], CFG["proj"], CFG["window"])
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for it in range(CFG["iters"]):
        x = centers[torch.randint(0, 10, (CFG["batch"],))] + torch.randn(CFG["batch"], CFG["dim"])
        loss = model(corrupt(x), corrupt(x), CFG["tau"])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if it % 20 == 0:
            print(it, round(loss.item(), 4))


main()
