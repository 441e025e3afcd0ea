# gradwatch-corpus: kind=none
"""TBPTT(k1, k2) on an echo task: every k1 steps an error is walked back over the last k2 steps.
Windows overlap inside a sequence; the weights move once a sequence."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(73)


class TBPTT:
    def __init__(self, cell, readout, k1, k2):
        self.cell, self.readout, self.k1, self.k2 = cell, readout, k1, k2

    def sequence(self, xs, ys):
        states = [(None, torch.zeros(4, 9))]
        total = 0.0
        for t, (x, y) in enumerate(zip(xs, ys)):
            start = states[-1][1].detach().requires_grad_()
            states.append((start, self.cell(x, start)))
            while len(states) > self.k2:
                del states[0]
            if (t + 1) % self.k1:
                continue
            loss = (self.readout(states[-1][1]) - y).pow(2).mean()
            more = self.k1 < self.k2 and t + 1 < len(xs)
            loss.backward(retain_graph=more)
            for i in range(len(states) - 1):
                if states[-i - 2][0] is None:
                    break
                states[-i - 2][1].backward(states[-i - 1][0].grad, retain_graph=more)
            for s, _ in states:
                if s is not None:
                    s.grad = None
            total += loss.item()
        return total


trainer = TBPTT(nn.RNNCell(1, 9), nn.Linear(9, 1), k1=2, k2=5)
opt = torch.optim.Adam([*trainer.cell.parameters(), *trainer.readout.parameters()], lr=5e-3)
for k in range(430):
    u = torch.rand(12, 4, 1)
    opt.zero_grad()
    err = trainer.sequence(u, u.roll(2, 0))
    opt.step()
    if k % 100 == 0:
        print(k, f"{err:.4f}")
