# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
"""1-D DCGAN producing sonar echoes."""
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(88)

LATENT, LEN = 5, 32


def echoes(n):
    t = torch.arange(LEN).float()
    delay = 4 + 16 * torch.rand(n, 1)
    decay = 3 + 4 * torch.rand(n, 1)
    env = torch.exp(-(t - delay).clamp(min=0) / decay) * (t >= delay)
    return env * torch.sin(2 * math.pi * (t - delay) / 6) + 0.02 * torch.randn(n, LEN)


class Gen(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(LATENT, 8 * 8)
        self.up1 = nn.ConvTranspose1d(8, 6, 4, 2, 1)
        self.up2 = nn.ConvTranspose1d(6, 1, 4, 2, 1)

    def forward(self, z):
        h = torch.relu(self.fc(z)).view(-1, 8, 8)
        return torch.tanh(self.up2(torch.relu(self.up1(h)))).squeeze(1)


class Dis(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(1, 6, 4, 2, 1)
        self.c2 = nn.Conv1d(6, 8, 4, 2, 1)
        self.fc = nn.Linear(64, 1)

    def forward(self, x):
        h = nn.functional.leaky_relu(self.c1(x.unsqueeze(1)), 0.2)
        h = nn.functional.leaky_relu(self.c2(h), 0.2)
        return self.fc(h.flatten(1)).squeeze(1)


gen, dis = Gen(), Dis()
opt_g = torch.optim.Adam(gen.parameters(), 1e-3, betas=(0.5, 0.9))
opt_d = torch.optim.Adam(dis.parameters(), 1e-3, betas=(0.5, 0.9))
bce = nn.BCEWithLogitsLoss()


def d_step(real, fake):
    opt_d.zero_grad()
    r, f = dis(real), dis(fake.detach())
    loss = bce(r, torch.full_like(r, 0.9)) + bce(f, torch.zeros_like(f))
    loss.backward(retain_graph=True)  # <- culprit
    opt_d.step()
    return loss.item()


def g_step(fake):
    opt_g.zero_grad()
    out = dis(fake)
    loss = bce(out, torch.ones_like(out))
    loss.backward()
    opt_g.step()
    return loss.item()


def main():
    for it in range(300):
        real = echoes(12)
        fake = gen(torch.randn(12, LATENT))
        d = d_step(real, fake)
        g = g_step(fake)
        if it % 60 == 0:
            print(f"{it:3d} D {d:.3f} G {g:.3f} sample energy {fake.detach().pow(2).mean().item():.3f}")


main()
