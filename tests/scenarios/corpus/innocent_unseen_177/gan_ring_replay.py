# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

LATENT = 8
STEPS = 700
POOL = 32


def eight_gaussians(n, gen):
    centre = torch.randint(0, 8, (n,), generator=gen).float() * (3.14159265 / 4)
    pts = torch.stack([centre.cos(), centre.sin()], 1) * 2.0
    return pts + 0.1 * torch.randn(n, 2, generator=gen)


def mlp(*sizes, last=None):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    layers.pop()
    if last is not None:
        layers.append(last)
    return nn.Sequential(*layers)


class FakePool:
    """Slots are overwritten in order of the step counter."""

    def __init__(self, slots):
        self.slots = [None] * slots

    def put(self, step, fake):
        self.slots[step % len(self.slots)] = fake

    def draw(self, k, gen):
        filled = [s for s in self.slots if s is not None]
        picks = torch.randint(0, len(filled), (k,), generator=gen).tolist()
        return torch.cat([filled[p][: 64 // k] for p in picks])


def gradient_penalty(critic, real, fake):
    alpha = torch.rand(real.size(0), 1)
    mix = (alpha * real + (1 - alpha) * fake.detach()).requires_grad_()
    score = critic(mix).sum()
    (grad,) = torch.autograd.grad(score, mix, create_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


def train():
    torch.manual_seed(31)
    gen = torch.Generator().manual_seed(77)
    G = mlp(LATENT, 48, 48, 2)
    D = mlp(2, 48, 48, 1)
    opt_g = torch.optim.Adam(G.parameters(), lr=5e-4, betas=(0.5, 0.9))
    opt_d = torch.optim.Adam(D.parameters(), lr=5e-4, betas=(0.5, 0.9))
    pool = FakePool(POOL)
    board = {"g": [], "d_real": [], "d_fake": [], "gp": []}

    for step in range(STEPS):
        real = eight_gaussians(64, gen)
        fake = G(torch.randn(64, LATENT, generator=gen))
        pool.put(step, fake)

        opt_d.zero_grad()
        d_real = F.softplus(-D(real)).mean()
        d_real.backward()
        seen = pool.draw(4, gen).detach()
        d_fake = F.softplus(D(seen)).mean()
        gp = gradient_penalty(D, real, seen)
        (d_fake + 2.0 * gp).backward()
        opt_d.step()

        for p in D.parameters():
            p.requires_grad_(False)
        opt_g.zero_grad()
        g_loss = F.softplus(-D(fake)).mean()
        g_loss.backward()
        opt_g.step()
        for p in D.parameters():
            p.requires_grad_(True)

        for name, value in (("g", g_loss), ("d_real", d_real), ("d_fake", d_fake), ("gp", gp)):
            board[name].append(value)
        if step % 25 == 24:
            line = {k: torch.stack(v).mean().item() for k, v in board.items()}
            for v in board.values():
                v.clear()
            if step % 100 == 99:
                print(step + 1, " ".join(f"{k}={v:.3f}" for k, v in line.items()))
    return G


if __name__ == "__main__":
    G = train()
    with torch.no_grad():
        radius = G(torch.randn(512, LATENT)).norm(dim=1)
    print("radius %.3f +- %.3f" % (radius.mean(), radius.std()))
