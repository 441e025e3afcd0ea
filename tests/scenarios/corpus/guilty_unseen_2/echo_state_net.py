# gradwatch-corpus: kind=graph-chain
# holder: self.state | esn.state | state
# first-bad: 1
"""Echo-state network with a fixed reservoir and a trained input scaling, run online over a stream."""
import math

import torch
import torch.nn as nn


class Reservoir(nn.Module):
    def __init__(self, n_in, n_res, rho=0.8):
        super().__init__()
        w = torch.randn(n_res, n_res)
        w = w * rho / torch.linalg.eigvals(w).abs().max()
        self.register_buffer("w", w)
        self.inp = nn.Linear(n_in, n_res, bias=False)
        self.state = None

    def step(self, u):
        if self.state is None:
            self.state = torch.zeros(u.size(0), self.w.size(0))
        self.state = torch.tanh(self.state @ self.w + self.inp(u))  # <- culprit
        return self.state


def stream(batch):
    ph, t = torch.rand(batch, 1) * math.tau, 0
    while True:
        yield torch.cat([torch.sin(0.2 * t + ph), torch.cos(0.31 * t + ph)], 1)
        t += 1


torch.manual_seed(17)
esn = Reservoir(2, 24)
readout = nn.Linear(24, 2)
opt = torch.optim.Adam([*esn.parameters(), *readout.parameters()], lr=3e-3)
src = stream(8)
cur = next(src)
for it in range(150):
    nxt = next(src)
    pred = readout(esn.step(cur))
    loss = (pred - nxt).square().mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    cur = nxt
    if it % 30 == 0:
        print(f"t={it} mse={loss.item():.5f}")
