# gradwatch-corpus: kind=none
"""ICU deterioration score. A per-bed table remembers the latest risk of every bed; the
night nurse's board is printed from it."""
import torch
from torch import nn

BEDS = 36


class RiskNet(nn.Module):
    def __init__(self, vitals=9, hidden=20):
        super().__init__()
        self.body = nn.Sequential(nn.LayerNorm(vitals), nn.Linear(vitals, hidden), nn.SiLU())
        self.risk = nn.Linear(hidden, 1)

    def forward(self, v):
        return self.risk(self.body(v)).squeeze(-1)


class Board:
    def __init__(self):
        self.latest = {}

    def update(self, bed, logit):
        self.latest[bed] = logit

    def top(self, n=3):
        rows = sorted(self.latest.items(), key=lambda kv: kv[1].max().item(), reverse=True)
        return [(bed, round(torch.sigmoid(v.max()).item(), 3)) for bed, v in rows[:n]]

    def discharge(self, bed):
        self.latest.pop(bed, None)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1001)
    w = torch.randn(9) / 3
    severity = torch.randn(BEDS)
    net, board = RiskNet(), Board()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    bce = nn.BCEWithLogitsLoss()
    for tick in range(620):
        bed = int(torch.randint(BEDS, ()))
        v = torch.randn(12, 9) + 0.3 * severity[bed]
        y = (v @ w + 0.3 * torch.randn(12) > 0).float()
        logit = net(v)
        loss = bce(logit, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        board.update(bed, logit)
        if torch.rand(()) < 0.03:
            board.discharge(int(torch.randint(BEDS, ())))
        if tick % 124 == 123:
            print(tick + 1, f"{loss.item():.3f}", board.top())


if __name__ == "__main__":
    main()
