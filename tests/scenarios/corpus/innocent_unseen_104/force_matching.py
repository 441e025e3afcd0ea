# gradwatch-corpus: kind=none
"""Energy model for a ring of beads trained on energies and forces."""
import torch
from torch import nn

torch.manual_seed(6)
torch.set_num_threads(1)


def toy_potential(x):
    d = torch.cdist(x, x) + torch.eye(x.shape[-2])
    off = 1 - torch.eye(x.shape[-2])
    return (off * (1 - torch.exp(-1.5 * (d - 1.0))).square()).sum((-1, -2)) / 2


class PairEnergy(nn.Module):
    def __init__(self, n_rbf=12, width=24):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0.4, 3.0, n_rbf))
        self.mlp = nn.Sequential(nn.Linear(n_rbf, width), nn.SiLU(), nn.Linear(width, 1))
        self.shift = nn.Parameter(torch.zeros(()))

    def forward(self, x):
        i, j = torch.triu_indices(x.shape[-2], x.shape[-2], offset=1)
        d = (x[:, i] - x[:, j]).square().sum(-1).add(1e-6).sqrt()
        rbf = torch.exp(-6 * (d[..., None] - self.mu).square())
        return self.mlp(rbf).sum((-1, -2)) + self.shift


def with_forces(energy, x, training):
    x = x.clone().requires_grad_(True)
    e = energy(x)
    f, = torch.autograd.grad(e.sum(), x, create_graph=training)
    return e, -f


class BestKeeper:
    def __init__(self):
        self.history = []
        self.best = None

    def __call__(self, step, e_mae, f_loss):
        self.history.append((step, e_mae, f_loss.detach()))
        if self.best is None or f_loss < self.best:
            self.best = f_loss.detach()


def main():
    g = torch.Generator().manual_seed(3)
    angles = torch.arange(6) * (2 * torch.pi / 6)
    ring = torch.stack((angles.cos(), angles.sin(), torch.zeros(6)), -1) * 1.1
    model = PairEnergy()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    keep = BestKeeper()
    for step in range(350):
        x = ring + 0.12 * torch.randn(16, 6, 3, generator=g)
        e_ref, f_ref = with_forces(toy_potential, x, training=False)
        e, f = with_forces(model, x, training=True)
        e_loss = (e - e_ref.detach()).square().mean()
        f_loss = (f - f_ref).square().mean()
        opt.zero_grad()
        (0.05 * e_loss + f_loss).backward()
        opt.step()
        keep(step, (e - e_ref).abs().mean().item(), f_loss)
    for step, e_mae, f_mse in keep.history[::70]:
        print(f"{step:4d}  E mae {e_mae:7.4f}  F mse {f_mse.item():8.4f}")
    print("best force mse", round(keep.best.item(), 4))


if __name__ == "__main__":
    main()
