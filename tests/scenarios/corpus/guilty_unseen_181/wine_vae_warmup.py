# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
import torch
import torch.nn as nn
import torch.nn.functional as F


class VAE(nn.Module):
    def __init__(self, n_in=11, n_z=3, width=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n_in, width), nn.SiLU())
        self.mu = nn.Linear(width, n_z)
        self.logvar = nn.Linear(width, n_z)
        self.dec = nn.Sequential(nn.Linear(n_z, width), nn.SiLU(), nn.Linear(width, n_in))
        self.min_std = 0.0

    def encode(self, x):
        h = self.enc(x)
        return self.mu(h), self.logvar(h).clamp(-6, 4)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        if self.training:
            if self.min_std > 0:
                std += self.min_std  # <- culprit
            return mu + std * torch.randn_like(std)
        return mu

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = self.reparameterize(mu, logvar)
        return self.dec(z), mu, logvar


class Schedule:
    """KL weight goes from 0 to 1; the noise floor is switched on later."""

    def __init__(self, warmup, floor_from, floor):
        self.warmup, self.floor_from, self.floor = warmup, floor_from, floor

    def beta(self, step):
        return min(1.0, step / self.warmup)

    def min_std(self, step):
        return self.floor if step >= self.floor_from else 0.0


def wines(n, mix, noise=0.2):
    z = torch.randn(n, mix.size(0))
    x = torch.tanh(z @ mix) + noise * torch.randn(n, mix.size(1))
    return (x - x.mean(0)) / x.std(0)


def elbo_terms(recon, x, mu, logvar):
    rec = F.mse_loss(recon, x, reduction="none").sum(1).mean()
    kl = 0.5 * (mu.pow(2) + logvar.exp() - 1 - logvar).sum(1).mean()
    return rec, kl


def main():
    torch.manual_seed(6)
    mix = torch.randn(3, 11)
    data = wines(2000, mix)
    vae = VAE()
    schedule = Schedule(warmup=100, floor_from=40, floor=1e-3)
    opt = torch.optim.Adam(vae.parameters(), lr=2e-3)

    for step in range(700):
        x = data[torch.randint(0, len(data), (64,))]
        vae.min_std = schedule.min_std(step)
        recon, mu, logvar = vae(x)
        rec, kl = elbo_terms(recon, x, mu, logvar)
        loss = rec + schedule.beta(step) * kl
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 35 == 0:
            print(f"step {step} rec {rec.item():.3f} kl {kl.item():.3f} beta {schedule.beta(step):.2f}")

    vae.eval()
    with torch.no_grad():
        recon, _, _ = vae(data)
        print("final error", F.mse_loss(recon, data).item())


if __name__ == "__main__":
    main()
