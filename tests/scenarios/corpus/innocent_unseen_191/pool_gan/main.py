# gradwatch-corpus: kind=none
import torch
import torch.nn as nn

from nets import critic, generator, penalty
from pool import SamplePool


def real_batch(n, gen):
    k = torch.randint(6, (n,), generator=gen) * 1.0472
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.1 * torch.randn(n, 2, generator=gen)


def main(steps=450, critic_per_gen=3):
    torch.manual_seed(110)
    data = torch.Generator().manual_seed(111)
    G, D = generator(), critic()
    opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
    opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))
    pool = SamplePool(slots=48)
    fresh = None
    for step in range(steps):
        real = real_batch(32, data)
        if step % critic_per_gen:
            with torch.no_grad():
                fake = G(torch.randn(32, 4))
        else:
            fake = fresh = G(torch.randn(32, 4))
        seen = pool.exchange(fake)
        d_loss = D(seen).mean() - D(real).mean() + 5 * penalty(D, real, seen)
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()
        if step % critic_per_gen == 0:
            g_loss = -D(fresh).mean()
            opt_g.zero_grad()
            g_loss.backward()
            opt_g.step()
        if step % 90 == 0:
            print(f"{step} d {d_loss.item():+.4f} g {g_loss.item():+.4f} pool {len(pool)}")


if __name__ == "__main__":
    main()
