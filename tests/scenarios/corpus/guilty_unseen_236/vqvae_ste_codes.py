# gradwatch-corpus: kind=graph-held
# holder: VectorQuantSTE.usage
# first-bad: 1
"""VQ-VAE on 1-d signals with a hand-written straight-through quantiser."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

config = {
    "data": {"length": 64, "batch": 32},
    "model": {"codes": 32, "code_dim": 8, "channels": 24},
    "optim": {"lr": 1e-3, "iters": 100, "beta": 0.25},
    "log": {"every": 25},
}


class VectorQuantSTE(torch.autograd.Function):
    usage = []

    @staticmethod
    def forward(ctx, z, codebook):
        d = torch.cdist(z, codebook)
        idx = d.argmin(dim=-1)
        VectorQuantSTE.usage.append((z, idx))  # <- culprit
        ctx.mark_non_differentiable(idx)
        return codebook[idx], idx

    @staticmethod
    def backward(ctx, grad_q, _grad_idx):
        return grad_q, None


def perplexity(n_codes, last=20):
    recent = torch.cat([idx for _, idx in VectorQuantSTE.usage[-last:]])
    p = torch.bincount(recent, minlength=n_codes).float()
    p = p / p.sum()
    return torch.exp(-(p * (p + 1e-10).log()).sum()).item()


def spread(last=20):
    zs = torch.cat([z.detach() for z, _ in VectorQuantSTE.usage[-last:]])
    return zs.std(dim=0).mean().item()


class VQVAE(nn.Module):
    def __init__(self, codes, code_dim, channels):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(1, channels, 4, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv1d(channels, channels, 4, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv1d(channels, code_dim, 1),
        )
        self.decoder = nn.Sequential(
            nn.ConvTranspose1d(code_dim, channels, 4, stride=2, padding=1),
            nn.ReLU(),
            nn.ConvTranspose1d(channels, 1, 4, stride=2, padding=1),
        )
        self.codebook = nn.Parameter(0.5 * torch.randn(codes, code_dim))

    def forward(self, x):
        z = self.encoder(x)
        b, c, t = z.shape
        flat = z.permute(0, 2, 1).reshape(b * t, c)
        q, idx = VectorQuantSTE.apply(flat, self.codebook)
        chosen = F.embedding(idx, self.codebook)
        commit = F.mse_loss(flat, chosen.detach())
        code = F.mse_loss(chosen, flat.detach())
        rec = self.decoder(q.view(b, t, c).permute(0, 2, 1))
        return rec, commit, code


def signals(n, length):
    t = torch.linspace(0.0, 1.0, length)
    f = 1.0 + 5.0 * torch.rand(n, 1)
    ph = 2.0 * math.pi * torch.rand(n, 1)
    saw = 2.0 * ((f * t + ph) % 1.0) - 1.0
    sine = torch.sin(2.0 * math.pi * f * t + ph)
    pick = (torch.rand(n, 1) < 0.5).float()
    return (pick * saw + (1.0 - pick) * sine).unsqueeze(1)


def main():
    torch.manual_seed(1234)
    model = VQVAE(**config["model"])
    opt = torch.optim.Adam(model.parameters(), lr=config["optim"]["lr"])
    sums = {"rec": 0.0, "commit": 0.0}
    every = config["log"]["every"]
    for it in range(1, config["optim"]["iters"] + 1):
        x = signals(config["data"]["batch"], config["data"]["length"])
        rec, commit, code = model(x)
        rec_loss = F.mse_loss(rec, x)
        loss = rec_loss + code + config["optim"]["beta"] * commit
        opt.zero_grad()
        loss.backward()
        opt.step()
        sums["rec"] += rec_loss.item()
        sums["commit"] += commit.item()
        if it % every == 0:
            line = " | ".join(f"{k} {v / every:.4f}" for k, v in sums.items())
            print(f"{it:4d} | {line} | ppl {perplexity(config['model']['codes']):.1f} | spread {spread():.3f}")
            sums = {k: 0.0 for k in sums}


if __name__ == "__main__":
    main()
