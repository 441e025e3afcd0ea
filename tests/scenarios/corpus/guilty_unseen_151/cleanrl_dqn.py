# gradwatch-corpus: kind=graph-held
# holder: self.rows | writer.rows
# first-bad: 1
import csv
import os
import random
import tempfile
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.set_num_threads(1)


@dataclass
class Args:
    exp_name: str = "dqn"
    seed: int = 1
    total_timesteps: int = 420
    learning_rate: float = 2.5e-4
    buffer_size: int = 1000
    gamma: float = 0.99
    target_network_frequency: int = 50
    batch_size: int = 32
    start_e: float = 1.0
    end_e: float = 0.05
    exploration_fraction: float = 0.5
    learning_starts: int = 100
    train_frequency: int = 2


class PoleEnv:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, 4).astype(np.float32)
        self.t = 0
        return self.s.copy()

    def step(self, a):
        x, xd, th, thd = self.s
        force = 10.0 if a == 1 else -10.0
        tmp = (force + 0.05 * thd ** 2 * np.sin(th)) / 1.1
        thacc = (9.8 * np.sin(th) - np.cos(th) * tmp) / (0.5 * (4 / 3 - 0.1 * np.cos(th) ** 2 / 1.1))
        xacc = tmp - 0.05 * thacc * np.cos(th) / 1.1
        self.s = np.array([x + .02 * xd, xd + .02 * xacc, th + .02 * thd, thd + .02 * thacc], dtype=np.float32)
        self.t += 1
        done = bool(abs(self.s[0]) > 2.4 or abs(self.s[2]) > 0.21 or self.t >= 200)
        return self.s.copy(), 1.0, done


class CSVWriter:
    """Stands in for SummaryWriter on machines without tensorboard."""

    def __init__(self, run_name):
        self.dir = tempfile.mkdtemp(prefix=run_name)
        self.rows = []

    def add_scalar(self, tag, value, step):
        self.rows.append((step, tag, value))  # <- culprit

    def close(self):
        with open(os.path.join(self.dir, "scalars.csv"), "w", newline="") as f:
            out = csv.writer(f)
            for step, tag, value in self.rows:
                out.writerow([step, tag, float(value)])


class ReplayBuffer:
    def __init__(self, size):
        self.size, self.data, self.pos = size, [], 0

    def add(self, *t):
        if len(self.data) < self.size:
            self.data.append(t)
        else:
            self.data[self.pos] = t
        self.pos = (self.pos + 1) % self.size

    def sample(self, n):
        o, no, a, r, d = zip(*random.sample(self.data, n))
        return (torch.tensor(np.stack(o)), torch.tensor(np.stack(no)), torch.tensor(a).view(-1, 1),
                torch.tensor(r), torch.tensor(d, dtype=torch.float32))


class QNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.network = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 24), nn.ReLU(), nn.Linear(24, 2))

    def forward(self, x):
        return self.network(x)


def linear_schedule(start_e, end_e, duration, t):
    slope = (end_e - start_e) / duration
    return max(slope * t + start_e, end_e)


if __name__ == "__main__":
    args = Args()
    writer = CSVWriter(f"{args.exp_name}_{args.seed}_")
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    env = PoleEnv(args.seed)
    q_network, target_network = QNetwork(), QNetwork()
    optimizer = optim.Adam(q_network.parameters(), lr=args.learning_rate)
    target_network.load_state_dict(q_network.state_dict())
    rb = ReplayBuffer(args.buffer_size)

    obs, episodic_return = env.reset(), 0.0
    for global_step in range(args.total_timesteps):
        epsilon = linear_schedule(args.start_e, args.end_e, args.exploration_fraction * args.total_timesteps, global_step)
        if random.random() < epsilon:
            action = random.randrange(2)
        else:
            with torch.no_grad():
                action = int(q_network(torch.tensor(obs)).argmax())
        next_obs, reward, done = env.step(action)
        rb.add(obs, next_obs, action, reward, done)
        episodic_return += reward
        obs = next_obs
        if done:
            writer.add_scalar("charts/episodic_return", episodic_return, global_step)
            obs, episodic_return = env.reset(), 0.0

        if global_step > args.learning_starts and global_step % args.train_frequency == 0:
            o, no, a, r, d = rb.sample(args.batch_size)
            with torch.no_grad():
                target_max, _ = target_network(no).max(dim=1)
                td_target = r + args.gamma * target_max * (1 - d)
            old_val = q_network(o).gather(1, a).squeeze()
            loss = F.mse_loss(td_target, old_val)
            writer.add_scalar("losses/td_loss", loss, global_step)  # <- culprit
            writer.add_scalar("losses/q_values", old_val.mean().item(), global_step)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if global_step % args.target_network_frequency == 0:
                target_network.load_state_dict(q_network.state_dict())
    writer.close()
    print("done", len(writer.rows))
