# gradwatch-corpus: kind=second-backward
# holder: self.psf | spots.psf
# first-bad: 1
"""Blind deconvolution of smFISH spots: learn PSF width and a small denoiser together (rotation project)."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def gaussian_table(log_sigma, size):
    ax = torch.arange(size, dtype=torch.float32) - (size - 1) / 2
    r2 = ax[:, None] ** 2 + ax[None, :] ** 2
    sig = log_sigma.exp()
    k = torch.exp(-r2 / (2 * sig[:, None, None] ** 2))
    return k / k.sum((1, 2), keepdim=True)


class SpotModel(nn.Module):
    def __init__(self, channels=2, ksize=9, width=12):
        super().__init__()
        self.channels = channels
        self.ksize = ksize
        self.log_sigma = nn.Parameter(torch.zeros(channels))
        self.gain = nn.Parameter(torch.ones(channels))
        self.denoise = nn.Sequential(
            nn.Conv2d(channels, width, 3, padding=1), nn.GELU(),
            nn.Conv2d(width, channels, 3, padding=1), nn.Softplus(),
        )
        self.psf = gaussian_table(self.log_sigma, ksize)  # <- culprit

    def forward(self, img):
        density = self.denoise(img)
        kern = self.psf[:, None] * self.gain[:, None, None, None]  # <- culprit
        blurred = F.conv2d(density, kern, padding=self.ksize // 2, groups=self.channels)
        return density, blurred


def fake_images(n, gen, side=32, channels=2):
    dots = (torch.rand(n, channels, side, side, generator=gen) < 0.01).float() * 40
    true_k = gaussian_table(torch.tensor([0.2, 0.5]), 9)[:, None]
    img = F.conv2d(dots, true_k, padding=4, groups=channels)
    return img + 0.1 * torch.randn(img.shape, generator=gen)


def run(n_iter=100):
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(4)
    spots = SpotModel()
    opt = torch.optim.Adam([
        {"params": spots.denoise.parameters(), "lr": 2e-3},
        {"params": [spots.log_sigma, spots.gain], "lr": 1e-2},
    ])
    for it in range(n_iter):
        img = fake_images(4, gen)
        density, recon = spots(img)
        fidelity = F.mse_loss(recon, img)
        sparsity = density.mean()
        loss = fidelity + 1e-3 * sparsity
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            s = spots.log_sigma.detach().exp().tolist()
            print(f"{it:3d} fid={fidelity.item():.4f} sigma={s[0]:.2f},{s[1]:.2f}")


run()
