# gradwatch-corpus: kind=none
"""Steering a drag particle through a differentiable simulator; two objectives, conflicting gradients projected."""
import torch
import torch.nn as nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

torch.manual_seed(19)

DT, ROLL, N = 0.1, 12, 48
policy = nn.Sequential(nn.Linear(6, 48), nn.Tanh(), nn.Linear(48, 2))
params = list(policy.parameters())
buf = torch.zeros(sum(p.numel() for p in params))


def rollout(pos, vel, goal):
    effort = 0.0
    for _ in range(ROLL):
        u = 3 * torch.tanh(policy(torch.cat([pos, vel, goal], 1)))
        acc = u - 0.3 * vel * vel.norm(dim=1, keepdim=True)
        vel = vel + DT * acc
        pos = pos + DT * vel
        effort = effort + u.pow(2).mean()
    return pos, vel, effort / ROLL


def flat_grad(loss, keep):
    gs = torch.autograd.grad(loss, params, retain_graph=keep)
    return torch.cat([g.reshape(-1) for g in gs])


def project(g, h):
    dot = torch.dot(g, h)
    return g if dot >= 0 else g - dot / h.pow(2).sum().clamp_min(1e-12) * h


def fresh(n):
    return torch.randn(n, 2), 0.1 * torch.randn(n, 2), torch.randn(n, 2)


pos, vel, goal = fresh(N)
age = torch.randint(0, 5, (N,))
conflicts = 0
for it in range(120):
    end, v_end, effort = rollout(pos, vel, goal)
    reach = (end - goal).pow(2).sum(1).mean() + 0.1 * v_end.pow(2).sum(1).mean()

    g1 = flat_grad(reach, keep=True)
    g2 = flat_grad(0.2 * effort, keep=False)
    conflicts += int(torch.dot(g1, g2) < 0)
    g = project(g1, g2) + project(g2, g1)

    buf = 0.9 * buf + g
    vec = parameters_to_vector(params).detach()
    vector_to_parameters(vec - 0.01 * buf * min(1.0, 5.0 / buf.norm().item()), params)

    with torch.no_grad():
        age += 1
        p, v, q = fresh(N)
        done = (age >= 5)[:, None]
        pos = torch.where(done, p, end)
        vel = torch.where(done, v, v_end)
        goal = torch.where(done, q, goal)
        age[done.squeeze(1)] = 0
    if it % 30 == 29:
        print(it + 1, "reach %.3f effort %.3f conflicts %d" % (reach.item(), effort.item(), conflicts))
