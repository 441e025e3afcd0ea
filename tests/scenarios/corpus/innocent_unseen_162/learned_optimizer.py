# gradwatch-corpus: kind=none
"""Learning to learn: an LSTM proposes the updates of an optimizee; unrolls of growing length, cut between them."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(4)
DIM = 10


class CoordLSTM(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.cell = nn.LSTMCell(2, hidden)
        self.out = nn.Linear(hidden, 1)

    def start(self):
        h = torch.zeros(DIM, self.cell.hidden_size)
        return h, h.clone()

    def forward(self, grad, carry):
        feats = torch.stack([grad.sign(), grad.abs().clamp(min=1e-6).log() / 10], -1)
        carry = self.cell(feats, carry)
        return 0.1 * self.out(carry[0]).squeeze(-1), carry


class Quadratic:
    def __init__(self):
        self.W, self.y = torch.randn(DIM, DIM) / DIM ** 0.5, torch.randn(DIM)

    def __call__(self, theta):
        return (self.W @ theta - self.y).pow(2).sum()


class Run:
    """One optimizee in training; lives for several unrolls."""

    def __init__(self, rule, life):
        self.rule, self.life, self.age = rule, life, 0
        self.f = Quadratic()
        self.theta = torch.randn(DIM, requires_grad=True)
        self.carry = rule.start()
        self.losses = []

    def advance(self):
        loss = self.f(self.theta)
        (g,) = torch.autograd.grad(loss, self.theta, retain_graph=True)
        delta, self.carry = self.rule(g, self.carry)
        self.theta = self.theta + delta
        self.losses.append(loss)
        self.age += 1

    def cut(self):
        self.theta = self.theta.detach().requires_grad_()
        self.carry = tuple(c.detach() for c in self.carry)
        self.losses = []

    @property
    def done(self):
        return self.age >= self.life


rule = CoordLSTM()
meta_opt = torch.optim.Adam(rule.parameters(), lr=3e-3)
finals = []
run = Run(rule, life=40)
unroll = 3
for it in range(160):
    for _ in range(unroll):
        run.advance()
    meta = torch.stack(run.losses + [run.f(run.theta)]).log1p().mean()
    meta_opt.zero_grad()
    meta.backward()
    nn.utils.clip_grad_norm_(rule.parameters(), 1.0)
    meta_opt.step()
    run.cut()
    if run.done:
        with torch.no_grad():
            finals.append(run.f(run.theta))
        run = Run(rule, life=40 + 10 * (len(finals) % 3))
    unroll = min(3 + it // 8, 14)
    if it % 20 == 0:
        print(f"{it:4d} unroll {unroll} meta {meta.item():.3f} finished {len(finals)}")
print("last finals", [round(f.item(), 2) for f in finals[-5:]])
