# gradwatch-corpus: kind=none
"""Learn the energy of a chain of beads; forces come from autograd."""
import torch
from torch import nn


class ChainEnergy(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.bond = nn.Sequential(
            nn.Linear(1, hidden),
            nn.Softplus(),
            nn.Linear(hidden, 1),
        )
        self.angle = nn.Sequential(
            nn.Linear(1, hidden),
            nn.Softplus(),
            nn.Linear(hidden, 1),
        )

    def forward(self, pos):
        d = pos[:, 1:] - pos[:, :-1]
        length = d.norm(dim=-1, keepdim=True)
        unit = d / length
        cos = (unit[:, 1:] * unit[:, :-1]).sum(-1, keepdim=True)
        return self.bond(length).sum((1, 2)) + self.angle(cos).sum((1, 2))


def truth(pos):
    d = pos[:, 1:] - pos[:, :-1]
    length = d.norm(dim=-1)
    unit = d / length.unsqueeze(-1)
    cos = (unit[:, 1:] * unit[:, :-1]).sum(-1)
    return (2.0 * (length - 1.0) ** 2).sum(1) + (0.5 * (1 - cos)).sum(1)


class ForceMatching(nn.Module):
    def __init__(self, w_energy=0.1, w_force=1.0):
        super().__init__()
        self.w_energy = w_energy
        self.w_force = w_force
        self.parts = {}

    def forward(self, e, f, e_ref, f_ref):
        le = (e - e_ref).pow(2).mean()
        lf = (f - f_ref).pow(2).mean()
        self.parts = {"energy": le, "force": lf}
        return self.w_energy * le + self.w_force * lf


def sample(n, beads, gen):
    steps = torch.randn(n, beads, 3, generator=gen)
    steps[:, :, 0] += 1.0
    return steps.cumsum(1)


def main():
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(2)
    model = ChainEnergy()
    loss_fn = ForceMatching()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    force_log = []
    table = []
    for k in range(150):
        pos = sample(16, 6, gen).requires_grad_()
        e_ref = truth(pos)
        f_ref = -torch.autograd.grad(e_ref.sum(), pos)[0]
        e = model(pos)
        f = -torch.autograd.grad(e.sum(), pos, create_graph=True)[0]
        loss = loss_fn(e, f, e_ref.detach(), f_ref)
        opt.zero_grad()
        loss.backward()
        opt.step()
        force_log.append(f.detach().norm(dim=-1).max())
        table.append({name: part.item() for name, part in loss_fn.parts.items()})
        if k % 30 == 0:
            row = table[-1]
            print(k, " ".join(f"{n}={v:.4f}" for n, v in row.items()))
    print("mean max force", torch.stack(force_log).mean().item())


if __name__ == "__main__":
    main()
