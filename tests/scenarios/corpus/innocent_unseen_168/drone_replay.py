# gradwatch-corpus: kind=none
"""Off-policy control of a point mass seen through a depth strip, with a bounded replay memory."""
import collections
import copy

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(20)

Moment = collections.namedtuple("Moment", "view action reward after")


class Strip:
    def __init__(self, width=8192, seed=1):
        self.rng = np.random.default_rng(seed)
        self.axis = np.linspace(-2, 2, width, dtype=np.float32)
        self.reset()

    def reset(self):
        self.pos, self.vel = self.rng.uniform(-1, 1), 0.0
        return self.view()

    def view(self):
        noise = self.rng.standard_normal(self.axis.shape).astype(np.float32)
        bump = np.exp(-8 * (self.axis - self.pos) ** 2) + self.vel * 0.1
        return (bump + 0.02 * noise).astype(np.float32)

    def step(self, push):
        self.vel = 0.9 * self.vel + 0.1 * push
        self.pos = float(np.clip(self.pos + self.vel, -2, 2))
        return self.view(), -abs(self.pos)


class Memory:
    def __init__(self, capacity):
        self.store = collections.deque(maxlen=capacity)

    def add(self, *parts):
        self.store.append(Moment(*parts))

    def sample(self, rng, count):
        rows = [self.store[i] for i in rng.integers(0, len(self.store), count)]
        return Moment(*(torch.from_numpy(np.stack(col).astype(np.float32)) for col in zip(*rows)))


class Critic(nn.Module):
    def __init__(self, width, pushes):
        super().__init__()
        self.eye = nn.Conv1d(1, 4, 64, stride=32)
        self.out = nn.Sequential(nn.ReLU(), nn.Flatten(), nn.LazyLinear(24), nn.ReLU(), nn.Linear(24, pushes))
        self(torch.zeros(1, width))

    def forward(self, view):
        return self.out(self.eye(view.unsqueeze(1)))


def main(updates=160, per_update=24, capacity=1500):
    pushes = np.array([-1.0, 0.0, 1.0])
    env, rng = Strip(), np.random.default_rng(0)
    net = Critic(8192, 3)
    target = copy.deepcopy(net).requires_grad_(False)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    memory = Memory(capacity)
    view = env.reset()
    for update in range(updates):
        for _ in range(per_update):
            if rng.random() < 0.3:
                action = int(rng.integers(0, 3))
            else:
                with torch.no_grad():
                    action = int(net(torch.from_numpy(view)[None]).argmax())
            after, reward = env.step(pushes[action])
            memory.add(view, action, reward, after)
            view = after if rng.random() > 0.02 else env.reset()
        batch = memory.sample(rng, 32)
        with torch.no_grad():
            goal = batch.reward + 0.95 * target(batch.after).amax(1)
        value = net(batch.view).gather(1, batch.action.long()[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(value, goal)
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for p, q in zip(net.parameters(), target.parameters()):
                q.lerp_(p, 0.05)
        if update % 40 == 0:
            print(f"update {update} loss {loss.item():.4f} memory {len(memory.store)} value {value.mean().item():.3f}")


if __name__ == "__main__":
    main()
