# gradwatch-corpus: kind=none
"""n-step DQN with a bounded replay memory and a target network."""
import copy
import random
from collections import deque, namedtuple

import torch
from torch import nn

T = namedtuple("T", "s a R s2 d")
random.seed(7)
torch.manual_seed(7)


class NStep:
    def __init__(self, n, gamma):
        self.q, self.n, self.g = deque(maxlen=n), n, gamma

    def push(self, s, a, r, s2, d):
        self.q.append((s, a, r))
        if len(self.q) == self.n or d:
            R = sum(self.g ** k * x[2] for k, x in enumerate(self.q))
            out = T(self.q[0][0], self.q[0][1], R, s2, float(d))
            if d:
                self.q.clear()
            return out


q = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 2))
qt = copy.deepcopy(q).requires_grad_(False)
opt = torch.optim.Adam(q.parameters(), 1e-3)
mem, ns = deque(maxlen=300), NStep(3, 0.97)
td_errors = deque(maxlen=50)
s, t = torch.randn(3), 0
steps = 0
while steps < 180:
    with torch.no_grad():
        a = random.randrange(2) if random.random() < 0.2 else int(q(s).argmax())
    s2 = 0.9 * s + (0.2 if a else -0.2) + 0.1 * torch.randn(3)
    t += 1
    d = t % 25 == 0
    tr = ns.push(s, a, -float(s2.abs().mean()), s2, d)
    s = torch.randn(3) if d else s2
    if tr:
        mem.append(tr)
    if len(mem) < 40:
        continue
    b = T(*zip(*random.sample(mem, 32)))
    S, A, R, S2, Dn = torch.stack(b.s), torch.tensor(b.a), torch.tensor(b.R), torch.stack(b.s2), torch.tensor(b.d)
    y = R + 0.97 ** 3 * (1 - Dn) * qt(S2).max(1).values
    pred = q(S).gather(1, A[:, None]).squeeze(1)
    loss = nn.functional.smooth_l1_loss(pred, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    td_errors.append((y - pred).detach().abs().mean())
    steps += 1
    if steps % 20 == 0:
        qt.load_state_dict(q.state_dict())
    if steps % 45 == 0:
        print(steps, "loss %.4f td %.4f" % (loss.item(), torch.stack(list(td_errors)).mean()))
