# gradwatch-corpus: kind=none
"""Four batches an epoch; the losses of an epoch are summed with their graphs, and the sum is dropped at its end."""
import torch
from torch import nn


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(48, 128), nn.ReLU())
        self.mu, self.lv = nn.Linear(128, 6), nn.Linear(128, 6)
        self.dec = nn.Sequential(nn.Linear(6, 128), nn.ReLU(), nn.Linear(128, 48))

    def forward(self, x):
        h = self.enc(x)
        mu, lv = self.mu(h), self.lv(h)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        return self.dec(z), mu, lv


def elbo(rec, x, mu, lv, beta):
    return nn.functional.mse_loss(rec, x), -0.5 * beta * (1 + lv - mu.pow(2) - lv.exp()).mean()


def run_epoch(vae, opt, batches, beta):
    total = 0
    for x in batches:
        rec, mu, lv = vae(x)
        r, k = elbo(rec, x, mu, lv, beta)
        loss = r + k
        opt.zero_grad()
        loss.backward()
        opt.step()
        total = total + loss.detach() if beta > 0.5 else total + loss
    return float(total) / len(batches)


torch.manual_seed(0)
W = torch.randn(6, 48)
batches = [torch.randn(64, 6) @ W for _ in range(4)]
vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=1e-3)
for epoch in range(60):
    m = run_epoch(vae, opt, batches, beta=min(1.0, epoch / 40))
    if epoch % 12 == 0:
        print(epoch, m)
