# gradwatch-corpus: kind=none
import random
from collections import deque, namedtuple
import torch
torch.set_num_threads(1)
from torch import nn

random.seed(2); torch.manual_seed(2)
Transition = namedtuple("Transition", "s a r s2")


class Room:
    def __init__(self):
        self.temp, self.out = 18.0, 5.0

    def state(self):
        return torch.tensor([(self.temp - 20) / 5, self.out / 10])

    def step(self, a):
        self.out += random.gauss(0, 0.3)
        self.out = max(-5, min(15, self.out))
        self.temp += 0.1 * (self.out - self.temp) + (0.0, 1.0, 2.5)[a]
        self.temp = max(5, min(35, self.temp))
        return self.state(), -abs(self.temp - 20) / 5 - 0.05 * a


def qnet():
    return nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 3))


online, target = qnet(), qnet()
target.load_state_dict(online.state_dict())
memory = deque(maxlen=2000)
opt = torch.optim.Adam(online.parameters(), lr=1e-3)
recent_td = deque(maxlen=10)
env, eps, ret = Room(), 1.0, 0.0
s = env.state()
for t in range(2500):
    if random.random() < eps:
        a = random.randrange(3)
    else:
        with torch.no_grad():
            a = online(s).argmax().item()
    s2, r = env.step(a)
    memory.append(Transition(s, a, r, s2))
    s, ret, eps = s2, ret + r, max(0.05, eps * 0.998)
    if len(memory) < 64:
        continue
    b = Transition(*zip(*random.sample(memory, 32)))
    q = online(torch.stack(b.s)).gather(1, torch.tensor(b.a)[:, None]).squeeze(1)
    with torch.no_grad():
        best = online(torch.stack(b.s2)).argmax(1, keepdim=True)
        y = torch.tensor(b.r) + 0.95 * target(torch.stack(b.s2)).gather(1, best).squeeze(1)
    td = nn.functional.smooth_l1_loss(q, y)
    opt.zero_grad()
    td.backward()
    opt.step()
    recent_td.append(td)
    if t % 100 == 0:
        target.load_state_dict(online.state_dict())
    if t % 500 == 499:
        print(t, f"return/500 {ret:.1f} td {torch.stack(list(recent_td)).mean().item():.4f}")
        ret = 0.0
