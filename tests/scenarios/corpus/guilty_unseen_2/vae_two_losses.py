# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Convolutional VAE; both terms are optimised."""
import torch
from torch import nn, optim


class ConvVAE(nn.Module):
    def __init__(self, z=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.Flatten())
        self.mu, self.lv = nn.Linear(8 * 16, z), nn.Linear(8 * 16, z)
        self.dec = nn.Sequential(nn.Linear(z, 64), nn.ReLU(), nn.Linear(64, 64), nn.Unflatten(1, (1, 8, 8)))

    def forward(self, x):
        h = self.enc(x)
        mu, lv = self.mu(h), self.lv(h)
        z = mu + torch.randn_like(mu) * torch.exp(lv / 2)
        return self.dec(z), mu, lv


def train(model, loader, opt):
    for i, x in enumerate(loader):
        out, mu, lv = model(x)
        rec_loss = nn.functional.mse_loss(out, x, reduction="sum") / len(x)
        kl_loss = -0.5 * torch.mean(torch.sum(1 + lv - mu ** 2 - lv.exp(), dim=1))
        opt.zero_grad()
        rec_loss.backward()  # <- culprit
        kl_loss.backward()  # <- culprit
        opt.step()
        if i % 20 == 0:
            print(i, rec_loss.item(), kl_loss.item())


torch.manual_seed(1)
loader = [torch.rand(16, 1, 8, 8) for _ in range(120)]
vae = ConvVAE()
train(vae, loader, optim.Adam(vae.parameters(), lr=1e-3))
