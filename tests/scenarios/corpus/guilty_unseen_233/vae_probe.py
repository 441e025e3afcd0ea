# gradwatch-corpus: kind=graph-held
# holder: activation["enc.2"] | activation
# first-bad: 1
from collections import defaultdict

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)

activation = defaultdict(list)


def get_activation(name):
    def hook(module, inp, output):
        activation[name].append(output)  # <- culprit
    return hook


class VAE(nn.Module):
    def __init__(self, x_dim=64, h_dim=48, z_dim=6):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Linear(x_dim, h_dim),
            nn.ReLU(),
            nn.Linear(h_dim, h_dim),
            nn.ReLU(),
        )
        self.mu = nn.Linear(h_dim, z_dim)
        self.logvar = nn.Linear(h_dim, z_dim)
        self.dec = nn.Sequential(
            nn.Linear(z_dim, h_dim),
            nn.ReLU(),
            nn.Linear(h_dim, x_dim),
        )

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def forward(self, x):
        h = self.enc(x)
        mu = self.mu(h)
        logvar = self.logvar(h)
        z = self.reparameterize(mu, logvar)
        return self.dec(z), mu, logvar


def elbo(recon_x, x, mu, logvar, beta):
    BCE = F.binary_cross_entropy_with_logits(recon_x, x, reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return (BCE + beta * KLD) / x.size(0)


def bars(n):
    img = torch.zeros(n, 8, 8)
    rows = torch.randint(8, (n,))
    cols = torch.randint(8, (n,))
    idx = torch.arange(n)
    img[idx, rows, :] = 1.0
    img[idx, :, cols] = 1.0
    return img.view(n, 64)


def dead_fraction(name):
    a = activation[name][-1]
    return (a <= 0).all(dim=0).float().mean().item()


model = VAE()
model.enc[2].register_forward_hook(get_activation("enc.2"))  # <- culprit
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

for step in range(150):
    x = bars(64)
    beta = min(1.0, step / 100)
    recon, mu, logvar = model(x)
    loss = elbo(recon, x, mu, logvar, beta)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        print(f"step {step} loss {loss.item():.3f} dead {dead_fraction('enc.2'):.2f}")

with torch.no_grad():
    sample = torch.sigmoid(model.dec(torch.randn(4, 6)))
print("sample mean", round(sample.mean().item(), 4))
