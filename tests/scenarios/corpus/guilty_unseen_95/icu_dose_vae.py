# gradwatch-corpus: kind=graph-held
# holder: self.values['kl'] | self.values[name] | self.values | meter.values | model.meter.values | self.meter.values | model.meter.values['kl']
# first-bad: 122
# notice: 8
"""VAE on ICU infusion profiles with cyclical KL annealing.

The KL weight is 0 during the reconstruction phase; afterwards the encoder term is
switched on and its running mean is reported for each cycle.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

WINDOW = 24
LATENT = 6
STEPS = 360
FREE_PHASE = 121


class RunningMean:
    """Cumulative averages by name."""

    def __init__(self):
        self.values = {}
        self.counts = {}

    def add(self, name, value):
        c = self.counts.get(name, 0)
        old = self.values.get(name, 0.0)
        self.values[name] = old + (value - old) / (c + 1)  # <- culprit
        self.counts[name] = c + 1

    def line(self):
        return "  ".join(f"{k} {v:.4f}" for k, v in self.values.items())


class ProfileVAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.GRU(1, 20, batch_first=True)
        self.to_mu = nn.Linear(20, LATENT)
        self.to_logvar = nn.Linear(20, LATENT)
        self.dec = nn.Sequential(nn.Linear(LATENT, 32), nn.GELU(), nn.Linear(32, WINDOW))
        self.meter = RunningMean()

    def encode(self, x):
        _, h = self.enc(x.unsqueeze(-1))
        return self.to_mu(h[0]), self.to_logvar(h[0]).clamp(-6, 4)

    def elbo(self, x, beta):
        mu, logvar = self.encode(x)
        if beta == 0:
            rec = F.mse_loss(self.dec(mu), x)
            self.meter.add("rec", rec.item())
            return rec
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        rec = F.mse_loss(self.dec(z), x)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        self.meter.add("rec", rec.item())
        self.meter.add("kl", kl)  # <- culprit
        return rec + beta * kl


def infusion_profiles(n):
    t = torch.linspace(0, 6, WINDOW)
    rate = 0.3 + torch.rand(n, 1)
    onset = torch.rand(n, 1) * 2
    bolus = (torch.rand(n, 1) > 0.6).float()
    curve = 1 - torch.exp(-rate * (t - onset).clamp(min=0))
    spike = bolus * torch.exp(-(((t - onset - 1.5) / 0.3) ** 2))
    return curve + 0.5 * spike + 0.03 * torch.randn(n, WINDOW)


def beta_at(step):
    if step < FREE_PHASE:
        return 0.0
    phase = ((step - FREE_PHASE) % 100) / 50
    return 0.01 * min(1.0, 0.1 + phase)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(77)
    model = ProfileVAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)
    for step in range(STEPS):
        x = infusion_profiles(16)
        loss = model.elbo(x, beta_at(step))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        sched.step()
        if (step + 1) % 60 == 0:
            print(f"{step + 1:4d}  loss {loss.item():.4f}  |  {model.meter.line()}")


if __name__ == "__main__":
    main()
