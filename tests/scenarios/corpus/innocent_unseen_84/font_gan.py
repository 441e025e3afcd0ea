# gradwatch-corpus: kind=none
# Letterforms from noise: critic with gradient penalty, generator EMA, pool of earlier fakes.
import copy
import random
from collections import deque

import torch
from torch import nn, autograd

SIDE, Z = 8, 6


class Events:
    def __init__(self):
        self.handlers = {}

    def subscribe(self, name):
        def add(fn):
            self.handlers.setdefault(name, []).append(fn)
            return fn
        return add

    def publish(self, name, **kw):
        for fn in self.handlers.get(name, ()):
            fn(**kw)


events = Events()
recent = deque(maxlen=25)
curve = []


@events.subscribe("critic_done")
def keep_recent(loss, penalty, **_):
    recent.append((loss, penalty))


@events.subscribe("round_done")
def report(step, g_loss, **_):
    curve.append(float(g_loss.detach()))
    if step % 80 == 0:
        mean = torch.stack([l for l, _ in recent]).mean().item()
        print(f"{step:4d} critic {mean:+.3f} generator {curve[-1]:+.3f}")


class Pool:
    def __init__(self, size):
        self.size, self.items = size, []

    def exchange(self, fakes):
        out = []
        for f in fakes.detach():
            if len(self.items) < self.size:
                self.items.append(f)
                out.append(f)
            elif random.random() < 0.5:
                k = random.randrange(self.size)
                self.items[k], old = f, self.items[k]
                out.append(old)
            else:
                out.append(f)
        return torch.stack(out)


def letters(n, g):
    base = torch.zeros(n, SIDE, SIDE)
    col = torch.randint(1, SIDE - 1, (n,), generator=g)
    row = torch.randint(1, SIDE - 1, (n,), generator=g)
    base[torch.arange(n), :, col] = 1
    base[torch.arange(n), row, :] = 1
    return base.flatten(1) + 0.05 * torch.randn(n, SIDE * SIDE, generator=g)


def gradient_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    point = (mix * real + (1 - mix) * fake).requires_grad_()
    (g,) = autograd.grad(critic(point).sum(), point, create_graph=True)
    return (g.norm(dim=-1) - 1).pow(2).mean()


@torch.no_grad()
def follow(slow, fast, decay=0.98):
    for s, f in zip(slow.parameters(), fast.parameters()):
        s.mul_(decay).add_(f, alpha=1 - decay)


def main(rounds=320, batch=24):
    torch.set_num_threads(1)
    torch.manual_seed(8)
    random.seed(8)
    g = torch.Generator().manual_seed(8)
    gen = nn.Sequential(nn.Linear(Z, 48), nn.ReLU(), nn.Linear(48, SIDE * SIDE), nn.Sigmoid())
    critic = nn.Sequential(nn.Linear(SIDE * SIDE, 48), nn.LeakyReLU(0.2), nn.Linear(48, 1))
    slow = copy.deepcopy(gen)
    opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
    pool = Pool(100)
    for step in range(rounds):
        real = letters(batch, g)
        fake = gen(torch.randn(batch, Z))
        old = pool.exchange(fake)
        penalty = gradient_penalty(critic, real, old)
        c_loss = critic(old).mean() - critic(real).mean() + 10 * penalty
        opt_c.zero_grad()
        c_loss.backward()
        opt_c.step()
        events.publish("critic_done", loss=c_loss, penalty=penalty)

        g_loss = -critic(fake).mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
        follow(slow, gen)
        events.publish("round_done", step=step, g_loss=g_loss)
    print("pool", len(pool.items), "ink", slow(torch.randn(64, Z)).mean().item())


if __name__ == "__main__":
    main()
