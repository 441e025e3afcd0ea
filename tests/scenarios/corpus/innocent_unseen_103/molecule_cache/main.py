# gradwatch-corpus: kind=none
import random

import torch

from encoder import FragmentEncoder, solubility_head
from fragments import library, mixtures


def main():
    torch.set_num_threads(1)
    torch.manual_seed(17)
    rng = random.Random(18)
    frags, logp = library(70)
    enc = FragmentEncoder(frags, capacity=28)
    head = solubility_head(enc.width)
    opt = torch.optim.Adam([*enc.parameters(), *head.parameters()], lr=3e-3)
    running = 0.0
    for it in range(480):
        ids, y = mixtures(rng, logp)
        z = torch.stack([enc.embed(i) for i in ids]).mean(0)
        loss = (head(z) - y).square().sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        running = 0.97 * running + 0.03 * loss.item()
        if it % 80 == 79:
            near = enc.nearest_cached(ids[0])
            print(f"{it + 1} ema {running:.3f} cached {len(enc.recent)} nearest to {ids[0]}: {near}")


if __name__ == "__main__":
    main()
