# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(101)

# Reference: a Morse cluster of five atoms.


def pairwise(pos):
    i, j = torch.triu_indices(len(pos), len(pos), 1)
    return (pos[i] - pos[j]).norm(dim=1)


def reference(pos):
    r = pairwise(pos)
    e = ((1 - torch.exp(-1.2 * (r - 1.3))) ** 2 - 1).sum()
    return e


def sample(n_atoms=5):
    pos = torch.randn(n_atoms, 3) * 0.9
    while pairwise(pos).min() < 0.6:
        pos = torch.randn(n_atoms, 3) * 0.9
    pos.requires_grad_()
    e = reference(pos)
    (g,) = torch.autograd.grad(e, pos)
    return pos.detach(), e.detach(), -g


class RadialNet(nn.Module):
    def __init__(self, centres=10, width=16):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0.4, 4.0, centres))
        self.pair = nn.Sequential(nn.Linear(centres, width), nn.SiLU(), nn.Linear(width, 1))
        self.shift = nn.Parameter(torch.zeros(()))

    def forward(self, pos):
        r = pairwise(pos)
        feats = torch.exp(-3.0 * (r[:, None] - self.mu) ** 2)
        return self.pair(feats).sum() + self.shift

    def energy_and_forces(self, pos):
        x = pos.clone().requires_grad_(True)
        e = self(x)
        (dx,) = torch.autograd.grad(e, x, create_graph=True)
        return e, -dx


frames = [sample() for _ in range(120)]
train, held = frames[:100], frames[100:]
ff = RadialNet()
opt = torch.optim.Adam(ff.parameters(), lr=5e-3)


def force_mae(dataset):
    err = [(ff.energy_and_forces(p)[1].detach() - f).abs().mean() for p, _, f in dataset]
    return torch.stack(err).mean().item()


for epoch in range(12):
    e_sum = f_sum = 0.0
    for i in torch.randperm(len(train)).tolist():
        pos, e_ref, f_ref = train[i]
        e, f = ff.energy_and_forces(pos)
        e_loss, f_loss = (e - e_ref) ** 2 / len(pos), (f - f_ref).pow(2).mean()
        opt.zero_grad()
        (0.05 * e_loss + f_loss).backward()
        torch.nn.utils.clip_grad_norm_(ff.parameters(), 10.0)
        opt.step()
        e_sum += e_loss.item()
        f_sum += f_loss.item()
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1}: E {e_sum / 100:.4f} F {f_sum / 100:.4f} held-out force MAE {force_mae(held):.4f}")
