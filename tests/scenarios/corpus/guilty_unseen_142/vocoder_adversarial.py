# gradwatch-corpus: kind=second-backward
# holder: fake | self.fake
# first-bad: 60
# notice: 0
"""Mel-to-wave toy vocoder: spectral warm-up, then the adversarial part."""
import torch
from torch import nn
import torch.nn.functional as F
torch.set_num_threads(1)
HOP = 8


class Generator(nn.Module):
    def __init__(self, mels=6):
        super().__init__()
        self.pre = nn.Conv1d(mels, 12, 3, padding=1)
        self.up = nn.ConvTranspose1d(12, 6, HOP, stride=HOP)
        self.post = nn.Conv1d(6, 1, 7, padding=3)

    def forward(self, m):
        return torch.tanh(self.post(F.leaky_relu(self.up(F.leaky_relu(self.pre(m), 0.1)), 0.1)))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv1d(1, 6, 9, 4, 4), nn.Conv1d(6, 8, 9, 4, 4), nn.Conv1d(8, 1, 3, 1, 1)])

    def forward(self, w):
        maps = []
        for layer in self.layers[:-1]:
            w = F.leaky_relu(layer(w), 0.2)
            maps.append(w)
        return self.layers[-1](w), maps


def critic_objective(critic, real, fake):
    r, _ = critic(real)
    f, _ = critic(fake)  # <- culprit
    return (r - 1).pow(2).mean() + f.pow(2).mean()


def generator_objective(critic, real, fake):
    score, maps = critic(fake)
    with torch.no_grad():
        _, wanted = critic(real)
    return (score - 1).pow(2).mean() + 2 * sum(F.l1_loss(a, b) for a, b in zip(maps, wanted))


def spectral(a, b):
    spec = lambda w: torch.stft(w.squeeze(1), 16, 4, window=torch.hann_window(16), return_complex=True).abs()
    return F.l1_loss(spec(a), spec(b))


class Recipe:
    def __init__(self, warmup=60):
        self.g, self.d = Generator(), Critic()
        self.g_opt = torch.optim.AdamW(self.g.parameters(), 2e-3)
        self.d_opt = torch.optim.AdamW(self.d.parameters(), 1e-3)
        self.warmup = warmup

    def batch(self):
        f = torch.rand(3, 1, 1) * 0.5 + 0.1
        t = torch.arange(16 * HOP).float()
        wave = torch.sin(f * t) * 0.8
        mel = wave.unfold(2, HOP, HOP).abs().mean(-1) * torch.linspace(0.5, 2, 6)[None, :, None]
        return mel + f, wave

    def step(self, it):
        mel, wave = self.batch()
        fake = self.g(mel)
        loss = spectral(fake, wave)
        self.g_opt.zero_grad()
        if it >= self.warmup:
            self.d_opt.zero_grad()
            d_loss = critic_objective(self.d, wave, fake)
            d_loss.backward()
            loss = 10 * loss + generator_objective(self.d, wave, fake)
        loss.backward()
        self.g_opt.step()
        if it >= self.warmup:
            self.d_opt.step()
        return loss.item()


torch.manual_seed(31)
recipe = Recipe()
for it in range(500):
    value = recipe.step(it)
    if it % 20 == 0:
        print(it, round(value, 4))
