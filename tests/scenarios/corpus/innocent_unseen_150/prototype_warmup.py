# gradwatch-corpus: kind=none
"""Bird song classes: 30 warm-up rounds fill a prototype table, which is then tuned once and frozen."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(15)
torch.set_num_threads(1)


class Songs:
    def __init__(self, n_class=30, dim=16):
        self.centres = torch.randn(n_class, dim)
        self.n_class = n_class

    def of(self, c, n=6):
        return self.centres[c] + 0.5 * torch.randn(n, self.centres.shape[1])

    def batch(self, n=48):
        y = torch.randint(0, self.n_class, (n,))
        return self.centres[y] + 0.5 * torch.randn(n, self.centres.shape[1]), y


class Prototypes(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(dim, 24), nn.ReLU(), nn.Linear(24, width))
        self.table = {}

    def collect(self, c, examples):
        self.table[c] = self.embed(examples).mean(0)

    def stacked(self):
        return torch.stack([self.table[c] for c in sorted(self.table)])

    def freeze(self):
        self.table = {c: p.detach() for c, p in self.table.items()}


songs = Songs()
protos = Prototypes(16, 12)
trunk = nn.Sequential(nn.Linear(16, 24), nn.ReLU(), nn.Linear(24, 12))
recon = nn.Linear(12, 16)
opt = torch.optim.Adam([*trunk.parameters(), *recon.parameters()], lr=3e-3)
opt_proto = torch.optim.Adam(protos.parameters(), lr=1e-2)

for step in range(150):
    x, y = songs.batch()
    z = trunk(x)
    loss = F.mse_loss(recon(z), x)
    if step < songs.n_class:
        protos.collect(step, songs.of(step))
    elif step == songs.n_class:
        p = protos.stacked()
        spread = torch.pdist(p).neg().exp().mean()
        opt_proto.zero_grad()
        spread.backward()
        opt_proto.step()
        protos.freeze()
    else:
        loss = loss + 0.3 * F.cross_entropy(-torch.cdist(z, protos.stacked()), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 30 == 29:
        print(step, f"{loss.item():.4f}")
