# gradwatch-corpus: kind=none
import random

import torch

from encoder import ViewEncoder, info_nce
from registry import ViewRegistry


def augment(x, gen):
    keep = (torch.rand(x.shape, generator=gen) > 0.2).float()
    return x * keep + 0.1 * torch.randn(x.shape, generator=gen)


def main(steps=450, reviewers=6):
    torch.manual_seed(30)
    rng = random.Random(31)
    gen = torch.Generator().manual_seed(32)
    basis = torch.randn(10, 32, generator=gen)
    net = ViewEncoder(32, 16)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    registry = ViewRegistry()
    desks = [None] * reviewers
    for step in range(steps):
        base = torch.randn(32, 10, generator=gen) @ basis
        a, b = net(augment(base, gen)), net(augment(base, gen))
        loss = info_nce(a, b)
        opt.zero_grad()
        loss.backward()
        opt.step()
        view = registry.open(step, a, loss)
        desks[rng.randrange(reviewers)] = view
        if step % 75 == 0:
            print(f"step {step} nce {loss.item():.4f} open views {len(registry)} oldest {registry.oldest()} "
                  f"spread {registry.spread():.3f}")


if __name__ == "__main__":
    main()
