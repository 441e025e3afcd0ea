# gradwatch-corpus: kind=none
"""Learn the step size of an online genomic evaluation through short unrolls."""
import torch
from herd import Herd
from inner import Effects

torch.set_num_threads(1)
torch.manual_seed(0)


def squared(geno, y):
    return lambda b: (geno @ b - y).square().mean()


def main(seasons=310, unroll=3):
    herd = Herd(markers=40, seed=14)
    effects = Effects(40)
    log_rate = torch.full((40,), -3.0, requires_grad=True)
    meta = torch.optim.Adam([log_rate], lr=0.02)
    for season in range(seasons):
        meta.zero_grad()
        total = 0.0
        for _ in range(unroll):
            effects.descend(squared(*herd.animals(24)), log_rate.exp())
            total = total + squared(*herd.animals(24))(effects.now)
        (total / unroll).backward()
        meta.step()
        effects.rebase()
        herd.season()
        if season % 62 == 0:
            print(f"season {season:3d} mse {total.item() / unroll:.4f} |b| {effects.trail[-1]:.3f} "
                  f"rate {log_rate.exp().mean().item():.4f}")


main()
