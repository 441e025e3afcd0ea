# gradwatch-corpus: kind=none
"""Discrete soft actor-critic on a grid, shared encoder, separate backward passes."""
import copy
import random
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
random.seed(0)

SIZE = 5
MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]


class Transition(NamedTuple):
    obs: torch.Tensor
    act: int
    rew: float
    nxt: torch.Tensor
    done: bool
    logp: torch.Tensor


class Replay:
    def __init__(self, cap=100_000):
        self.cap, self.data = cap, []

    def push(self, *fields):
        fields = [f.detach() if torch.is_tensor(f) else f for f in fields]
        self.data.append(Transition(*fields))
        if len(self.data) > self.cap:
            self.data.pop(0)

    def sample(self, n):
        b = random.choices(self.data, k=n)
        return (torch.stack([t.obs for t in b]), torch.tensor([t.act for t in b]),
                torch.tensor([t.rew for t in b]), torch.stack([t.nxt for t in b]),
                torch.tensor([float(t.done) for t in b]))


class Grid:
    def reset(self):
        self.p, self.t = [random.randrange(SIZE), random.randrange(SIZE)], 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.p[0] / SIZE, self.p[1] / SIZE, 1.0])

    def step(self, a):
        dx, dy = MOVES[a]
        self.p = [min(SIZE - 1, max(0, self.p[0] + dx)), min(SIZE - 1, max(0, self.p[1] + dy))]
        self.t += 1
        goal = self.p == [SIZE - 1, SIZE - 1]
        return self.obs(), (1.0 if goal else -0.02), goal or self.t > 25


class SAC(nn.Module):
    def __init__(self, w=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(3, w), nn.Tanh())
        self.pi, self.q = nn.Linear(w, 4), nn.Linear(w, 4)
        self.log_alpha = nn.Parameter(torch.tensor(-3.0))


net = SAC()
target = copy.deepcopy(net).requires_grad_(False)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
replay, env = Replay(), Grid()
obs, returns, ret, alpha_trace = env.reset(), [], 0.0, []

for it in range(360):
    for _ in range(2):
        logp = F.log_softmax(net.pi(net.enc(obs)), -1)
        a = torch.multinomial(logp.exp(), 1).item()
        nxt, r, done = env.step(a)
        replay.push(obs, a, r, nxt, done, logp[a])
        ret += r
        obs = nxt
        if done:
            returns.append(ret)
            obs, ret = env.reset(), 0.0

    o, act, rew, nx, end = replay.sample(32)
    alpha = net.log_alpha.exp()
    z_next = target.enc(nx)
    lp_next = F.log_softmax(target.pi(z_next), -1)
    v_next = (lp_next.exp() * (target.q(z_next) - alpha.detach() * lp_next)).sum(-1)
    y = rew + 0.95 * (1 - end) * v_next

    z = net.enc(o)
    q = net.q(z)
    q_loss = F.mse_loss(q.gather(1, act[:, None]).squeeze(1), y)
    lp = F.log_softmax(net.pi(z), -1)
    pi_loss = (lp.exp() * (alpha.detach() * lp - q.detach())).sum(-1).mean()
    ent = -(lp.exp() * lp).sum(-1).mean()
    alpha_loss = alpha * (ent.detach() - 0.6)

    opt.zero_grad()
    q_loss.backward(retain_graph=True)  # the encoder output is shared
    pi_loss.backward()
    alpha_loss.backward()
    opt.step()
    with torch.no_grad():
        for tp, p in zip(target.parameters(), net.parameters()):
            tp.lerp_(p, 0.02)
    alpha_trace.append(alpha.detach().clone())
    if it % 60 == 59:
        tail = returns[-20:] or [0.0]
        print(f"{it + 1} q {q_loss.item():.4f} ent {ent.item():.3f} return {sum(tail) / len(tail):.2f}")

print("alpha", torch.stack(alpha_trace)[::90].tolist())
