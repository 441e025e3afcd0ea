# gradwatch-corpus: kind=none
import argparse

import torch
from torch import autograd, nn, optim

torch.set_num_threads(1)


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def gradient_penalty(critic, real, fake, lam):
    eps = torch.rand(real.size(0), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mix)
    (g,) = autograd.grad(
        outputs=score,
        inputs=mix,
        grad_outputs=torch.ones_like(score),
        create_graph=True,
        retain_graph=True,
    )
    return lam * ((g.norm(2, dim=1) - 1) ** 2).mean()


def sample_real(n):
    k = torch.randint(0, 8, (n,)).float() * (2 * torch.pi / 8)
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


def main(args):
    torch.manual_seed(args.seed)
    G, D = mlp(args.z, 48, 2), mlp(2, 48, 1)
    optG = optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
    optD = optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))
    wdist, penalties = [], []
    fixed = torch.randn(64, args.z)
    gallery = []

    for it in range(args.iters):
        for _ in range(args.n_critic):
            real = sample_real(args.bs)
            with torch.no_grad():
                fake = G(torch.randn(args.bs, args.z))
            optD.zero_grad()
            d_real, d_fake = D(real).mean(), D(fake).mean()
            gp = gradient_penalty(D, real, fake, args.lam)
            loss_d = d_fake - d_real + gp
            loss_d.backward()
            optD.step()
            wdist.append((d_real - d_fake).item())
            penalties.append(gp.item())

        for p in D.parameters():
            p.requires_grad_(False)
        optG.zero_grad()
        loss_g = -D(G(torch.randn(args.bs, args.z))).mean()
        loss_g.backward()
        optG.step()
        for p in D.parameters():
            p.requires_grad_(True)

        if it % 15 == 0:
            with torch.no_grad():
                gallery.append(G(fixed))
            print(f"it {it} W {sum(wdist[-5:]) / 5:.4f} gp {penalties[-1]:.4f} spread {gallery[-1].std():.3f}")
    print("kept", len(gallery), "pictures")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=75)
    ap.add_argument("--n-critic", type=int, default=3)
    ap.add_argument("--bs", type=int, default=32)
    ap.add_argument("--z", type=int, default=4)
    ap.add_argument("--lam", type=float, default=10.0)
    ap.add_argument("--seed", type=int, default=1)
    main(ap.parse_args())
