# gradwatch-corpus: kind=none
import copy
import random
from collections import deque
import torch
from torch import nn

torch.set_num_threads(1)


class Replay:
    def __init__(self, cap):
        self.mem = deque(maxlen=cap)

    def store(self, feat, a, r, feat2, end):
        self.mem.append((feat.detach(), a, r, feat2.detach(), end))

    def draw(self, k):
        f, a, r, f2, e = zip(*random.sample(self.mem, k))
        return torch.stack(f), torch.tensor(a), torch.tensor(r), torch.stack(f2), torch.tensor(e)


class NChain:
    def __init__(self, n=6):
        self.n, self.s = n, 0

    def vec(self):
        v = torch.zeros(self.n)
        v[self.s] = 1
        return v

    def act(self, a):
        if a:
            self.s = min(self.s + 1, self.n - 1)
        else:
            self.s = 0
        r = 1.0 if self.s == self.n - 1 else (0.05 if a == 0 else 0.0)
        end = self.s == self.n - 1
        if end:
            self.s = 0
        return r, float(end)


def soft(src, dst, tau):
    with torch.no_grad():
        for p, q in zip(src.parameters(), dst.parameters()):
            q.mul_(1 - tau).add_(p, alpha=tau)


random.seed(1)
torch.manual_seed(1)
basis = nn.Linear(6, 12)
q = nn.Sequential(nn.ReLU(), nn.Linear(12, 2))
q_t = copy.deepcopy(q).requires_grad_(False)
opt = torch.optim.Adam(q.parameters(), 3e-3)
env, rep = NChain(), Replay(150)
total = 0.0
for t in range(900):
    f = basis(env.vec())
    a = int(q(f).argmax()) if random.random() > 0.3 else random.randrange(2)
    r, end = env.act(a)
    total += r
    rep.store(f, a, r, basis(env.vec()), end)
    if t < 32:
        continue
    F, A, R, F2, E = rep.draw(16)
    tgt = R + 0.9 * (1 - E) * q_t(F2).amax(1)
    loss = nn.functional.smooth_l1_loss(q(F)[torch.arange(16), A], tgt)
    opt.zero_grad()
    loss.backward()
    opt.step()
    soft(q, q_t, 0.02)
print("reward", total)
