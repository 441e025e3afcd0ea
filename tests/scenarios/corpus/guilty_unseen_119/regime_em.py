# gradwatch-corpus: kind=second-backward
# holder: post | model['post'] | w
# first-bad: 61
# notice: 0
"""Switching AR(2) model of a load series: generalised EM with gradient M-steps.

Phase 1 (k = 0..59): hard regimes from a threshold on local variance.
Phase 2: soft regimes from a forward-backward pass, refreshed every `every` M-steps.
"""
import math
import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(4)
np.random.seed(4)

T, K = 90, 2


def make_series():
    A = np.array([[1.6, -0.75], [0.3, 0.2]])
    sd = np.array([0.15, 0.7])
    z, y = 0, [0.0, 0.0]
    for t in range(T):
        if np.random.rand() < 0.04:
            z = 1 - z
        y.append(A[z, 0] * y[-1] + A[z, 1] * y[-2] + sd[z] * np.random.randn())
    return torch.tensor(y, dtype=torch.float32)


y = make_series()
Y0 = y[2:]
LAG = torch.stack([y[1:-1], y[:-2]], 1)

model = {
    'ar': torch.tensor([[0.8, 0.0], [0.1, 0.0]], requires_grad=True),
    'logsd': torch.tensor([-1.0, 0.0], requires_grad=True),
    'stay': torch.full((K,), 2.0, requires_grad=True),
    'post': None,
    'every': 20,
}
leaves = [model[k] for k in ('ar', 'logsd', 'stay')]
opt = torch.optim.Adam(leaves, lr=0.02)


def emission():
    mean = LAG @ model['ar'].T
    sd = model['logsd'].exp()
    return -0.5 * ((Y0[:, None] - mean) / sd) ** 2 - model['logsd'] - 0.5 * math.log(2 * math.pi)


def log_trans():
    p = torch.sigmoid(model['stay'])
    return torch.stack([torch.stack([p[0], 1 - p[0]]), torch.stack([1 - p[1], p[1]])]).log()


def forward_backward(le, lt):
    la = [le[0] - math.log(K)]
    for t in range(1, T):
        la.append(le[t] + torch.logsumexp(la[-1][:, None] + lt, 0))
    lb = [torch.zeros(K)]
    for t in range(T - 1, 0, -1):
        lb.append(torch.logsumexp(lt + (le[t] + lb[-1])[None, :], 1))
    lb = torch.stack(lb[::-1])
    la = torch.stack(la)
    evidence = torch.logsumexp(la[-1], 0)
    return torch.exp(la + lb - evidence), evidence


def e_step():
    w, evidence = forward_backward(emission(), log_trans())
    model['post'] = w  # <- culprit
    return evidence.item()


def hard_regimes():
    dy = (y[2:] - y[1:-1]).abs()
    sm = torch.nn.functional.avg_pool1d(dy[None, None], 9, stride=1, padding=4)[0, 0]
    h = (sm > sm.median()).float()
    return torch.stack([1 - h, h], 1)


def m_objective(post):
    q_em = (post * emission()).sum()
    stay = (post[1:] * post[:-1]).sum(0)
    leave = (post[:-1] * (1 - post[1:])).sum(0)
    lt = log_trans()
    q_tr = (stay * torch.diagonal(lt)).sum() + (leave * torch.stack([lt[0, 1], lt[1, 0]])).sum()
    return -(q_em + q_tr) / T


model['post'] = hard_regimes()
ev = float('nan')
obj = np.zeros(400)
for k in range(400):
    if k >= 60 and (k - 60) % model['every'] == 0:
        ev = e_step()
    Q = m_objective(model['post'])  # <- culprit
    opt.zero_grad()
    Q.backward()
    opt.step()
    obj[k] = Q.item()
    if k % 20 == 0:
        print('%4d  Q %.4f  log evidence %.2f  sd %s' % (k, obj[k], ev, model['logsd'].detach().exp().numpy().round(3)))
