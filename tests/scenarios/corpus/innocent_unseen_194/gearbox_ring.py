# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.manual_seed(8)

RING = 64


class GearboxMonitor(nn.Module):
    """Autoencoder over vibration spectra with an alarm on the recent errors."""

    def __init__(self, bins=48, code=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(bins, 32), nn.ELU(), nn.Linear(32, code))
        self.dec = nn.Sequential(nn.Linear(code, 32), nn.ELU(), nn.Linear(32, bins))
        self.errors = [None] * RING
        self.cursor = 0

    def forward(self, spectrum):
        return self.dec(self.enc(spectrum))

    def remember(self, error):
        self.errors[self.cursor % RING] = error
        self.cursor += 1

    def alarm_level(self, sigmas=3.0):
        filled = [e.item() for e in self.errors if e is not None]
        values = torch.tensor(filled)
        return (values.mean() + sigmas * values.std(unbiased=False)).item()


def spectra(n, wear, gen):
    f = torch.linspace(0, 1, 48)
    mesh = 0.25 + 0.02 * torch.randn(n, 1, generator=gen)
    tone = torch.exp(-((f - mesh) / 0.03) ** 2)
    side = wear * torch.exp(-((f - mesh - 0.1) / 0.03) ** 2)
    return tone + side + 0.05 * torch.randn(n, 48, generator=gen)


def run(hours=600):
    gen = torch.Generator().manual_seed(81)
    monitor = GearboxMonitor()
    opt = torch.optim.Adam(monitor.parameters(), lr=1.5e-3)
    alarms = 0
    for hour in range(hours):
        wear = 0.0 if hour < 450 else (hour - 450) / 300
        x = spectra(24, wear, gen)
        error = (monitor(x) - x).pow(2).mean(1)
        loss = error.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()

        peak = error.max()
        if hour > RING and peak.item() > monitor.alarm_level(5.0):
            alarms += 1
        monitor.remember(peak)
        if hour % 100 == 99:
            print(f"h{hour + 1:4d} error {loss.item():.4f} level {monitor.alarm_level():.4f} alarms {alarms}")


if __name__ == "__main__":
    run()
