# gradwatch-corpus: kind=none
"""Two-bucket rainfall-runoff model, calibrated sequentially over 30 years of daily forcing.

The stores are carried from window to window, gradients go over k windows at most.
"""
from collections import deque
import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(17)
rng = np.random.default_rng(17)

DAYS, WIN, KEEP = 2100, 6, 3
rain = torch.tensor(rng.gamma(0.35, 9.0, DAYS) * (rng.random(DAYS) < 0.4), dtype=torch.float64)
pet = torch.tensor(2.0 + 1.5 * np.sin(2 * np.pi * np.arange(DAYS) / 365), dtype=torch.float64)


def fluxes(s, p, e, par):
    wet = s['soil'] / par['cap']
    et = e * torch.clamp(wet, 0, 1)
    quick = p * torch.clamp(wet, 0, 1) ** par['beta']
    perc = par['kp'] * s['soil']
    base = par['kb'] * s['gw']
    new = {'soil': torch.clamp(s['soil'] + p - quick - et - perc, min=0.0), 'gw': s['gw'] + perc - base}
    return new, quick + base


def constrain(raw):
    return {'cap': 50 + 150 * torch.sigmoid(raw['cap']), 'beta': 1 + 3 * torch.sigmoid(raw['beta']),
            'kp': 0.2 * torch.sigmoid(raw['kp']), 'kb': 0.1 * torch.sigmoid(raw['kb'])}


def synth():
    par = {'cap': 120.0, 'beta': 2.2, 'kp': 0.06, 'kb': 0.03}
    s = {'soil': torch.tensor(60.0, dtype=torch.float64), 'gw': torch.tensor(40.0, dtype=torch.float64)}
    q = torch.zeros(DAYS, dtype=torch.float64)
    for d in range(DAYS):
        s, q[d] = fluxes(s, rain[d], pet[d], par)
    return q * torch.tensor(np.exp(0.05 * rng.standard_normal(DAYS)))


q_obs = synth()
raw = {k: torch.zeros((), dtype=torch.float64, requires_grad=True) for k in ('cap', 'beta', 'kp', 'kb')}
m1 = {k: 0.0 for k in raw}
m2 = {k: 0.0 for k in raw}
t64 = lambda v: torch.tensor(v, dtype=torch.float64)

# each entry: (state as a leaf at the start of a window, state at its end in the graph)
chain = deque([({}, {'soil': t64(50.0), 'gw': t64(20.0)})], maxlen=KEEP + 1)
recent = deque(maxlen=25)
table = []

for it in range(DAYS // WIN):
    enter = {k: v.detach().requires_grad_() for k, v in chain[-1][1].items()}
    par = constrain(raw)
    s, sim = enter, []
    for d in range(it * WIN, (it + 1) * WIN):
        s, q = fluxes(s, rain[d], pet[d], par)
        sim.append(q)
    loss = ((torch.stack(sim) + 0.1).log() - (q_obs[it * WIN:(it + 1) * WIN] + 0.1).log()).pow(2).mean()
    chain.append((enter, s))
    recent.append(loss)

    for p in raw.values():
        p.grad = None
    loss.backward(retain_graph=True)
    # push the sensitivity to the entering state through the windows still held
    for j in range(len(chain) - 1, 0, -1):
        begin, prev_end = chain[j][0], chain[j - 1][1]
        if begin['soil'].grad is None or not prev_end['soil'].requires_grad:
            break
        if chain[j - 1][0]:
            for v in chain[j - 1][0].values():
                v.grad = None
        torch.autograd.backward([prev_end[k] for k in prev_end], [begin[k].grad for k in prev_end], retain_graph=True)

    for k, p in raw.items():
        g = float(p.grad.clamp(-3, 3))
        m1[k] = 0.9 * m1[k] + 0.1 * g
        m2[k] = 0.99 * m2[k] + 0.01 * g * g
        p.data -= 0.03 * (m1[k] / (1 - 0.9 ** (it + 1))) / ((m2[k] / (1 - 0.99 ** (it + 1))) ** 0.5 + 1e-8)
    if it % 70 == 69:
        avg = torch.stack(list(recent)).mean().item()
        table.append([it + 1, avg] + [v.item() for v in constrain(raw).values()])
        print('win %4d  log-mse %.4f  cap %.1f beta %.2f kp %.3f kb %.3f' % tuple(table[-1]))
