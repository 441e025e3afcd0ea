# gradwatch-corpus: kind=graph-held
# holder: self.prio | memory.prio | self.prio[i] | memory.prio[i]
# first-bad: 1
import random

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

GAMMA = 0.95
BATCH_SIZE = 16
EPS_START, EPS_END, EPS_DECAY = 0.9, 0.1, 120
TARGET_UPDATE = 25
N_STEPS = 220

random.seed(0)
np.random.seed(0)
torch.manual_seed(0)


class Corridor:
    """Walk to a goal on a line, the wind blows you back."""

    def reset(self):
        self.x, self.goal, self.t = random.uniform(-1, 1), random.uniform(-1, 1), 0
        return self.obs()

    def obs(self):
        return np.array([self.x, self.goal, self.goal - self.x], dtype=np.float32)

    def step(self, a):
        self.x += (-0.15, 0.0, 0.15)[a] + random.gauss(0, 0.03)
        self.t += 1
        dist = abs(self.x - self.goal)
        done = dist < 0.1 or self.t >= 30
        return self.obs(), 1.0 if dist < 0.1 else -dist * 0.1, done


class PrioritizedMemory:
    def __init__(self, capacity, alpha=0.6):
        self.capacity = capacity
        self.alpha = alpha
        self.data = []
        self.prio = []
        self.pos = 0

    def push(self, *transition):
        top = max(self.prio) if self.prio else 1.0
        if len(self.data) < self.capacity:
            self.data.append(transition)
            self.prio.append(top)
        else:
            self.data[self.pos] = transition
            self.prio[self.pos] = top
        self.pos = (self.pos + 1) % self.capacity

    def sample(self, n, beta=0.4):
        p = np.array([float(v) for v in self.prio]) ** self.alpha
        p /= p.sum()
        idx = np.random.choice(len(self.data), n, p=p)
        w = (len(self.data) * p[idx]) ** (-beta)
        s, a, r, s2, d = zip(*[self.data[i] for i in idx])
        return (idx, torch.tensor(w / w.max(), dtype=torch.float32), torch.tensor(np.stack(s)),
                torch.tensor(a), torch.tensor(r), torch.tensor(np.stack(s2)), torch.tensor(d).float())

    def update(self, idx, errors):
        errors = errors + 1e-3  # <- culprit
        for i, e in zip(idx, errors):
            self.prio[i] = e  # <- culprit


def mlp():
    return nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 3))


policy_net, target_net = mlp(), mlp()
target_net.load_state_dict(policy_net.state_dict())
optimizer = optim.Adam(policy_net.parameters(), lr=2e-3)
memory = PrioritizedMemory(150)


def select_action(state, step):
    eps = EPS_END + (EPS_START - EPS_END) * np.exp(-step / EPS_DECAY)
    if random.random() < eps:
        return random.randrange(3)
    with torch.no_grad():
        return policy_net(torch.from_numpy(state)).argmax().item()


def optimize_model():
    if len(memory.data) < 2 * BATCH_SIZE:
        return None
    idx, w, s, a, r, s2, d = memory.sample(BATCH_SIZE)
    q = policy_net(s).gather(1, a.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        target = r + GAMMA * (1 - d) * target_net(s2).max(1)[0]
    td = target - q
    loss = (w * td.pow(2)).mean()
    memory.update(idx, td.abs())  # <- culprit
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


env = Corridor()
state, ep_reward, rewards = env.reset(), 0.0, []
for step in range(N_STEPS):
    action = select_action(state, step)
    nxt, reward, done = env.step(action)
    memory.push(state, action, np.float32(reward), nxt, done)
    state, ep_reward = nxt, ep_reward + reward
    l = optimize_model()
    if step % TARGET_UPDATE == 0:
        target_net.load_state_dict(policy_net.state_dict())
    if done:
        rewards.append(ep_reward)
        state, ep_reward = env.reset(), 0.0
    if step % 40 == 0 and l is not None:
        print(f"step {step:4d} loss {l:.4f} mean reward {np.mean(rewards[-5:]):.2f}")
