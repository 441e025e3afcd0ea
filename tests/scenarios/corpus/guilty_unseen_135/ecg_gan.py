# gradwatch-corpus: kind=second-backward
# holder: beats["fake"]
# first-bad: 1
# notice: 0
"""GAN for single ECG beats (64 samples). Hinge loss, two time scales."""
import torch

torch.set_num_threads(1)
import torch.nn.functional as F
from torch import nn


def real_beats(n):
    t = torch.linspace(-1, 1, 64)
    amp = 1 + 0.2 * torch.randn(n, 1)
    qrs = amp * torch.exp(-((t - 0.05 * torch.randn(n, 1)) / 0.06) ** 2)
    twave = 0.3 * torch.exp(-((t - 0.5) / 0.15) ** 2)
    return (qrs + twave + 0.02 * torch.randn(n, 64)).unsqueeze(1)


class BeatGenerator(nn.Module):
    def __init__(self, z=8):
        super().__init__()
        self.z = z
        self.fc = nn.Linear(z, 8 * 16)
        self.up = nn.Sequential(
            nn.ConvTranspose1d(8, 6, 4, stride=2, padding=1), nn.LeakyReLU(0.2), nn.ConvTranspose1d(6, 1, 4, stride=2, padding=1)
        )

    def forward(self, n):
        h = F.leaky_relu(self.fc(torch.randn(n, self.z)), 0.2)
        return self.up(h.view(n, 8, 16))


def critic():
    return nn.Sequential(
        nn.utils.parametrizations.spectral_norm(nn.Conv1d(1, 8, 5, stride=2)),
        nn.LeakyReLU(0.2),
        nn.Flatten(),
        nn.Linear(8 * 30, 1),
    )


class GanLoop:
    def __init__(self):
        self.G, self.D = BeatGenerator(), critic()
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=3e-3, betas=(0.0, 0.9))

    def d_loss(self, beats):
        return F.relu(1 - self.D(beats["real"])).mean() + F.relu(1 + self.D(beats["fake"])).mean()  # <- culprit

    def g_loss(self, beats):
        return -self.D(beats["fake"]).mean()

    def step(self, n=12):
        beats = {"real": real_beats(n), "fake": self.G(n)}  # <- culprit
        out = {}
        for opt, objective in ((self.opt_d, self.d_loss), (self.opt_g, self.g_loss)):
            loss = objective(beats)
            opt.zero_grad()
            loss.backward()
            opt.step()
            out[objective.__name__] = loss.item()
        return out


if __name__ == "__main__":
    torch.manual_seed(77)
    loop = GanLoop()
    for k in range(400):
        logs = loop.step()
        if k % 100 == 0:
            print(k, logs)
