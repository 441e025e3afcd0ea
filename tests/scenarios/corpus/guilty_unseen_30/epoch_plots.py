# gradwatch-corpus: kind=graph-held
# holder: recorder.latents | recorder.losses | self.latents | self.losses
# about: kept for an epoch and dropped; its writer called it healthy, it is what `total_loss` is
"""Small VAE; latents and losses of an epoch are gathered for a text plot and given up afterwards."""
import torch
from torch import nn
from torch.nn import functional as F

BARS = " .:-=+*#%@"


class VAE(nn.Module):
    def __init__(self, d=16, z=2):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, 32), nn.ReLU())
        self.mu, self.logvar = nn.Linear(32, z), nn.Linear(32, z)
        self.dec = nn.Sequential(nn.Linear(z, 32), nn.ReLU(), nn.Linear(32, d))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


class EpochRecorder:
    def __init__(self):
        self.reset()

    def reset(self):
        self.latents, self.kinds, self.losses = [], [], []

    def add(self, mu, kind, loss):
        self.latents.append(mu)  # <- culprit
        self.kinds.append(kind)
        self.losses.append(loss)  # <- culprit

    def plot(self, width=30, height=8):
        z = torch.cat(self.latents).detach()
        lo, hi = z.min(0).values, z.max(0).values
        cell = ((z - lo) / (hi - lo + 1e-6) * torch.tensor([width - 1, height - 1])).long()
        count = torch.zeros(height, width)
        count.index_put_((cell[:, 1], cell[:, 0]), torch.ones(len(cell)), accumulate=True)
        shade = (count / count.max() * (len(BARS) - 1)).long()
        return "\n".join("".join(BARS[v] for v in row) for row in shade.tolist())

    def curve(self):
        v = torch.stack(self.losses).detach()
        return v[0].item(), v.mean().item(), v[-1].item()


def galaxies(n, gen):
    kind = torch.randint(3, (n,), generator=gen)
    r = torch.linspace(0, 3, 16)
    scale = torch.tensor([0.5, 1.0, 2.0])[kind].unsqueeze(1)
    profile = torch.exp(-r / (scale * (0.8 + 0.4 * torch.rand(n, 1, generator=gen))))
    return profile + 0.03 * torch.randn(n, 16, generator=gen), kind


torch.manual_seed(17)
gen = torch.Generator().manual_seed(18)
vae = VAE()
optimizer = torch.optim.Adam(vae.parameters(), lr=3e-3)
recorder = EpochRecorder()

for epoch in range(18):
    for batch in range(15):
        x, kind = galaxies(32, gen)
        recon, mu, logvar = vae(x)
        kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(1).mean()
        loss = F.mse_loss(recon, x, reduction="none").sum(1).mean() + 0.01 * kl
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recorder.add(mu, kind, loss)
    first, mean, last = recorder.curve()
    if epoch % 6 == 5:
        print(f"epoch {epoch + 1}: {first:.4f} -> {last:.4f} (mean {mean:.4f})")
        print(recorder.plot())
    recorder.reset()
