# gradwatch-corpus: kind=none
"""Hamiltonian network learned through symplectic rollouts; energy drift is logged over a rollout."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(18)


class HNN(nn.Module):
    def __init__(self, h=14):
        super().__init__()
        self.T = nn.Sequential(nn.Linear(1, h), nn.Softplus(), nn.Linear(h, 1))
        self.V = nn.Sequential(nn.Linear(1, h), nn.Softplus(), nn.Linear(h, 1))

    def energy(self, q, p):
        return self.T(p) + self.V(q)

    def _grad(self, f, x):
        with torch.enable_grad():
            x = x if x.requires_grad else x.requires_grad_()
            return torch.autograd.grad(f(x).sum(), x, create_graph=True)[0]

    def leapfrog(self, q, p, dt=0.2):
        p = p - 0.5 * dt * self._grad(self.V, q)
        q = q + dt * self._grad(self.T, p)
        p = p - 0.5 * dt * self._grad(self.V, q)
        return q, p


def rotate(q, p, ang):
    c, s = torch.cos(torch.tensor(ang)), torch.sin(torch.tensor(ang))
    return c * q + s * p, c * p - s * q


net = HNN()
opt = torch.optim.Adam(net.parameters(), 3e-3)
for it in range(400):
    q, p = torch.randn(10, 1), torch.randn(10, 1)
    tq, tp = q.clone(), p.clone()
    energies, loss = [], 0.0
    for _ in range(3):
        q, p = net.leapfrog(q, p)
        tq, tp = rotate(tq, tp, 0.2)
        energies.append(net.energy(q, p))
        loss = loss + (q - tq).pow(2).mean() + (p - tp).pow(2).mean()
    drift = torch.stack(energies).std(0).mean()
    opt.zero_grad()
    (loss + 0.1 * drift).backward()
    opt.step()
    if it % 100 == 0:
        print(it, f"{loss.item():.4f} drift {drift.item():.4f}")
