# gradwatch-corpus: kind=none
"""Adding problem; sequences get longer every update for most of the run."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(21)


class Curriculum:
    def __init__(self, start, stop, every):
        self.length, self.stop, self.every = start, stop, every
        self.seen = 0

    def advance(self):
        self.seen += 1
        if self.seen % self.every == 0 and self.length < self.stop:
            self.length += 1
        return self.length


class AdderRNN(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.inp = nn.Linear(2, width)
        self.rec = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)
        nn.init.eye_(self.rec.weight)
        self.trace = []

    def forward(self, seq):
        self.trace = []
        h = torch.zeros(seq.size(0), self.rec.out_features)
        for t in range(seq.size(1)):
            h = torch.relu(self.inp(seq[:, t]) + self.rec(h))
            self.trace.append(h)
        return self.out(h).squeeze(-1)

    def activity(self):
        return torch.stack(self.trace).pow(2).mean()


def make(n, length):
    values = torch.rand(n, length)
    marks = torch.zeros(n, length)
    first = torch.randint(0, length // 2, (n,))
    second = torch.randint(length // 2, length, (n,))
    rows = torch.arange(n)
    marks[rows, first] = 1
    marks[rows, second] = 1
    return torch.stack([values, marks], -1), (values * marks).sum(1)


model = AdderRNN()
opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
plan = Curriculum(4, 70, 3)
ema = None
history = []
for it in range(320):
    x, y = make(32, plan.advance())
    err = (model(x) - y).pow(2).mean()
    loss = err + 1e-4 * model.activity()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    now = err.detach()
    ema = now if ema is None else torch.lerp(ema, now, 0.05)
    history.append((plan.length, ema))
    if it % 40 == 0:
        print(f"{it:4d} length {plan.length:3d} mse {ema:.4f}")
print("final length", history[-1][0], "mse", float(history[-1][1]))
