# gradwatch-corpus: kind=none
"""VQ-VAE with EMA codebook, learned loss weights and few-shot adapted decoders."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from .adapt import adapted_loss
from .model import VQAutoEncoder


@dataclass(frozen=True)
class Config:
    n_in: int = 16
    steps: int = 100
    batch: int = 48
    lr: float = 2e-3
    inner_steps: int = 3
    revive_every: int = 10


def tasks(n, d):
    """Every task has its own rotation of the same mixture."""
    rot, _ = torch.linalg.qr(torch.randn(d, d))
    centre = 2 * torch.eye(d)[torch.randint(8, (n,))]
    return (centre + 0.15 * torch.randn(n, d)) @ (0.8 * torch.eye(d) + 0.2 * rot)


def main(cfg=Config()):
    torch.manual_seed(33)
    net = VQAutoEncoder(cfg.n_in)
    log_var = torch.nn.Parameter(torch.zeros(3))
    opt = torch.optim.Adam([*net.parameters(), log_var], lr=cfg.lr)
    curve = []
    for step in range(1, cfg.steps + 1):
        x = tasks(cfg.batch, cfg.n_in)
        recon, codes, commit = net(x)
        half = cfg.batch // 2
        meta = adapted_loss(net.decoder, codes[:half], x[:half], codes[half:], x[half:], cfg.inner_steps)
        parts = torch.stack([F.mse_loss(recon, x), commit, meta])
        loss = (parts * torch.exp(-log_var) + log_var).sum()

        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        if step % cfg.revive_every == 0:
            net.quantizer.revive()
        curve.append(parts.detach())
        if step % 20 == 0:
            rec, com, ada = torch.stack(curve[-20:]).mean(0).tolist()
            print(f"{step} recon {rec:.3f} commit {com:.3f} adapted {ada:.3f} "
                  f"perplexity {net.quantizer.perplexity():.1f} weights {(-log_var).exp().tolist()}")


if __name__ == "__main__":
    main()
