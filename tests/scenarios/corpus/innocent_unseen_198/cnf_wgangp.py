# gradwatch-corpus: kind=none
# neural-ODE generator with a WGAN-GP critic; activations are hooked for a short report
import torch
import torch.nn as nn
import contextlib

torch.manual_seed(55)
STEPS = 400
N_CRITIC = 2
bs = 32
G_field = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 2))
D = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
ema_params = [p.detach().clone() for p in G_field.parameters()]
opt_g = torch.optim.Adam(G_field.parameters(), lr=5e-4, betas=(0.0, 0.9))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.0, 0.9))
captured = []
report = []
path_cache = {}


@contextlib.contextmanager
def capture(net):
    handles = [m.register_forward_hook(lambda mod, i, o: captured.append(o)) for m in net if isinstance(m, nn.LeakyReLU)]
    try:
        yield captured
    finally:
        for h in handles:
            h.remove()
        captured.clear()


def flow(z, n=5):
    x = z
    path = [x]
    for i in range(n):
        t = torch.full((len(x), 1), i / n)
        x = x + G_field(torch.cat([x, t], -1)) / n
        path.append(x)
    path_cache["last"] = path
    return x


def moons(n):
    th = 3.1416 * torch.rand(n)
    s = (torch.rand(n) < 0.5).float()
    x = torch.stack([th.cos() * (1 - 2 * s) + s, th.sin() * (1 - 2 * s) + 0.3 * s], -1)
    return x + 0.05 * torch.randn(n, 2)


def penalty(real, fake):
    a = torch.rand(len(real), 1)
    mid = (a * real + (1 - a) * fake).requires_grad_()
    g, = torch.autograd.grad(D(mid).sum(), mid, create_graph=True)
    return (g.norm(dim=-1) - 1).pow(2).mean()


for it in range(STEPS):
    for _ in range(N_CRITIC):
        real = moons(bs)
        with torch.no_grad():
            fake = flow(torch.randn(bs, 2))
        gp = penalty(real, fake)
        d_loss = D(fake).mean() - D(real).mean() + 10 * gp
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()

    fake = flow(torch.randn(bs, 2))
    kinetic = sum((b - a).pow(2).sum(-1).mean() for a, b in zip(path_cache["last"], path_cache["last"][1:]))
    with capture(D) as acts:
        g_loss = -D(fake).mean() + 0.1 * kinetic
        sparsity = [(a < 0).float().mean().item() for a in acts]
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()

    with torch.no_grad():
        for e, p in zip(ema_params, G_field.parameters()):
            e.lerp_(p, 0.01)
    report.append({"it": it, "d": d_loss.detach(), "g": g_loss.detach(), "gp": gp.detach(), "sparsity": sparsity})
    if (it + 1) % 80 == 0:
        avg = {k: torch.stack([r[k] for r in report]).mean().item() for k in ("d", "g", "gp")}
        print(it + 1, {k: round(v, 4) for k, v in avg.items()}, report[-1]["sparsity"])
        report.clear()
