# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F


class RockVAE(nn.Module):
    def __init__(self, inp=36, z=5):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(inp, 40), nn.ELU(), nn.Linear(40, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, 40), nn.ELU(), nn.Linear(40, inp))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1)
        return self.dec(z), mu, kl


class FeatureCache:
    """Encoder outputs by plug number, filled on first use in the second phase."""

    def __init__(self, encoder, data):
        self.encoder, self.data = encoder, data
        self.rows = {}
        self.hits = self.misses = 0

    def __getitem__(self, idx):
        missing = [i for i in idx.tolist() if i not in self.rows]
        if missing:
            mu = self.encoder(self.data[missing]).chunk(2, -1)[0]
            for i, row in zip(missing, mu):
                self.rows[i] = row
            self.misses += len(missing)
        self.hits += len(idx) - len(missing)
        return torch.stack([self.rows[i] for i in idx.tolist()])


def cores(n, seed):
    g = torch.Generator().manual_seed(seed)
    factors = torch.rand(n, 3, generator=g)
    mix = torch.randn(3, 36, generator=g)
    x = torch.tanh(factors @ mix) + 0.05 * torch.randn(n, 36, generator=g)
    return x, 0.3 * factors[:, 0] * (1 - factors[:, 1]) + 0.1 * factors[:, 2]


def pretrain(vae, x, steps, gen):
    opt = torch.optim.Adam(vae.parameters(), lr=2e-3)
    means, parts = [], {"recon": 0.0, "kl": 0.0}
    for step in range(steps):
        batch = x[torch.randint(0, len(x), (64,), generator=gen)]
        out, mu, kl = vae(batch)
        recon = F.mse_loss(out, batch, reduction="none").sum(-1).mean()
        beta = min(1.0, step / 150) * 0.05
        loss = recon + beta * kl.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        parts["recon"] += recon.item()
        parts["kl"] += kl.mean().item()
        if step % 25 == 24:
            means.append(mu.detach().mean(0))
    spread = torch.stack(means).std(0).mean().item()
    print(f"pretrain recon {parts['recon'] / steps:.3f} kl {parts['kl'] / steps:.2f} spread {spread:.3f}")


def regress(vae, x, y, steps, gen):
    vae.requires_grad_(False)
    cache = FeatureCache(vae.enc, x)
    head = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 1))
    opt = torch.optim.Adam(head.parameters(), lr=3e-3)
    curve = []
    for step in range(steps):
        idx = torch.randint(0, len(x), (48,), generator=gen)
        loss = F.mse_loss(head(cache[idx]).squeeze(-1), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        curve.append(loss.item())
    print(f"porosity mse {sum(curve[-50:]) / 50:.5f} cache {len(cache.rows)} rows, {cache.hits} hits")


def main():
    torch.manual_seed(70)
    gen = torch.Generator().manual_seed(70)
    x, y = cores(500, seed=70)
    vae = RockVAE()
    pretrain(vae, x, 300, gen)
    regress(vae, x, y, 300, gen)


if __name__ == "__main__":
    main()
