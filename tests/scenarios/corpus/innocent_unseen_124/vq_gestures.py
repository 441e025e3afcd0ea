# gradwatch-corpus: kind=none
"""Vector-quantised autoencoder of hand gestures, codebook by moving averages."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(20)


class Codebook(nn.Module):
    def __init__(self, k, d, decay=0.97):
        super().__init__()
        self.register_buffer("codes", torch.randn(k, d))
        self.register_buffer("count", torch.ones(k))
        self.register_buffer("total", self.codes.clone())
        self.decay = decay

    def forward(self, z):
        idx = torch.cdist(z, self.codes).argmin(1)
        q = self.codes[idx]
        if self.training:
            self.track(z, idx)
        return z + (q - z).detach(), F.mse_loss(z, q), idx

    @torch.no_grad()
    def track(self, z, idx):
        hot = F.one_hot(idx, len(self.codes)).float()
        self.count.mul_(self.decay).add_(hot.sum(0), alpha=1 - self.decay)
        self.total.mul_(self.decay).add_(hot.t() @ z, alpha=1 - self.decay)
        self.codes = self.total / self.count.clamp(min=1e-2)[:, None]


class VQ(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(20, 24), nn.ReLU(), nn.Linear(24, 4))
        self.book = Codebook(12, 4)
        self.dec = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 20))

    def forward(self, x):
        q, commit, idx = self.book(self.enc(x))
        return self.dec(q), commit, idx


poses = torch.randn(6, 20)
net = VQ()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for it in range(800):
    x = poses[torch.randint(0, 6, (32,))] + 0.1 * torch.randn(32, 20)
    out, commit, idx = net(x)
    loss = F.mse_loss(out, x) + 0.25 * commit
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 200 == 199:
        print(it, f"{loss.item():.4f} used {idx.unique().numel()}")
