# gradwatch-corpus: kind=graph-held
# holder: self._generated | hyper._generated
# first-bad: 1
# notice: 8
import torch
from torch import nn

torch.set_num_threads(1)


class HyperNet(nn.Module):
    """Weights of a small regression net from a task code."""

    def __init__(self, code_dim, d_in, d_hid):
        super().__init__()
        self.shapes = [(d_hid, d_in), (d_hid,), (1, d_hid), (1,)]
        self.sizes = [int(torch.tensor(s).prod()) for s in self.shapes]
        self.gen = nn.Sequential(nn.Linear(code_dim, 24), nn.GELU(), nn.Linear(24, sum(self.sizes)))
        self._generated = {}

    def weights(self, code):
        key = tuple(code.tolist())
        if key not in self._generated:
            flat = 0.3 * self.gen(code)
            parts = [p.view(s) for p, s in zip(flat.split(self.sizes), self.shapes)]
            self._generated[key] = parts  # <- culprit
        return self._generated[key]

    def forward(self, code, x):
        w1, b1, w2, b2 = self.weights(code)
        return torch.tanh(x @ w1.T + b1) @ w2.T + b2


def sample_task(gen):
    amp, phase = torch.rand(2, generator=gen)
    return torch.stack([amp * 2 + 0.1, phase * 3.14])


def run(n_iter=280):
    torch.manual_seed(8)
    gen = torch.Generator().manual_seed(80)
    hyper = HyperNet(2, 1, 10)
    opt = torch.optim.Adam(hyper.parameters(), lr=2e-3)
    for i in range(n_iter):
        code = sample_task(gen)
        x = torch.rand(20, 1, generator=gen) * 6 - 3
        y = code[0] * torch.sin(x + code[1])
        fit = (hyper(code, x) - y).pow(2).mean()
        smooth = (hyper(code, x + 0.01) - hyper(code, x)).pow(2).mean()
        obj = fit + smooth
        opt.zero_grad()
        obj.backward()
        opt.step()
        if i % 70 == 0:
            print(i, float(fit))


run()
