# gradwatch-corpus: kind=none
"""Autoencoder for vibration spectra; metrics are computed by a background thread."""
import queue
import threading

import torch
from torch import nn
import torch.nn.functional as F


class SpectrumAE(nn.Module):
    def __init__(self, bins, latent=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(bins, 64), nn.ELU(), nn.Linear(64, latent))
        self.dec = nn.Sequential(nn.Linear(latent, 64), nn.ELU(), nn.Linear(64, bins))

    def forward(self, x):
        z = self.enc(x)
        return self.dec(z), z


class Telemetry(threading.Thread):
    def __init__(self, backlog=24):
        super().__init__(daemon=True)
        self.inbox = queue.Queue(maxsize=backlog)
        self.count = 0
        self.mean = 0.0
        self.m2 = 0.0

    def post(self, step, loss, latent):
        self.inbox.put((step, loss, latent))

    def run(self):
        batch = []
        while True:
            msg = self.inbox.get()
            if msg is None:
                break
            batch.append(msg)
            if len(batch) >= 16:
                self._digest(batch)
                batch.clear()
            del msg
        self._digest(batch)

    def _digest(self, batch):
        for _, loss, _ in batch:
            self.count += 1
            delta = loss.item() - self.mean
            self.mean += delta / self.count
            self.m2 += delta * (loss.item() - self.mean)
        if batch and batch[-1][0] % 5 == 0:
            step, _, z = batch[-1]
            print(f"[telemetry] {step} mean {self.mean:.4f} latent std {z.std().item():.3f}")

    def close(self):
        self.inbox.put(None)
        self.join()


def spectra(gen, n, bins):
    f = torch.linspace(0, 1, bins)
    centre = torch.rand(n, 2, 1, generator=gen)
    width = 0.02 + 0.05 * torch.rand(n, 2, 1, generator=gen)
    peaks = torch.exp(-((f - centre) / width) ** 2).sum(1)
    return peaks + 0.05 * torch.randn(n, bins, generator=gen)


def main(steps=500):
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(13)
    net = SpectrumAE(64)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    telemetry = Telemetry()
    telemetry.start()
    try:
        for step in range(steps):
            x = spectra(gen, 32, 64)
            recon, z = net(x)
            loss = F.mse_loss(recon, x) + 1e-3 * z.pow(2).mean()
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            telemetry.post(step, loss, z)
    finally:
        telemetry.close()
    print(f"{telemetry.count} losses, std {(telemetry.m2 / telemetry.count) ** 0.5:.4f}")


if __name__ == "__main__":
    main()
