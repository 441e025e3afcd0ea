# gradwatch-corpus: kind=none
"""Fine-grained logging for a CTR model with a ledger of the latest iterations by step number."""
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(55)

FIELDS = {"site": 30, "device": 6, "hour": 24}


class Ledger(OrderedDict):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.by_field = {}

    def __setitem__(self, step, row):
        super().__setitem__(step, row)
        while len(self) > self.size:
            _, old = self.popitem(last=False)
            for name in old["reg"]:
                self.by_field[name].pop(0)
        for name, v in row["reg"].items():
            self.by_field.setdefault(name, []).append(v)

    def last(self, n):
        return list(self.values())[-n:]


class FieldNet(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.emb = nn.ModuleDict({f: nn.Embedding(n, dim) for f, n in FIELDS.items()})
        self.deep = nn.Sequential(nn.Linear(dim * len(FIELDS), 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, batch):
        e = {f: self.emb[f](batch[f]) for f in FIELDS}
        fm = sum(e.values()).square().sum(-1) - sum(v.square().sum(-1) for v in e.values())
        logit = self.deep(torch.cat(list(e.values()), -1)).squeeze(-1) + 0.5 * fm
        return logit, {f: v.square().mean() for f, v in e.items()}


class Clicks:
    def __init__(self):
        self.bias = {f: torch.randn(n) for f, n in FIELDS.items()}

    def draw(self, n=64):
        b = {f: torch.randint(k, (n,)) for f, k in FIELDS.items()}
        score = sum(self.bias[f][i] for f, i in b.items()) - 1.0
        return b, torch.bernoulli(torch.sigmoid(score))


def main():
    clicks, net = Clicks(), FieldNet()
    opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
    ledger = Ledger(size=10)
    for step in range(500):
        batch, y = clicks.draw()
        logit, reg = net(batch)
        bce = F.binary_cross_entropy_with_logits(logit, y)
        loss = bce + 1e-3 * sum(reg.values())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 3 == 0 or step % 100 == 99:
            ledger[step] = {"bce": bce, "reg": reg, "loss": loss}
        if step % 100 == 99:
            recent = torch.stack([r["bce"] for r in ledger.last(5)]).mean().item()
            widths = {f: len(v) for f, v in ledger.by_field.items()}
            norms = {f: round(v[-1].item(), 4) for f, v in ledger.by_field.items()}
            print(step + 1, f"{recent:.4f}", norms, widths)


if __name__ == "__main__":
    main()
