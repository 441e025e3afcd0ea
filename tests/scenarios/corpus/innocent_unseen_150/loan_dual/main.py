# gradwatch-corpus: kind=none
"""Loan approval under a parity constraint; the multipliers rise once an epoch."""
import torch
from torch import nn

from duals import Multipliers, EpochLedger
from applicants import applicants

torch.manual_seed(23)
torch.set_num_threads(1)


def gaps(p, group):
    overall = p.mean()
    return torch.stack([(p[group == g].mean() - overall).abs() for g in range(3)])


def main():
    net = nn.Sequential(nn.Linear(9, 24), nn.ReLU(), nn.Linear(24, 1))
    duals = Multipliers(3)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    ascent = torch.optim.SGD(duals.parameters(), lr=0.5, maximize=True)
    for epoch in range(5):
        ledger = EpochLedger()
        for x, y, group in applicants(30, 64):
            logit = net(x).squeeze(-1)
            gap = gaps(torch.sigmoid(logit), group)
            task = nn.functional.binary_cross_entropy_with_logits(logit, y)
            loss = task + (duals.value().detach() * gap).sum()
            opt.zero_grad()
            loss.backward()
            opt.step()
            ledger.enter(duals.penalty(gap), task)
        ascent.zero_grad()
        ledger.mean_penalty().backward()
        ascent.step()
        print(epoch, f"{ledger.mean_task():.4f}", [round(v, 3) for v in duals.value().tolist()])


if __name__ == "__main__":
    main()
