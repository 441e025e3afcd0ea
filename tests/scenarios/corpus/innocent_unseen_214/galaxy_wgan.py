# gradwatch-corpus: kind=none
# Gradient-penalty GAN for small galaxy stamps, summer internship
import torch
import torch.nn as nn

LAMBDA = 10.0
NZ = 16


def galaxies(n, g, side=16):
    ax = torch.linspace(-1, 1, side)
    yy, xx = torch.meshgrid(ax, ax, indexing="ij")
    th = 3.1416 * torch.rand(n, 1, 1, generator=g)
    q = 0.4 + 0.6 * torch.rand(n, 1, 1, generator=g)
    re = 0.15 + 0.25 * torch.rand(n, 1, 1, generator=g)
    u = xx * th.cos() + yy * th.sin()
    v = (-xx * th.sin() + yy * th.cos()) / q
    img = torch.exp(-(u ** 2 + v ** 2).sqrt() / re)
    return (img + 0.02 * torch.randn(img.shape, generator=g))[:, None]


def critic():
    return nn.Sequential(nn.Conv2d(1, 16, 4, 2, 1), nn.LeakyReLU(0.2),
                         nn.Conv2d(16, 32, 4, 2, 1), nn.LeakyReLU(0.2),
                         nn.Flatten(), nn.Linear(32 * 16, 1))


def generator():
    return nn.Sequential(nn.Linear(NZ, 32 * 16), nn.ReLU(), nn.Unflatten(1, (32, 4, 4)),
                         nn.ConvTranspose2d(32, 16, 4, 2, 1), nn.ReLU(),
                         nn.ConvTranspose2d(16, 1, 4, 2, 1), nn.Softplus())


def penalty(D, real, fake, g):
    eps = torch.rand(len(real), 1, 1, 1, generator=g)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    out = D(mix)
    grad, = torch.autograd.grad(out, mix, torch.ones_like(out), create_graph=True, retain_graph=True)
    return ((grad.flatten(1).norm(dim=1) - 1) ** 2).mean()


def critic_step(D, G, opt, g, bs):
    real = galaxies(bs, g)
    with torch.no_grad():
        fake = G(torch.randn(bs, NZ, generator=g))
    gp = penalty(D, real, fake, g)
    w = D(real).mean() - D(fake).mean()
    loss = -w + LAMBDA * gp
    opt.zero_grad()
    loss.backward()
    opt.step()
    return w.item(), gp.item()


def gen_step(D, G, opt, g, bs):
    for p in D.parameters():
        p.requires_grad_(False)
    fake = G(torch.randn(bs, NZ, generator=g))
    loss = -D(fake).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    for p in D.parameters():
        p.requires_grad_(True)
    return fake.detach()


def main():
    torch.manual_seed(5)
    g = torch.Generator().manual_seed(5)
    D, G = critic(), generator()
    oD = torch.optim.Adam(D.parameters(), 4e-4, betas=(0.0, 0.9))
    oG = torch.optim.Adam(G.parameters(), 2e-4, betas=(0.0, 0.9))
    fixed = torch.randn(8, NZ, generator=g)
    gallery = {}
    for it in range(70):
        for _ in range(3):
            w, gp = critic_step(D, G, oD, g, 16)
        fake = gen_step(D, G, oG, g, 16)
        if it % 23 == 0:
            with torch.no_grad():
                gallery[it] = G(fixed)
            print(f"{it:3d} W={w:.3f} GP={gp:.3f} flux={fake.mean().item():.3f}")
    print("snapshots", sorted(gallery))


if __name__ == "__main__":
    main()
