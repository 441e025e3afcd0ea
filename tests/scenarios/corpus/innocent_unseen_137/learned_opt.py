# gradwatch-corpus: kind=none
"""An LSTM that optimises small quadratics, trained over unrolls of eight steps."""
import torch
from torch import nn

torch.set_num_threads(1)

UNROLL = 8


class Coordinatewise(nn.Module):
    def __init__(self, hid=10):
        super().__init__()
        self.cell = nn.LSTMCell(2, hid)
        self.out = nn.Linear(hid, 1)
        self.hid = hid

    def fresh(self, n):
        return torch.zeros(n, self.hid), torch.zeros(n, self.hid)

    def forward(self, g, mem):
        feats = torch.stack([g.sign() * (g.abs() + 1e-6).log() / 10, g], 1)
        h, c = self.cell(feats, mem)
        return 0.1 * self.out(h).squeeze(1), (h, c)


class Quadratic:
    def __init__(self, n=6):
        self.A, self.b = torch.randn(n, n) / n ** 0.5, torch.randn(n)
        self.theta = torch.randn(n)

    def f(self, th):
        return (self.A @ th - self.b).square().sum()

    def slope(self, th):
        return 2 * self.A.T @ (self.A @ th - self.b)


def meta_epoch(rule, opt, windows=10):
    prob = Quadratic()
    theta, mem = prob.theta, rule.fresh(len(prob.theta))
    first = prob.f(theta).item()
    for _ in range(windows):
        traj = []
        for _ in range(UNROLL):
            upd, mem = rule(prob.slope(theta.detach()), mem)
            theta = theta + upd
            traj.append(prob.f(theta))
        loss = torch.stack(traj).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(rule.parameters(), 1.0)
        opt.step()
        theta = theta.detach()
        mem = tuple(m.detach() for m in mem)
    return prob.f(theta).item() / first


torch.manual_seed(14)
rule = Coordinatewise()
opt = torch.optim.Adam(rule.parameters(), 3e-3)
for e in range(45):
    ratio = meta_epoch(rule, opt)
    if e % 9 == 0:
        print(e, f"final / initial {ratio:.3f}")
