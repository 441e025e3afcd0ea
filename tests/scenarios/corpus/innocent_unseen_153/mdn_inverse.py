# gradwatch-corpus: kind=none
"""Mixture density network for the inverse sine problem (Bishop ch. 5)."""
import math

import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(54)


class MDN(nn.Module):
    def __init__(self, n_hidden, n_gaussians):
        super().__init__()
        self.z_h = nn.Sequential(nn.Linear(1, n_hidden), nn.Tanh())
        self.z_pi = nn.Linear(n_hidden, n_gaussians)
        self.z_sigma = nn.Linear(n_hidden, n_gaussians)
        self.z_mu = nn.Linear(n_hidden, n_gaussians)

    def forward(self, x):
        h = self.z_h(x)
        return torch.log_softmax(self.z_pi(h), -1), self.z_mu(h), self.z_sigma(h)


def nll(y, log_pi, mu, log_sigma):
    z = (y - mu) / log_sigma.exp()
    comp = -0.5 * z ** 2 - log_sigma - 0.5 * math.log(2 * math.pi)
    return -torch.logsumexp(log_pi + comp, 1).mean()


def generate(n):
    d = np.random.default_rng(0)
    y = d.uniform(-10.5, 10.5, (n, 1))
    x = 7 * np.sin(0.75 * y) + 0.5 * y + d.normal(size=(n, 1))
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)


@torch.no_grad()
def sample(net, x):
    log_pi, mu, log_sigma = net(x)
    k = torch.multinomial(log_pi.exp(), 1)
    return mu.gather(1, k) + log_sigma.exp().gather(1, k) * torch.randn(len(x), 1)


class Progress:
    def __init__(self, every):
        self.every, self.values = every, []

    def __call__(self, step, loss):
        self.values.append(loss.data.item())
        if step % self.every == 0:
            print(step, "%.4f" % self.values[-1])


x, y = generate(500)
net = MDN(24, 5)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
progress = Progress(50)
for step in range(200):
    loss = nll(y, *net(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
    progress(step, loss)
s = sample(net, torch.linspace(-10, 10, 50)[:, None])
print("sample range", s.min().item(), s.max().item())
