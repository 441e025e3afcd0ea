# gradwatch-corpus: kind=graph-held
# holder: self.y_pred | meter.y_pred
# first-bad: 1
"""Solubility from fragment counts. Regression, R2 reported over everything seen so far."""
import torch
from torch import nn

torch.manual_seed(42)

FRAGMENTS = ["OH", "NH2", "COOH", "CH3", "Ph", "Cl", "F", "CN", "NO2", "SO2"]


class FragmentSampler:
    def __init__(self):
        self.contrib = torch.randn(len(FRAGMENTS))
        self.pair = 0.2 * torch.randn(len(FRAGMENTS), len(FRAGMENTS))

    def __call__(self, n):
        counts = torch.poisson(torch.full((n, len(FRAGMENTS)), 1.2))
        inter = torch.einsum("bi,ij,bj->b", counts, self.pair, counts)
        logs = counts @ self.contrib + 0.1 * inter
        logs = logs + 0.1 * torch.randn(n)
        return counts, logs.unsqueeze(1)


class R2Meter:
    def __init__(self):
        self.y_true = torch.empty(0, 1)
        self.y_pred = torch.empty(0, 1)

    def add(self, y_true, y_pred):
        self.y_true = torch.cat([self.y_true, y_true])
        self.y_pred = torch.cat([self.y_pred, y_pred])  # <- culprit

    def value(self):
        with torch.no_grad():
            res = (self.y_true - self.y_pred).pow(2).sum()
            tot = (self.y_true - self.y_true.mean()).pow(2).sum()
            return 1.0 - (res / tot).item()


class SolNet(nn.Module):
    def __init__(self, d_in, d_hidden=64):
        super().__init__()
        self.inp = nn.Linear(d_in, d_hidden)
        self.blocks = nn.ModuleList([nn.Linear(d_hidden, d_hidden) for _ in range(3)])
        self.norm = nn.LayerNorm(d_hidden)
        self.out = nn.Linear(d_hidden, 1)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        for block in self.blocks:
            h = h + torch.relu(block(self.norm(h)))
        return self.out(h)


sampler = FragmentSampler()
net = SolNet(len(FRAGMENTS))
optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
criterion = nn.HuberLoss()
meter = R2Meter()
best = -1e9

for it in range(150):
    x, y = sampler(48)
    pred = net(x)
    loss = criterion(pred, y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    meter.add(y, pred)  # <- culprit
    if it % 30 == 29:
        r2 = meter.value()
        if r2 > best:
            best = r2
        print(f"[{it + 1}] huber={loss.item():.3f} r2={r2:.3f} best={best:.3f}")
