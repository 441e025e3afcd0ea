# gradwatch-corpus: kind=none
"""Conservative Q-learning from a bounded buffer filled while training goes on."""
import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class Buffer(deque):
    def batch(self, n):
        return [torch.stack(c) for c in zip(*random.sample(self, n))]


class Averager:
    def __init__(self, rate=0.05):
        self.rate, self.value = rate, None

    def __call__(self, x):
        x = x.detach()
        self.value = x if self.value is None else self.value + self.rate * (x - self.value)
        return self.value


def explore(buffer, s, q, n=4):
    for _ in range(n):
        with torch.no_grad():
            a = q(s).argmax() if random.random() > 0.3 else torch.randint(0, 3, ())
        s2 = 0.9 * s + 0.3 * (a - 1) + 0.05 * torch.randn(3)
        buffer.append((s, a, -s2.square().sum(), s2))
        s = s2
    return s


def main():
    random.seed(0)
    torch.manual_seed(0)
    q = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 3))
    target = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 3))
    target.load_state_dict(q.state_dict())
    opt = torch.optim.Adam(q.parameters(), lr=2e-3)
    buffer, avg, s = Buffer(maxlen=300), Averager(), torch.randn(3)
    s = explore(buffer, s, q, 64)
    for it in range(160):
        s = explore(buffer, s, q)
        obs, act, rew, nxt = buffer.batch(32)
        with torch.no_grad():
            goal = rew + 0.95 * target(nxt).amax(1)
        values = q(obs)
        chosen = values.gather(1, act[:, None]).squeeze(1)
        td = F.mse_loss(chosen, goal)
        loss = td + 0.1 * (values.logsumexp(1) - chosen).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        avg(td)
        with torch.no_grad():
            for t, p in zip(target.parameters(), q.parameters()):
                t.mul_(0.98).add_(p, alpha=0.02)
        if it % 40 == 0:
            print(f"it {it} td (smoothed) {avg.value.item():.4f} buffer {len(buffer)}")


if __name__ == "__main__":
    main()
