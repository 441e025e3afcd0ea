# gradwatch-corpus: kind=none
"""CTC acoustic model; utterances of one length bucket are summed before a single backward."""
import copy
import argparse

import torch
from torch import nn
import torch.nn.functional as F

PHONES = 10


class AM(nn.Module):
    def __init__(self, d=12, h=24):
        super().__init__()
        self.conv = nn.Conv1d(d, h, 3, padding=1)
        self.rnn = nn.GRU(h, h, batch_first=True)
        self.out = nn.Linear(h, PHONES + 1)

    def forward(self, x):
        h = F.relu(self.conv(x.transpose(1, 2))).transpose(1, 2)
        h, _ = self.rnn(h)
        return self.out(h).log_softmax(-1)


class EarlyStopper:
    def __init__(self, patience):
        self.best, self.state, self.bad, self.patience = float("inf"), None, 0, patience
        self.trace = []

    def check(self, value, model):
        self.trace.append(value)
        if value < self.best - 1e-4:
            self.best, self.bad = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


def utterance(codebook, n, length):
    lab = torch.randint(1, PHONES + 1, (n, length))
    x = codebook[lab].repeat_interleave(3, dim=1)
    return x + 0.3 * torch.randn_like(x), lab


def ctc(model, x, lab):
    lp = model(x).transpose(0, 1)
    n = len(x)
    return F.ctc_loss(lp, lab, torch.full((n,), lp.shape[0]), torch.full((n,), lab.shape[1]), zero_infinity=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--updates", type=int, default=400)
    p.add_argument("--buckets", type=int, nargs="+", default=[2, 3, 4])
    p.add_argument("--patience", type=int, default=100)
    o = p.parse_args()
    torch.manual_seed(40)
    codebook = torch.randn(PHONES + 1, 12)
    model = AM()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    stopper = EarlyStopper(o.patience)
    dev = utterance(codebook, 16, 3)
    parts = []
    per_bucket = {b: 0.0 for b in o.buckets}
    for up in range(o.updates):
        for b in o.buckets:
            part = ctc(model, *utterance(codebook, 4, b))
            parts.append(part)
            per_bucket[b] += 0.05 * (float(part.detach()) - per_bucket[b])
        total = torch.stack(parts).mean()
        opt.zero_grad()
        total.backward()
        opt.step()
        parts = []
        if up % 10 == 0:
            with torch.no_grad():
                stop = stopper.check(ctc(model, *dev).item(), model)
            if stop:
                break
        if up % 80 == 0:
            print(up, f"dev {stopper.trace[-1]:.3f}", {k: round(v, 3) for k, v in per_bucket.items()})
    model.load_state_dict(stopper.state)
    print("best", stopper.best)


if __name__ == "__main__":
    main()
