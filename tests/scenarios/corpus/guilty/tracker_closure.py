# gradwatch-corpus: kind=graph-held
# holder: values | track.values
# about: the list lives in a closure, there is no object to look at
import torch
from torch import nn


def make_tracker(every):
    values = []

    def track(name, value):
        values.append((name, value))  # <- culprit
        if len(values) % every == 0:
            print(f"{name}: {value.item():.4f} after {len(values)}")
        return value

    return track


def kl(mu, logvar):
    return -0.5 * torch.mean(1 + logvar - mu.pow(2) - logvar.exp())


class VAE(nn.Module):
    def __init__(self, track):
        super().__init__()
        self.enc, self.dec = nn.Linear(20, 8), nn.Linear(4, 20)
        self.track = track

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        divergence = self.track("kl", kl(mu, logvar))  # <- culprit
        return nn.functional.mse_loss(self.dec(z), x) + 0.1 * divergence


torch.manual_seed(0)
vae = VAE(make_tracker(every=20))
optimizer = torch.optim.Adam(vae.parameters(), lr=1e-3)
for _ in range(60):
    optimizer.zero_grad()
    vae(torch.rand(16, 20)).backward()
    optimizer.step()
