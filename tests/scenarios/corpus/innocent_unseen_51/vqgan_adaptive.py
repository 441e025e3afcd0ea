# gradwatch-corpus: kind=none
"""1-d autoencoder with adversarial loss: VQGAN's adaptive weight, and R1 penalty on a
spectrally normalised critic."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import spectral_norm

torch.manual_seed(23)
LEN = 32


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv1d(1, 16, 4, 2, 1), nn.SiLU(), nn.Conv1d(16, 24, 4, 2, 1), nn.SiLU(), nn.Conv1d(24, 6, 1))
        self.dec = nn.Sequential(
            nn.ConvTranspose1d(6, 24, 4, 2, 1), nn.SiLU(), nn.ConvTranspose1d(24, 16, 4, 2, 1), nn.SiLU())
        self.last = nn.Conv1d(16, 1, 3, padding=1)

    def forward(self, x):
        return self.last(self.dec(self.enc(x)))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            spectral_norm(nn.Conv1d(1, 16, 4, 2, 1)), nn.SiLU(),
            spectral_norm(nn.Conv1d(16, 32, 4, 2, 1)), nn.SiLU(),
            nn.Flatten(), spectral_norm(nn.Linear(32 * LEN // 4, 1)))

    def forward(self, x):
        return self.body(x).squeeze(-1)


def waves(n):
    t = torch.linspace(0, 1, LEN)
    f, ph = 1 + 4 * torch.rand(n, 1), 6.28 * torch.rand(n, 1)
    return (torch.sin(6.28 * f * t + ph) * (0.5 + torch.rand(n, 1)) + 0.05 * torch.randn(n, LEN)).unsqueeze(1)


def adaptive_weight(rec, adv, layer):
    g_rec = torch.autograd.grad(rec, layer.weight, retain_graph=True)[0]
    g_adv = torch.autograd.grad(adv, layer.weight, retain_graph=True)[0]
    return (g_rec.norm() / (g_adv.norm() + 1e-4)).clamp(0, 10).detach()


def r1(critic, real):
    real = real.detach().requires_grad_(True)
    grad, = torch.autograd.grad(critic(real).sum(), real, create_graph=True)
    return grad.pow(2).flatten(1).sum(1).mean()


ae, critic = AutoEncoder(), Critic()
g_opt = torch.optim.Adam(ae.parameters(), lr=2e-3, betas=(0.5, 0.9))
d_opt = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.5, 0.9))
log = {"rec": [], "adv": [], "w": [], "r1": []}
for step in range(100):
    x = waves(32)
    recon = ae(x)
    rec = F.l1_loss(recon, x)
    critic.requires_grad_(False)
    adv = -critic(recon).mean()
    w = adaptive_weight(rec, adv, ae.last)
    g_opt.zero_grad()
    (rec + 0.3 * w * adv).backward()
    g_opt.step()

    critic.requires_grad_(True)
    penalty = r1(critic, x)
    hinge = F.relu(1 - critic(x)).mean() + F.relu(1 + critic(recon.detach())).mean()
    d_opt.zero_grad()
    (hinge + 0.5 * penalty).backward()
    d_opt.step()

    for key, val in zip(log, (rec, adv, w, penalty)):
        log[key].append(val.item())
    if step % 20 == 19:
        print(step + 1, {k: round(sum(v[-20:]) / 20, 3) for k, v in log.items()})
