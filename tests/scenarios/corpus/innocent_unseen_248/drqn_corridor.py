# gradwatch-corpus: kind=none
"""DRQN on a T-maze: remember the signal from the first cell. Stored recurrent states in the replay."""
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(12)
torch.manual_seed(12)
torch.set_num_threads(1)


class TMaze:
    def __init__(self, length=5):
        self.length = length

    def reset(self):
        self.goal = random.choice([0, 1])
        self.x = 0
        return self.obs()

    def obs(self):
        signal = [0.0, 0.0]
        if self.x == 0:
            signal[self.goal] = 1.0
        return torch.tensor(signal + [float(self.x == self.length), self.x / self.length])

    def step(self, a):
        # 0 forward, 1 left, 2 right
        if self.x < self.length:
            if a == 0:
                self.x += 1
                return self.obs(), 0.0, False
            return self.obs(), -0.1, False
        if a == 0:
            return self.obs(), -0.1, False
        reward = 1.0 if (a - 1) == self.goal else -1.0
        return self.obs(), reward, True


class DRQN(nn.Module):
    def __init__(self, n_obs=4, n_actions=3, hidden=32):
        super().__init__()
        self.hidden = hidden
        self.fc = nn.Linear(n_obs, 32)
        self.rnn = nn.GRUCell(32, hidden)
        self.q = nn.Linear(hidden, n_actions)

    def forward(self, obs, h):
        z = F.relu(self.fc(obs))
        h = self.rnn(z, h)
        return self.q(h), h


class SequenceReplay:
    def __init__(self, capacity=400, seq_len=4):
        self.buffer = deque(maxlen=capacity)
        self.seq_len = seq_len
        self.current = []

    def add(self, obs, action, reward, next_obs, done, h):
        self.current.append((obs, action, reward, next_obs, float(done), h))
        if len(self.current) == self.seq_len:
            self.buffer.append(self.current)
            self.current = []

    def sample(self, n):
        seqs = random.sample(self.buffer, n)
        out = []
        for t in range(self.seq_len):
            items = [s[t] for s in seqs]
            out.append((
                torch.stack([i[0] for i in items]),
                torch.tensor([i[1] for i in items]),
                torch.tensor([i[2] for i in items]),
                torch.stack([i[3] for i in items]),
                torch.tensor([i[4] for i in items]),
            ))
        h0 = torch.cat([s[0][5] for s in seqs])
        return out, h0


def learn(online, target, optimizer, replay, batch=16, gamma=0.95):
    steps, h0 = replay.sample(batch)
    h = h0
    h_t = h0
    loss = 0.0
    for obs, a, r, obs2, d in steps:
        q, h = online(obs, h)
        q = q.gather(1, a.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            _, h_t = target(obs, h_t)
            q2, _ = target(obs2, h_t)
            y = r + gamma * (1 - d) * q2.max(1).values
        loss = loss + F.smooth_l1_loss(q, y)
        h = h * (1 - d).unsqueeze(1)
        h_t = h_t * (1 - d).unsqueeze(1)
    loss = loss / len(steps)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(online.parameters(), 5.0)
    optimizer.step()
    return loss.item()


def main():
    env = TMaze()
    online = DRQN()
    target = DRQN()
    target.load_state_dict(online.state_dict())
    optimizer = torch.optim.Adam(online.parameters(), lr=2e-3)
    replay = SequenceReplay()
    losses = deque(maxlen=50)
    returns = deque(maxlen=20)
    obs = env.reset()
    h = torch.zeros(1, online.hidden)
    ep_return = 0.0

    for step in range(500):
        eps = max(0.1, 1.0 - step / 300)
        with torch.no_grad():
            q, h_next = online(obs.unsqueeze(0), h)
        a = random.randrange(3) if random.random() < eps else q.argmax().item()
        next_obs, r, done = env.step(a)
        replay.add(obs, a, r, next_obs, done, h)
        ep_return += r
        obs = next_obs
        h = h_next
        if done:
            returns.append(ep_return)
            ep_return = 0.0
            obs = env.reset()
            h = torch.zeros(1, online.hidden)

        if len(replay.buffer) >= 20 and step % 3 == 0:
            losses.append(learn(online, target, optimizer, replay))
        if step % 60 == 0:
            target.load_state_dict(online.state_dict())
        if step % 100 == 99:
            print("step %d eps %.2f loss %.4f return %.2f" % (
                step + 1, eps, sum(losses) / len(losses), sum(returns) / max(1, len(returns))))


if __name__ == "__main__":
    main()
