# gradwatch-corpus: kind=none
"""Anomaly detection on server metrics; the warm-up sets the scale of the alarm."""
import torch
from torch import nn

torch.manual_seed(67)


class VAE(nn.Module):
    def __init__(self, metrics=12, latent=3, width=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(metrics, width), nn.ELU(), nn.Linear(width, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, width), nn.ELU(), nn.Linear(width, metrics))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(1)
        return self.dec(z), kl


class WarmupStats:
    def __init__(self, rounds):
        self.rounds = rounds
        self.elbos = []
        self.per_metric = []
        self.scale = None

    @property
    def active(self):
        return len(self.elbos) < self.rounds

    def watch(self, elbo, errors):
        if not self.active:
            return
        self.elbos.append(elbo)
        self.per_metric.append(errors.mean(0))
        if not self.active:
            values = torch.stack(self.elbos[self.rounds // 2:]).detach()
            self.scale = (values.mean().item(), values.std().item() + 1e-6)

    def z(self, elbo):
        if self.scale is None:
            return 0.0
        mean, std = self.scale
        return (elbo.item() - mean) / std

    def hardest_metric(self):
        return int(torch.stack(self.per_metric).detach().mean(0).argmax())


def metrics(batch=24):
    drive = torch.randn(batch, 3)
    mixing = torch.linspace(-1, 1, 36).reshape(3, 12)
    x = torch.tanh(drive @ mixing) + 0.05 * torch.randn(batch, 12)
    if torch.rand(()) < 0.03:
        x[:, 4] += 2.5
    return x


def main():
    model = VAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    stats = WarmupStats(rounds=80)
    alarms = 0
    for step in range(600):
        x = metrics()
        recon, kl = model(x)
        errors = (recon - x) ** 2
        elbo = errors.sum(1).mean() + 0.05 * kl.mean()
        opt.zero_grad()
        elbo.backward()
        opt.step()
        stats.watch(elbo, errors)
        alarms += stats.z(elbo) > 2
        if step % 75 == 0:
            print(step, f"elbo {elbo.item():.3f} z {stats.z(elbo):+.2f} alarms {alarms} metric {stats.hardest_metric()}")


if __name__ == "__main__":
    main()
