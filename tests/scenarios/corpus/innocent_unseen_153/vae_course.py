# gradwatch-corpus: kind=none
"""Assignment 3: VAE on 8x8 synthetic digits (bars)."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(31)


def bars(n):
    img = torch.zeros(n, 8, 8)
    for i in range(n):
        k = torch.randint(0, 8, (1,)).item()
        if torch.rand(1).item() < 0.5:
            img[i, k] = 1
        else:
            img[i, :, k] = 1
    return img.flatten(1)


class VAE(nn.Module):
    def __init__(self, d=64, h=64, z=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ReLU())
        self.mu = nn.Linear(h, z)
        self.logvar = nn.Linear(h, z)
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, d))

    def reparameterize(self, mu, logvar):
        if not self.training:
            return mu
        return mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        return self.dec(self.reparameterize(mu, logvar)), mu, logvar


def elbo(logits, x, mu, logvar, beta):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="sum") / len(x)
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()) / len(x)
    return rec + beta * kld, rec, kld


def train_epoch(model, loader, opt, beta):
    model.train()
    train_loss = 0
    for (x,) in loader:
        opt.zero_grad()
        loss, rec, kld = elbo(*_flip(model(x), x), beta)
        loss.backward()
        train_loss += loss.item() * len(x)
        opt.step()
    return train_loss / len(loader.dataset), rec.item(), kld.item()


def _flip(out, x):
    logits, mu, logvar = out
    return logits, x, mu, logvar


def test(model, x):
    model.eval()
    with torch.no_grad():
        loss, _, _ = elbo(*_flip(model(x), x), 1.0)
    return loss.item()


train_x, test_x = bars(640), bars(128)
loader = DataLoader(TensorDataset(train_x), batch_size=64, shuffle=True)
model = VAE()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(10):
    beta = min(1.0, (epoch + 1) / 5)
    tr, rec, kld = train_epoch(model, loader, opt, beta)
    print(f"epoch {epoch} train {tr:.2f} (rec {rec:.2f} kl {kld:.2f}) test {test(model, test_x):.2f}")
