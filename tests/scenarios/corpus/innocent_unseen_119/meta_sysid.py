# gradwatch-corpus: kind=none
"""Learning initial parameters (and step sizes) for fast pendulum identification.

Outer problem: theta0 and log step sizes such that two gradient steps on 0.6 s of data give a
good prediction.  Second-order, written with plain dicts; an anytime evaluation uses
torch.func with vmap over a batch of unseen devices.
"""
import math
import numpy as np
import torch
from torch.func import grad, vmap

torch.set_num_threads(1)
torch.manual_seed(40)
rng = np.random.default_rng(40)

DT, NT, INNER, OUTER = 0.1, 6, 2, 300
names = ('w2', 'damp', 'drive')


def rollout(th, x0, u):
    q, v = x0[0], x0[1]
    out = []
    for k in range(NT):
        a = -th['w2'].exp() * torch.sin(q) - th['damp'].exp() * v + th['drive'] * u[k]
        v = v + DT * a
        q = q + DT * v
        out.append(q)
    return torch.stack(out)


def mse(th, x0, u, y):
    return (rollout(th, x0, u) - y).pow(2).mean()


def device():
    return {'w2': torch.tensor(math.log(rng.uniform(4, 9)), dtype=torch.float32),
            'damp': torch.tensor(math.log(rng.uniform(0.1, 0.5)), dtype=torch.float32),
            'drive': torch.tensor(rng.uniform(0.5, 2.0), dtype=torch.float32)}


def experiment(dev):
    x0 = torch.tensor(rng.uniform(-1, 1, 2), dtype=torch.float32)
    u = torch.tensor(np.cumsum(rng.standard_normal(NT)), dtype=torch.float32)
    with torch.no_grad():
        y = rollout(dev, x0, u) + 0.01 * torch.randn(NT)
    return x0, u, y


theta0 = {n: torch.tensor(v, requires_grad=True) for n, v in zip(names, (1.0, -1.0, 0.5))}
steps = {n: torch.tensor(math.log(0.3), requires_grad=True) for n in names}
everything = list(theta0.values()) + list(steps.values())
opt = torch.optim.Adam(everything, lr=0.01)


def adapt(th, data):
    path = [th]
    for _ in range(INNER):
        cur = path[-1]
        g = torch.autograd.grad(mse(cur, *data), [cur[n] for n in names], create_graph=True)
        path.append({n: cur[n] - steps[n].exp() * gi for n, gi in zip(names, g)})
    return path


@torch.no_grad()
def anytime(n_dev=5):
    devs = [device() for _ in range(n_dev)]
    fit = [experiment(d) for d in devs]
    val = [experiment(d) for d in devs]
    pack = lambda L: tuple(torch.stack(c) for c in zip(*L))
    th = {n: theta0[n].detach().expand(n_dev).clone() for n in names}
    gfun = vmap(grad(mse))
    errs = []
    for _ in range(INNER + 1):
        errs.append(vmap(mse)(th, *pack(val)).median().item())
        g = gfun(th, *pack(fit))
        th = {n: th[n] - steps[n].detach().exp() * g[n] for n in names}
    return errs


log = {'outer': [], 'paths': [], 'ema': None}
for it in range(OUTER):
    dev = device()
    path = adapt(theta0, experiment(dev))
    val = experiment(dev)
    per_step = torch.stack([mse(p, *val) for p in path[1:]])
    w = torch.linspace(0.2, 1.0, INNER)
    loss = (w * per_step).sum() / w.sum()
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(everything, 1.0)
    opt.step()
    with torch.no_grad():
        log['ema'] = per_step[-1] if log['ema'] is None else log['ema'].lerp(per_step[-1], 0.05)
    log['outer'].append(loss.item())
    log['paths'].append([{n: float(p[n].detach()) for n in names} for p in path])
    if it % 75 == 74:
        print(f"{it + 1:4d}  outer {np.mean(log['outer'][-40:]):.4f}  ema {float(log['ema']):.4f}  steps",
              {n: round(v.exp().item(), 3) for n, v in steps.items()}, ' anytime', np.round(anytime(), 4))
