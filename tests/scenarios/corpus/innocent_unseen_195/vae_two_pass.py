# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F


class VAE(nn.Module):
    def __init__(self, dim=36, z=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, 32), nn.ELU(), nn.Linear(32, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, 32), nn.ELU(), nn.Linear(32, dim))
        self.cache = {}

    def forward(self, x):
        mu, log_var = self.enc(x).chunk(2, 1)
        z = mu + (0.5 * log_var).exp() * torch.randn_like(mu)
        recon = self.dec(z)
        self.cache["mu"], self.cache["log_var"], self.cache["recon"] = mu, log_var, recon
        return recon

    def losses(self, x):
        c = self.cache
        rec = F.mse_loss(c["recon"], x, reduction="none").sum(1).mean()
        kl = -0.5 * (1 + c["log_var"] - c["mu"] ** 2 - c["log_var"].exp()).sum(1).mean()
        return rec, kl


class ConflictProjector:
    """Removes from the KL gradient the part that opposes reconstruction."""

    def __init__(self, params):
        self.params = list(params)
        self.conflicts = []

    def combine(self, rec, kl, beta):
        g_rec = torch.autograd.grad(rec, self.params, retain_graph=True, allow_unused=True)
        g_kl = torch.autograd.grad(kl, self.params, allow_unused=True)
        dot = sum((a * b).sum() for a, b in zip(g_rec, g_kl) if a is not None and b is not None)
        sq = sum(a.pow(2).sum() for a in g_rec if a is not None)
        scale = (dot / sq).clamp(max=0)
        for p, a, b in zip(self.params, g_rec, g_kl):
            p.grad = a.clone() if b is None else a * (1 - beta * scale) + beta * b
        self.conflicts.append(bool(dot < 0))


def blobs(gen, n, size=6):
    grid = torch.arange(size).float()
    c = 1 + 3 * torch.rand(n, 2, generator=gen)
    row = (-(grid[None] - c[:, :1]) ** 2 / 2).exp()
    col = (-(grid[None] - c[:, 1:]) ** 2 / 2).exp()
    return (row[:, :, None] * col[:, None]).flatten(1)


class Ema:
    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.shadow = {k: p.detach().clone() for k, p in model.named_parameters()}

    def update(self, model):
        for k, p in model.named_parameters():
            self.shadow[k] = self.decay * self.shadow[k] + (1 - self.decay) * p.detach()


def main(steps=600):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(5)
    model = VAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    projector, ema = ConflictProjector(model.parameters()), Ema(model)
    epoch_log = []
    for step in range(steps):
        x = blobs(gen, 32)
        model(x)
        rec, kl = model.losses(x)
        projector.combine(rec, kl, beta=min(1.0, step / 300) * 0.2)
        opt.step()
        ema.update(model)
        epoch_log.append((rec, kl))
        if len(epoch_log) == 50:
            r, k = (torch.stack(v).mean().item() for v in zip(*epoch_log))
            share = sum(projector.conflicts[-50:]) / 50
            print(f"epoch {step // 50} rec {r:.4f} kl {k:.4f} conflicts {share:.2f}")
            epoch_log.clear()


if __name__ == "__main__":
    main()
