# gradwatch-corpus: kind=graph-held
# holder: pos.grad | pos
# first-bad: 1
# notice: 8
"""Fit a small neural potential to energies AND forces of Lennard-Jones clusters."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(5)

N_ATOMS = 5


def lj(pos):
    d2 = ((pos[:, :, None] - pos[:, None]) ** 2).sum(-1)
    iu = torch.triu_indices(N_ATOMS, N_ATOMS, offset=1)
    r2 = d2[:, iu[0], iu[1]]
    inv6 = (1.0 / r2.clamp(min=0.6)) ** 3
    return (inv6 ** 2 - inv6).sum(1)


def make_frames(n):
    base = torch.randn(N_ATOMS, 3) * 1.3
    frames = base + 0.15 * torch.randn(n, N_ATOMS, 3)
    p = frames.clone().requires_grad_(True)
    e = lj(p)
    (g,) = torch.autograd.grad(e.sum(), p)
    return frames, e.detach(), -g


class RadialBasis(nn.Module):
    def __init__(self, k=10, cutoff=4.0):
        super().__init__()
        self.register_buffer("centers", torch.linspace(0.5, cutoff, k))
        self.gamma = 4.0

    def forward(self, r):
        return torch.exp(-self.gamma * (r.unsqueeze(-1) - self.centers) ** 2)


class Potential(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.rbf = RadialBasis()
        self.atom = nn.Sequential(nn.Linear(10, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))
        self.shift = nn.Parameter(torch.zeros(()))

    def forward(self, pos):
        diff = pos[:, :, None] - pos[:, None]
        r = (diff.pow(2).sum(-1) + 1e-6).sqrt()
        mask = 1 - torch.eye(N_ATOMS)
        feats = (self.rbf(r) * mask[..., None]).sum(2)
        return self.atom(feats).sum((1, 2)) + self.shift


def force_matching_loss(model, optimizer, frames, energies, forces, w_f=10.0):
    pos = frames.clone().requires_grad_(True)
    pred = model(pos)
    pred.sum().backward(create_graph=True)  # <- culprit
    pred_f = -pos.grad  # <- culprit
    optimizer.zero_grad()
    return (pred - energies).pow(2).mean() + w_f * (pred_f - forces).pow(2).mean()


def train(model, steps=350, batch=8):
    X, E, Fo = make_frames(256)
    mu, sd = E.mean(), E.std()
    E, Fo = (E - mu) / sd, Fo / sd
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.999)
    for it in range(steps):
        idx = torch.randint(0, len(X), (batch,))
        loss = force_matching_loss(model, opt, X[idx], E[idx], Fo[idx])
        loss.backward()
        opt.step()
        sched.step()
        if it % 50 == 0:
            print(f"{it:4d}  loss {loss.item():10.4f}  lr {sched.get_last_lr()[0]:.2e}")


if __name__ == "__main__":
    train(Potential())
