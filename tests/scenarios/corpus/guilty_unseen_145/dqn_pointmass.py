# gradwatch-corpus: kind=graph-held
# holder: writer.scalars["losses/q_values"] | writer.scalars | self.scalars[tag] | self.scalars
# first-bad: 1
# notice: 8
import random
from collections import defaultdict, deque

import torch

torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class ScalarWriter:
    def __init__(self):
        self.scalars = defaultdict(list)

    def add_scalar(self, tag, value, global_step):
        self.scalars[tag].append((global_step, value))  # <- culprit

    def close(self):
        for tag, rows in self.scalars.items():
            print(tag, len(rows), f"last={float(rows[-1][1]):.4f}")


class LineWalk:
    def reset(self):
        self.x, self.t = random.uniform(-1, 1), 0
        return [self.x, 0.0]

    def step(self, a):
        self.x += (-0.1, 0.0, 0.1)[a] + random.gauss(0, 0.02)
        self.t += 1
        return [self.x, self.t / 20], -abs(self.x), self.t >= 20


class QNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.network = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, x):
        return self.network(x)


if __name__ == "__main__":
    random.seed(1)
    torch.manual_seed(1)
    writer = ScalarWriter()
    env = LineWalk()
    q_network, target_network = QNetwork(), QNetwork()
    optimizer = optim.Adam(q_network.parameters(), lr=2.5e-3)
    target_network.load_state_dict(q_network.state_dict())
    rb = deque(maxlen=500)
    obs = env.reset()
    for global_step in range(700):
        epsilon = max(0.05, 1 - global_step / 300)
        if random.random() < epsilon:
            action = random.randrange(3)
        else:
            with torch.no_grad():
                action = int(q_network(torch.tensor(obs)).argmax())
        next_obs, reward, done = env.step(action)
        rb.append((obs, action, reward, next_obs, float(done)))
        obs = env.reset() if done else next_obs
        if global_step >= 64:
            o, a, r, no, d = map(torch.tensor, zip(*random.sample(rb, 32)))
            with torch.no_grad():
                td_target = r + 0.99 * target_network(no).max(dim=1).values * (1 - d)
            old_val = q_network(o).gather(1, a[:, None]).squeeze()
            loss = F.mse_loss(td_target, old_val)
            writer.add_scalar("losses/td_loss", loss.item(), global_step)
            writer.add_scalar("losses/q_values", old_val.mean(), global_step)  # <- culprit
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if global_step % 50 == 0:
                target_network.load_state_dict(q_network.state_dict())
    writer.close()
