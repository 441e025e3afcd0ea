# gradwatch-corpus: kind=graph-held
# holder: self.priorities | memory.priorities | agent.memory.priorities
# first-bad: 1
"""DQN with proportional prioritized replay on a noisy chain environment."""
import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class ChainEnv:
    def __init__(self, n=10):
        self.n = n
        self.reset()

    def reset(self):
        self.pos, self.t = 0, 0
        return self.obs()

    def obs(self):
        o = torch.zeros(self.n)
        o[self.pos] = 1.0
        return o

    def step(self, a):
        if random.random() < 0.1:
            a = 1 - a
        self.pos = max(0, min(self.n - 1, self.pos + (1 if a == 1 else -1)))
        self.t += 1
        r = 1.0 if self.pos == self.n - 1 else 0.0
        return self.obs(), r, r > 0 or self.t >= 40


class PrioritizedReplay:
    def __init__(self, capacity=5000, alpha=0.6):
        self.capacity, self.alpha = capacity, alpha
        self.data, self.priorities = [], {}
        self.head = 0

    def push(self, transition):
        if len(self.data) < self.capacity:
            self.data.append(transition)
        else:
            self.data[self.head] = transition
        self.priorities[self.head] = max((float(p) for p in list(self.priorities.values())[-32:]), default=1.0)
        self.head = (self.head + 1) % self.capacity

    def sample(self, batch_size, beta):
        p = torch.tensor([float(self.priorities[i]) for i in range(len(self.data))]) ** self.alpha
        p = p / p.sum()
        idx = torch.multinomial(p, batch_size, replacement=True)
        w = (len(self.data) * p[idx]) ** -beta
        s, a, r, s2, d = zip(*(self.data[i] for i in idx.tolist()))
        batch = (torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.tensor(d))
        return idx, w / w.max(), batch

    def update_priorities(self, idx, td):
        for i, e in zip(idx.tolist(), td.abs() + 1e-3):
            self.priorities[i] = e  # <- culprit


class Agent:
    def __init__(self, obs_dim, n_actions, gamma=0.97):
        self.q = nn.Sequential(nn.Linear(obs_dim, 64), nn.ReLU(), nn.Linear(64, n_actions))
        self.target = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.memory = PrioritizedReplay()
        self.gamma, self.n_actions = gamma, n_actions

    @torch.no_grad()
    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(self.n_actions)
        return int(self.q(obs).argmax())

    def learn(self, beta, batch_size=32):
        idx, w, (s, a, r, s2, done) = self.memory.sample(batch_size, beta)
        q = self.q(s).gather(1, a[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.q(s2).argmax(1, keepdim=True)
            y = r + self.gamma * (~done).float() * self.target(s2).gather(1, best).squeeze(1)
        td = q - y
        loss = (w * F.smooth_l1_loss(q, y, reduction="none")).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.memory.update_priorities(idx, td)
        return loss.item()


def main():
    random.seed(0)
    torch.manual_seed(0)
    env = ChainEnv()
    agent = Agent(env.n, 2)
    obs, updates, returns, ep_ret = env.reset(), 0, [], 0.0
    while updates < 600:
        a = agent.act(obs, eps=max(0.1, 1 - updates / 400))
        nxt, r, done = env.step(a)
        agent.memory.push((obs, a, r, nxt, done))
        ep_ret += r
        obs = nxt
        if done:
            returns.append(ep_ret)
            ep_ret, obs = 0.0, env.reset()
        if len(agent.memory.data) >= 800:
            loss = agent.learn(beta=min(1.0, 0.4 + updates / 1000))
            updates += 1
            if updates % 25 == 0:
                agent.target.load_state_dict(agent.q.state_dict())
            if updates % 100 == 0:
                print(f"update {updates} loss {loss:.4f} return {sum(returns[-20:]) / max(1, len(returns[-20:])):.2f}")


if __name__ == "__main__":
    main()
