# gradwatch-corpus: kind=crashed
# first-bad: 21
import torch
from torch import nn
from torch.nn import functional as F

from freezing import frozen
from probes import Probe, every


class Denoiser(nn.Module):
    def __init__(self, dim=20, width=32):
        super().__init__()
        self.enc = nn.Linear(dim, width)
        self.dec = nn.Linear(width, dim)

    def forward(self, x):
        return self.dec(torch.relu(self.enc(x)))


class InputSensitivity(Probe):
    def measure(self, model, x):
        x = x.clone().requires_grad_(True)
        with frozen(model):
            grad, = torch.autograd.grad(model(x).pow(2).sum(), x)
        return grad.norm(dim=1).mean().item()


class Fit:
    def __init__(self, seed):
        torch.manual_seed(seed)
        self.gen = torch.Generator().manual_seed(seed)
        self.model = Denoiser()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.probe = InputSensitivity()
        self.subspace = torch.randn(4, 20, generator=self.gen)

    def batch(self):
        clean = torch.randn(32, 4, generator=self.gen) @ self.subspace
        return clean + 0.4 * torch.randn(32, 20, generator=self.gen), clean

    def step(self, i):
        noisy, clean = self.batch()
        loss = F.mse_loss(self.model(noisy), clean)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        if every(20, i):
            self.probe(i, self.model, noisy)
        return loss.item()


if __name__ == "__main__":
    fit = Fit(seed=12)
    for i in range(400):
        fit.step(i)
    print(fit.probe.series)
