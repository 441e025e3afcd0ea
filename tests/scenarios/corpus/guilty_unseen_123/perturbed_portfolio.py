# gradwatch-corpus: kind=second-backward
# holder: shadow.values | self.values | shadow
# first-bad: 2
# notice: 0
"""Portfolio policy with a proximal pull towards its own exponential average (functional_call on the shadow)."""
import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(14)


class Shadow:
    def __init__(self, policy, beta):
        self.policy, self.beta = policy, beta
        self.values = {n: p.detach().clone() for n, p in policy.named_parameters()}

    def refresh(self):
        live = dict(self.policy.named_parameters())
        self.values = {n: self.beta * v + (1 - self.beta) * live[n] for n, v in self.values.items()}  # <- culprit

    def __call__(self, x):
        return functional_call(self.policy, self.values, (x,))


def returns(n):
    factor = torch.randn(n, 2)
    load = torch.tensor([[1.0, 0.2, -0.4, 0.0], [0.0, 0.5, 0.6, -0.1]])
    return factor, 0.01 * (factor.roll(1, 0) @ load) + 0.01 * torch.randn(n, 4) + 0.001


policy = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 4), nn.Softmax(-1))
shadow = Shadow(policy, 0.98)
opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
for week in range(300):
    factor, ret = returns(26)
    w = policy(factor)
    pnl = (w * ret).sum(-1)
    sharpe = pnl.mean() / (pnl.std() + 1e-4)
    prox = (w - shadow(factor)).square().sum(-1).mean()
    opt.zero_grad()
    (-sharpe + 0.5 * prox).backward()
    opt.step()
    shadow.refresh()
    if week % 60 == 0:
        print(week, sharpe.item())
