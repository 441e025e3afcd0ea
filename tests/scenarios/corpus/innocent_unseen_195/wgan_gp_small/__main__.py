# gradwatch-corpus: kind=none
import torch

from .models import critic, generator
from .penalty import GradientPenalty


class ImagePool:
    """History of generated points, as in SimGAN."""

    def __init__(self, size, gen):
        self.size, self.gen, self.items = size, gen, []

    def exchange(self, batch):
        out = []
        for row in batch.detach():
            if len(self.items) < self.size:
                self.items.append(row.clone())
                out.append(row)
            elif torch.rand(1, generator=self.gen).item() < 0.5:
                k = int(torch.randint(0, self.size, (1,), generator=self.gen))
                out.append(self.items[k])
                self.items[k] = row.clone()
            else:
                out.append(row)
        return torch.stack(out)


def spiral(n, gen):
    t = torch.rand(n, generator=gen) * 6 + 1
    return torch.stack([t.cos(), t.sin()], 1) * t[:, None] / 5 + 0.03 * torch.randn(n, 2, generator=gen)


def main(iters=420, n_critic=2, batch=16):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    G, C = generator(), critic()
    opt_g = torch.optim.Adam(G.parameters(), lr=5e-4, betas=(0.0, 0.9))
    opt_c = torch.optim.Adam(C.parameters(), lr=5e-4, betas=(0.0, 0.9))
    penalty, pool = GradientPenalty(), ImagePool(100, gen)
    history = {"w": [], "g": []}
    for it in range(iters):
        for _ in range(n_critic):
            with torch.no_grad():
                fake = G(torch.randn(batch, 4))
            fake, real = pool.exchange(fake), spiral(batch, gen)
            w = C(real).mean() - C(fake).mean()
            opt_c.zero_grad()
            (-w + penalty(C, real, fake)).backward()
            opt_c.step()
        for p in C.parameters():
            p.requires_grad_(False)
        g_loss = -C(G(torch.randn(batch, 4))).mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
        for p in C.parameters():
            p.requires_grad_(True)
        history["w"].append(w.detach())
        history["g"].append(g_loss.detach())
        if len(history["w"]) == 70:
            means = {k: torch.stack(v).mean().item() for k, v in history.items()}
            print(f"{it + 1} W {means['w']:.4f} G {means['g']:.4f} gp-norm {penalty.norms[-1]:.3f}")
            history = {"w": [], "g": []}


if __name__ == "__main__":
    main()
