# gradwatch-corpus: kind=none
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class EMACodebook(nn.Module):
    def __init__(self, codes, dim, decay=0.95, eps=1e-5, patience=50):
        super().__init__()
        self.codes, self.decay, self.eps = codes, decay, eps
        embed = torch.randn(codes, dim)
        self.register_buffer("embed", embed)
        self.register_buffer("embed_avg", embed.clone())
        self.register_buffer("cluster_size", torch.ones(codes))
        self.recent = deque(maxlen=patience)

    @torch.no_grad()
    def _update(self, flat, onehot):
        self.cluster_size.lerp_(onehot.sum(0), 1 - self.decay)
        self.embed_avg.lerp_(onehot.t() @ flat, 1 - self.decay)
        n = self.cluster_size.sum()
        size = (self.cluster_size + self.eps) / (n + self.codes * self.eps) * n
        self.embed.copy_(self.embed_avg / size.unsqueeze(1))

    @torch.no_grad()
    def _revive(self, flat):
        used = torch.stack(list(self.recent)).sum(0)
        dead = (used == 0).nonzero().flatten()
        if len(dead):
            pick = flat[torch.randint(len(flat), (len(dead),))]
            self.embed[dead] = pick
            self.embed_avg[dead] = pick
            self.cluster_size[dead] = 1.0
            self.recent.clear()

    def forward(self, z):
        flat = z.reshape(-1, z.size(-1))
        idx = torch.cdist(flat.detach(), self.embed).argmin(1)
        onehot = F.one_hot(idx, self.codes).float()
        quant = self.embed[idx].view_as(z)
        if self.training:
            self._update(flat, onehot)
            self.recent.append(onehot.sum(0))
            if len(self.recent) == self.recent.maxlen:
                self._revive(flat)
        commit = F.mse_loss(z, quant.detach())
        return z + (quant - z).detach(), commit, idx


class VQVAE(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv1d(1, 16, 4, 2, 1), nn.ReLU(), nn.Conv1d(16, dim, 4, 2, 1))
        self.vq = EMACodebook(16, dim)
        self.dec = nn.Sequential(nn.ConvTranspose1d(dim, 16, 4, 2, 1), nn.ReLU(),
                                 nn.ConvTranspose1d(16, 1, 4, 2, 1))

    def forward(self, x):
        q, commit, idx = self.vq(self.enc(x).transpose(1, 2))
        return self.dec(q.transpose(1, 2)), commit, idx


def signals(n, g):
    t = torch.linspace(0, 1, 32)
    f = torch.randint(1, 5, (n, 1), generator=g)
    return torch.sign(torch.sin(6.28 * (f * t + torch.rand(n, 1, generator=g)))).unsqueeze(1)


def main():
    torch.manual_seed(4)
    g = torch.Generator().manual_seed(44)
    model = VQVAE()
    opt = torch.optim.Adam(model.parameters(), 2e-3)
    history = {"recon": [], "commit": [], "samples": []}
    for step in range(430):
        x = signals(16, g)
        recon, commit, idx = model(x)
        recon_loss = F.mse_loss(recon, x)
        loss = recon_loss + 0.25 * commit
        opt.zero_grad()
        loss.backward()
        opt.step()
        history["recon"].append(recon_loss.item())
        history["commit"].append(commit.item())
        if step % 50 == 0:
            history["samples"].append(recon[0].detach().clone())
            print(step, f"{history['recon'][-1]:.4f} {history['commit'][-1]:.4f} codes {idx.unique().numel()}")


if __name__ == "__main__":
    main()
