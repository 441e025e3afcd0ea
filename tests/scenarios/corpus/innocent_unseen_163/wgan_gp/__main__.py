# gradwatch-corpus: kind=none
import torch
from torch import nn

from .meters import Smooth
from .penalty import gradient_penalty

torch.set_num_threads(1)

NZ, N_CRITIC = 6, 3


def mlp(i, o, h=40):
    return nn.Sequential(nn.Linear(i, h), nn.Softplus(), nn.Linear(h, h), nn.Softplus(), nn.Linear(h, o))


def mixture(n):
    which = torch.randint(0, 4, (n,))
    c = torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    return c[which] + 0.1 * torch.randn(n, 2)


def main():
    torch.manual_seed(12)
    G, C = mlp(NZ, 2), mlp(2, 1)
    opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.0, 0.9))
    opt_c = torch.optim.Adam(C.parameters(), lr=1e-3, betas=(0.0, 0.9))
    meter = Smooth()
    fixed = torch.randn(8, NZ)
    snapshots = []

    for it in range(60):
        for _ in range(N_CRITIC):
            real = mixture(64)
            with torch.no_grad():
                fake = G(torch.randn(64, NZ))
            wass = C(real).mean() - C(fake).mean()
            gp = gradient_penalty(C, real, fake)
            opt_c.zero_grad()
            (gp - wass).backward()
            opt_c.step()
            meter.push(wass=wass.item(), gp=gp.item())

        C.requires_grad_(False)
        g_loss = -C(G(torch.randn(64, NZ))).mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
        C.requires_grad_(True)
        meter.push(g=g_loss.item())

        if it % 10 == 0:
            with torch.no_grad():
                snapshots.append(G(fixed).numpy().copy())
            print(f"it {it:3d}  {meter}")
    print("snapshots", len(snapshots), "spread", snapshots[-1].std())


if __name__ == "__main__":
    main()
