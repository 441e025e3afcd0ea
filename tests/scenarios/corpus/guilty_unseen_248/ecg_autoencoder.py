# gradwatch-corpus: kind=second-backward
# holder: anchor_z
# first-bad: 40
"""Denoising conv autoencoder for heart beat windows.

After a warm-up on healthy beats we go on with noisy ambulatory recordings; the latents of a small
reference set should not drift away from where they were at the end of the warm-up.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 77
WARMUP = 40
TOTAL = 120
BATCH = 32
LENGTH = 128
DRIFT_WEIGHT = 0.3


def heart_beats(n, noise):
    t = torch.linspace(-1, 1, LENGTH)
    center = 0.1 * torch.randn(n, 1)
    width = 0.04 + 0.02 * torch.rand(n, 1)
    qrs = torch.exp(-((t - center) / width) ** 2)
    p_wave = 0.2 * torch.exp(-((t - center + 0.4) / 0.1) ** 2)
    t_wave = 0.35 * torch.exp(-((t - center - 0.5) / 0.15) ** 2)
    clean = (qrs + p_wave + t_wave).unsqueeze(1)
    drift = noise * torch.sin(3 * t + 6 * torch.rand(n, 1)).unsqueeze(1)
    return clean, clean + drift + noise * 0.3 * torch.randn_like(clean)


class ConvAE(nn.Module):
    def __init__(self, latent=12):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv1d(1, 8, 7, stride=2, padding=3), nn.GELU(),
            nn.Conv1d(8, 16, 5, stride=2, padding=2), nn.GELU(),
            nn.Conv1d(16, 16, 5, stride=2, padding=2), nn.GELU(),
        )
        self.to_z = nn.Linear(16 * 16, latent)
        self.from_z = nn.Linear(latent, 16 * 16)
        self.dec = nn.Sequential(
            nn.ConvTranspose1d(16, 16, 4, stride=2, padding=1), nn.GELU(),
            nn.ConvTranspose1d(16, 8, 4, stride=2, padding=1), nn.GELU(),
            nn.ConvTranspose1d(8, 1, 4, stride=2, padding=1),
        )

    def encode(self, x):
        return self.to_z(self.enc(x).flatten(1))

    def decode(self, z):
        return self.dec(self.from_z(z).view(-1, 16, 16))

    def forward(self, x):
        z = self.encode(x)
        return self.decode(z), z


def main():
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    model = ConvAE()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    _, ref_x = heart_beats(16, noise=0.05)
    anchor_z = None
    history = {"recon": [], "drift": []}

    for step in range(TOTAL):
        if step < WARMUP:
            noise = 0.05
        else:
            noise = 0.25
        clean, noisy = heart_beats(BATCH, noise)

        if step == WARMUP - 1:
            anchor_z = model.encode(ref_x)  # <- culprit
            print("reference latents frozen at step", step)

        recon, z = model(noisy)
        recon_loss = F.mse_loss(recon, clean)
        if anchor_z is not None:
            drift = F.mse_loss(model.encode(ref_x), anchor_z)  # <- culprit
        else:
            drift = torch.zeros(())
        loss = recon_loss + DRIFT_WEIGHT * drift + 1e-4 * z.pow(2).mean()

        opt.zero_grad()
        loss.backward()
        opt.step()

        history["recon"].append(recon_loss.item())
        history["drift"].append(drift.item())
        if step % 10 == 0:
            print("step %3d  recon %.5f  drift %.5f" % (step, history["recon"][-1], history["drift"][-1]))

    print("final recon %.5f" % (sum(history["recon"][-10:]) / 10))


if __name__ == "__main__":
    main()
