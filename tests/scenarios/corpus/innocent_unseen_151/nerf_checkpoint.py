# gradwatch-corpus: kind=none
import numpy as np
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)


class NeRF(nn.Module):
    def __init__(self, width=32, freqs=4):
        super().__init__()
        self.register_buffer("bands", 2.0 ** torch.arange(freqs))
        self.net = nn.Sequential(nn.Linear(3 + 6 * freqs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 4))

    def forward(self, x):
        xb = (x[..., None] * self.bands).flatten(-2)
        return self.net(torch.cat([x, xb.sin(), xb.cos()], -1))


def batchify(fn, chunk):
    def ret(pts):
        flat = pts.reshape(-1, 3)
        out = [checkpoint(fn, flat[i:i + chunk], use_reentrant=False) for i in range(0, len(flat), chunk)]
        return torch.cat(out).reshape(*pts.shape[:-1], 4)
    return ret


def composite(raw, z):
    dists = torch.cat([z[:, 1:] - z[:, :-1], torch.full_like(z[:, :1], 1e2)], -1)
    alpha = 1 - torch.exp(-torch.relu(raw[..., 3]) * dists)
    trans = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], -1), -1)[:, :-1]
    w = alpha * trans
    return (w[..., None] * torch.sigmoid(raw[..., :3])).sum(1), w


def sample_pdf(bins, weights, n):
    pdf = (weights + 1e-5) / (weights + 1e-5).sum(-1, keepdim=True)
    cdf = torch.cat([torch.zeros_like(pdf[:, :1]), pdf.cumsum(-1)], -1)
    u = torch.rand(len(bins), n)
    idx = torch.searchsorted(cdf, u, right=True).clamp(1, bins.shape[-1] - 1)
    return bins.gather(1, idx - 1) + torch.rand_like(u) * (bins.gather(1, idx) - bins.gather(1, idx - 1))


def render(coarse, fine, o, d, n_c=8, n_f=8, chunk=96):
    z = torch.linspace(1.0, 3.0, n_c).expand(len(o), n_c) + torch.rand(len(o), n_c) * 0.2
    rgb0, w = composite(batchify(coarse, chunk)(o[:, None] + d[:, None] * z[..., None]), z)
    z_fine = sample_pdf(z, w.detach()[:, :-1], n_f)
    z_all, _ = torch.sort(torch.cat([z, z_fine], -1), -1)
    rgb, _ = composite(batchify(fine, chunk)(o[:, None] + d[:, None] * z_all[..., None]), z_all)
    return rgb, rgb0


def main(iters=80, n_rand=32):
    torch.manual_seed(2)
    d = nn.functional.normalize(torch.randn(512, 3), dim=-1)
    o = -2 * d + 0.05 * torch.randn(512, 3)
    rgb_gt = 0.5 + 0.4 * torch.sin(3 * d)
    coarse, fine = NeRF(), NeRF()
    optimizer = torch.optim.Adam([*coarse.parameters(), *fine.parameters()], lr=5e-3)
    psnrs, renders = [], []
    for i in range(iters):
        sel = torch.randint(0, 512, (n_rand,))
        rgb, rgb0 = render(coarse, fine, o[sel], d[sel])
        img_loss = ((rgb - rgb_gt[sel]) ** 2).mean()
        loss = img_loss + ((rgb0 - rgb_gt[sel]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for g in optimizer.param_groups:
            g["lr"] = 5e-3 * 0.1 ** (i / iters)
        psnrs.append(-10 * np.log10(img_loss.item()))
        if i % 20 == 0:
            with torch.no_grad():
                renders.append(render(coarse, fine, o[:64], d[:64])[0])
            print(f"[TRAIN] Iter: {i} Loss: {loss.item():.4f} PSNR: {psnrs[-1]:.2f}")
    print("video", torch.stack(renders).shape)


if __name__ == "__main__":
    main()
