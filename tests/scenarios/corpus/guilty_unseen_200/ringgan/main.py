# gradwatch-corpus: kind=graph-held
# holder: snapshots.frames | self.frames | self.snapshots.frames
# first-bad: 1
import torch
import torch.nn.functional as F

from nets import Critic, Generator
from viz import Snapshots


def ring(n, modes=8):
    k = torch.randint(0, modes, (n,))
    ang = k * (2 * torch.pi / modes)
    return torch.stack([ang.cos(), ang.sin()], 1) + 0.03 * torch.randn(n, 2)


def disc_step(D, opt, real, fake):
    out_r, out_f = D(real), D(fake.detach())
    loss = F.softplus(-out_r).mean() + F.softplus(out_f).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def gen_step(D, opt, fake):
    loss = F.softplus(-D(fake)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main(iters=420, batch=48, latent=6):
    torch.manual_seed(0)
    G, D = Generator(latent), Critic()
    g_opt = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.999))
    d_opt = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.999))
    snapshots = Snapshots(rows=16)
    for it in range(iters):
        real = ring(batch)
        fake = G(torch.randn(batch, latent))
        d = disc_step(D, d_opt, real, fake)
        for p in D.parameters():
            p.requires_grad_(False)
        g = gen_step(D, g_opt, fake)
        for p in D.parameters():
            p.requires_grad_(True)
        snapshots.take(it, fake)
        if it % 100 == 0:
            print(f"{it:4d} D {d:.3f} G {g:.3f} radius {snapshots.radius():.3f}")


if __name__ == "__main__":
    main()
