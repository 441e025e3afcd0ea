# gradwatch-corpus: kind=none
# Truncated BPTT for a turbine exhaust-temperature model, adapted from a forum
# answer (k1 / k2 version). k1 = every how many samples we call backward,
# K2 = how far back we go. The optimizer step is at the end of a block.
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)

K1 = 2
K2 = 6
BLOCK = 8
N_BLOCKS = 320


def plant(n_steps, batch=4):
    """fuel flow in, exhaust temperature out (2nd order lag, some dead time)"""
    temp = torch.zeros(batch, 1)
    rate = torch.zeros(batch, 1)
    past = [torch.zeros(batch, 1)] * 3
    for i in range(n_steps):
        fuel = torch.full((batch, 1), math.sin(i / 15)) + 0.3 * torch.randn(batch, 1)
        past = past[1:] + [fuel]
        rate = 0.7 * rate + 0.2 * (past[0] - temp)
        temp = temp + 0.5 * rate
        yield fuel, temp.clone()


class Cell(nn.Module):
    def __init__(self, hidden=10):
        super().__init__()
        self.hidden = hidden
        self.rnn = nn.GRUCell(1, hidden)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x, state):
        new = self.rnn(x, state)
        return self.head(new), new


class TBPTT:
    def __init__(self, cell, loss_fn, k1, k2):
        self.cell, self.loss_fn = cell, loss_fn
        self.k1, self.k2 = k1, k2
        self.opt = torch.optim.Adam(cell.parameters(), lr=5e-3)
        self.retain = k1 < k2

    def train(self, sequence, init):
        states = [(None, init)]
        losses = []
        for j, (x, y) in enumerate(sequence):
            state = states[-1][1].detach()
            state.requires_grad_()
            out, new_state = self.cell(x, state)
            states.append((state, new_state))
            while len(states) > self.k2:
                del states[0]  # throw away the oldest

            if (j + 1) % self.k1 == 0:
                loss = self.loss_fn(out, y)
                loss.backward(retain_graph=self.retain)
                for i in range(self.k2 - 1):
                    if len(states) < i + 2 or states[-i - 2][0] is None:
                        break
                    g = states[-i - 1][0].grad
                    states[-i - 2][1].backward(g, retain_graph=self.retain)
                for s, _ in states:
                    if s is not None:
                        s.grad = None
                losses.append(loss.item())

            if (j + 1) % BLOCK == 0:
                self.opt.step()
                self.opt.zero_grad()
                states = [(None, states[-1][1].detach())]
        return losses


cell = Cell()
trainer = TBPTT(cell, nn.MSELoss(), K1, K2)
curve = trainer.train(plant(BLOCK * N_BLOCKS), torch.zeros(4, cell.hidden))
chunk = len(curve) // 8
for c in range(8):
    part = curve[c * chunk:(c + 1) * chunk]
    print("part", c, "mse %.5f" % (sum(part) / len(part)))
