# gradwatch-corpus: kind=memory-climb
# holder: album.pages | self.pages | album.pages["recon"]
# first-bad: 1
# notice: 60
"""VAE over synthetic galaxy stamps, with reconstructions kept for a contact sheet."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(61)

PX = 32


def stamps(n=48):
    ax = torch.linspace(-2, 2, PX)
    a, b = 0.4 + torch.rand(2, n, 1, 1)
    return torch.exp(-(ax[None, :, None] ** 2 / a + ax[None, None, :] ** 2 / b)).flatten(1)


class VAE(nn.Module):
    def __init__(self, z=3):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(PX * PX, 32), nn.ReLU(), nn.Linear(32, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, 32), nn.ReLU(), nn.Linear(32, PX * PX))

    def forward(self, x):
        mu, lv = self.enc(x).chunk(2, 1)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        kl = -0.5 * (1 + lv - mu**2 - lv.exp()).sum(1).mean()
        return self.dec(z).sigmoid(), kl


class Album:
    def __init__(self):
        self.pages = {"recon": []}

    def add(self, recon):
        self.pages["recon"].append(recon.detach().clone())  # <- culprit

    def contact_sheet(self, k=4):
        return torch.stack([p[0] for p in self.pages["recon"][-k:]]).view(k, PX, PX)


vae, album = VAE(), Album()
opt = torch.optim.Adam(vae.parameters(), lr=2e-3)
for it in range(420):
    x = stamps()
    recon, kl = vae(x)
    loss = F.mse_loss(recon, x, reduction="sum") / len(x) + 0.1 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
    album.add(recon)
    if it % 70 == 69:
        print(it, f"{loss.item():.3f}", f"{album.contact_sheet().std().item():.3f}")
