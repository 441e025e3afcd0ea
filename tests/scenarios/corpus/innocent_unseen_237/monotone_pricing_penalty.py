# gradwatch-corpus: kind=none
"""Loan pricing net with a soft monotonicity penalty on the input gradient."""
import torch
from torch import nn

torch.manual_seed(6)

FEATURES = ["ltv", "dti", "score", "tenor", "amount", "relationship"]
INCREASING = [0, 1]
DECREASING = [2]
STEPS = 150


def quotes(n):
    x = torch.rand(n, len(FEATURES)) * 2 - 1
    spread = x[:, 0] ** 3 + 0.6 * x[:, 1] - 0.8 * x[:, 2] + 0.2 * torch.sin(4 * x[:, 3])
    return x, spread + 0.1 * torch.randn(n)


class PricingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(len(FEATURES), 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def monotone_penalty(net, x):
    x = x.clone().requires_grad_(True)
    price = net(x)
    (slope,) = torch.autograd.grad(price.sum(), x, create_graph=True)
    wrong_up = torch.relu(-slope[:, INCREASING]).pow(2).sum(1)
    wrong_down = torch.relu(slope[:, DECREASING]).pow(2).sum(1)
    violations = ((slope[:, INCREASING] < 0).float().mean()).item()
    return (wrong_up + wrong_down).mean(), violations


net = PricingNet()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
sheet = {"mse": [], "penalty": [], "violations": []}

for step in range(STEPS):
    x, spread = quotes(96)
    mse = nn.functional.mse_loss(net(x), spread)
    penalty, violations = monotone_penalty(net, x)
    opt.zero_grad()
    (mse + 5.0 * penalty).backward()
    opt.step()
    for k, v in zip(sheet, (mse.item(), penalty.item(), violations)):
        sheet[k].append(v)
    if step % 50 == 49:
        print(f"{step + 1}: " + ", ".join(f"{k}={v[-1]:.4f}" for k, v in sheet.items()))
