# gradwatch-corpus: kind=none
"""k1 = 1, k2 = 8: at every time step the loss is pushed back through the last eight cells.

The (input state, output state) pairs are kept in a list so that the gradient can be handed on from
one cell to the one before; nothing passes the oldest pair.
"""
import torch
import torch.nn as nn


class PlainSGD(torch.optim.Optimizer):
    """Works on .data, as in the original code base."""

    def __init__(self, params, lr, clip):
        super().__init__(params, dict(lr=lr, clip=clip))

    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is not None:
                    p.data -= g["lr"] * p.grad.data.clamp(-g["clip"], g["clip"])


class Tbptt:
    def __init__(self, cell, readout, k1, k2, optim):
        self.cell, self.readout = cell, readout
        self.k1, self.k2 = k1, k2
        self.optim = optim
        self.loss_fn = nn.MSELoss()
        self.retain = k1 < k2
        self.pairs = []
        self.averages = []

    def start(self, state):
        self.pairs = [(None, state)]

    def feed(self, t, x, y):
        state = self.pairs[-1][1].detach()
        state.requires_grad_()
        new = self.cell(x, state)
        self.pairs.append((state, new))
        while len(self.pairs) > self.k2:
            del self.pairs[0]
        if (t + 1) % self.k1:
            return None
        loss = self.loss_fn(self.readout(new), y)
        self.optim.zero_grad()
        loss.backward(retain_graph=self.retain)
        for i in range(self.k2 - 1):
            if len(self.pairs) < i + 2 or self.pairs[-i - 2][0] is None:
                break
            g = self.pairs[-i - 1][0].grad
            self.pairs[-i - 2][1].backward(g, retain_graph=self.retain)
        for inp, _ in self.pairs:
            if inp is not None:
                inp.grad = None
        self.optim.step()
        self.averages.append(loss.detach())
        return loss


def echo_signal(n, lag, batch):
    """Target is the input `lag` steps ago plus a slow oscillation."""
    x = torch.randn(n, batch, 1)
    t = torch.arange(n).view(-1, 1, 1)
    y = torch.roll(x, lag, 0) * 0.8 + 0.2 * torch.sin(0.1 * t)
    y[:lag] = 0
    return x, y


def main():
    torch.set_num_threads(1)
    torch.manual_seed(4)
    cell, readout = nn.GRUCell(1, 16), nn.Linear(16, 1)
    optim = PlainSGD([*cell.parameters(), *readout.parameters()], lr=0.02, clip=0.5)
    runner = Tbptt(cell, readout, 1, 8, optim)
    runner.start(torch.zeros(8, 16))
    for t, (x, y) in enumerate(zip(*echo_signal(400, 3, 8))):
        runner.feed(t, x, y)
        if (t + 1) % 80 == 0:
            print(f"t={t + 1} loss {torch.stack(runner.averages[-80:]).mean():.4f} kept {len(runner.pairs)} pairs")


main()
