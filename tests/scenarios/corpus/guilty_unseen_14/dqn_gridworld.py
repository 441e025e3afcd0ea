# gradwatch-corpus: kind=graph-held
# holder: self.priorities | memory.priorities | agent.memory.priorities | self.memory.priorities | self.priorities[i]
# first-bad: 1
"""Double DQN with prioritised replay on a windy 6x6 grid world; follow-up of
the tutorial's DQN, now with priorities as in Schaul et al."""
import random
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Transition = namedtuple("Transition", "state action reward next_state done")

SIZE = 6
ACTIONS = [(-1, 0), (1, 0), (0, -1), (0, 1)]
GAMMA = 0.95


class WindyGrid:
    def __init__(self, rng):
        self.rng = rng
        self.goal = (SIZE - 1, SIZE - 1)

    def observe(self):
        s = torch.zeros(2 * SIZE)
        s[self.pos[0]] = 1
        s[SIZE + self.pos[1]] = 1
        return s

    def reset(self):
        self.pos, self.t = (0, 0), 0
        return self.observe()

    def step(self, a):
        dy, dx = ACTIONS[a]
        if self.rng.random() < 0.1:
            dy -= 1
        y = min(max(self.pos[0] + dy, 0), SIZE - 1)
        x = min(max(self.pos[1] + dx, 0), SIZE - 1)
        self.pos = (y, x)
        self.t += 1
        win = self.pos == self.goal
        return self.observe(), (1.0 if win else -0.02), win or self.t >= 40


class PrioritizedMemory:
    def __init__(self, capacity, alpha=0.6, eps=1e-3):
        self.capacity = capacity
        self.alpha = alpha
        self.eps = eps
        self.data = []
        self.priorities = []
        self.write = 0

    def push(self, *args):
        item, prio = Transition(*args), torch.tensor(1.0)
        if len(self.data) < self.capacity:
            self.data.append(item)
            self.priorities.append(prio)
        else:
            self.data[self.write] = item
            self.priorities[self.write] = prio
        self.write = (self.write + 1) % self.capacity

    def sample(self, n, beta):
        weights = [p.item() ** self.alpha for p in self.priorities]
        total = sum(weights)
        idx = random.choices(range(len(self.data)), weights=weights, k=n)
        is_w = torch.tensor([(len(self.data) * weights[i] / total) ** -beta for i in idx])
        return idx, [self.data[i] for i in idx], is_w / is_w.max()

    def update(self, idx, td_error):
        for i, err in zip(idx, td_error.abs() + self.eps):
            self.priorities[i] = err  # <- culprit

    def __len__(self):
        return len(self.data)


class Agent:
    def __init__(self, lr=2e-3, batch=24, sync=50):
        self.q = self.make_net()
        self.target = self.make_net()
        self.target.load_state_dict(self.q.state_dict())
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.memory = PrioritizedMemory(1500)
        self.batch, self.sync, self.updates = batch, sync, 0

    @staticmethod
    def make_net():
        return nn.Sequential(nn.Linear(2 * SIZE, 48), nn.ReLU(), nn.Linear(48, len(ACTIONS)))

    @torch.no_grad()
    def act(self, state, eps):
        if random.random() < eps:
            return random.randrange(len(ACTIONS))
        return self.q(state).argmax().item()

    def learn(self, beta):
        idx, items, is_w = self.memory.sample(self.batch, beta)
        b = Transition(*zip(*items))
        s, s2 = torch.stack(b.state), torch.stack(b.next_state)
        a = torch.tensor(b.action)
        r, done = torch.tensor(b.reward), torch.tensor(b.done, dtype=torch.float)
        with torch.no_grad():
            best = self.q(s2).argmax(1, keepdim=True)
            goal = r + GAMMA * (1 - done) * self.target(s2).gather(1, best).squeeze(1)
        td = self.q(s).gather(1, a.unsqueeze(1)).squeeze(1) - goal
        loss = (is_w * F.huber_loss(td, torch.zeros_like(td), reduction="none")).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.memory.update(idx, td)  # <- culprit
        self.updates += 1
        if self.updates % self.sync == 0:
            self.target.load_state_dict(self.q.state_dict())
        return loss.item()


def main(steps=500, warmup=150):
    random.seed(4)
    torch.manual_seed(4)
    env, agent = WindyGrid(random.Random(9)), Agent()
    state, ret, returns = env.reset(), 0.0, []
    for step in range(-warmup, steps):
        frac = max(step, 0) / steps
        action = agent.act(state, eps=max(0.1, 1 - 1.5 * frac))
        nxt, reward, done = env.step(action)
        agent.memory.push(state, action, reward, nxt, done)
        ret += reward
        state = nxt
        if done:
            returns.append(ret)
            state, ret = env.reset(), 0.0
        if step >= 0:
            loss = agent.learn(beta=0.4 + 0.6 * frac)
            if step % 100 == 0:
                last = returns[-10:] or [0.0]
                print(f"update {step}: loss {loss:.4f}, return (last 10) {sum(last) / len(last):.3f}")
    print("episodes:", len(returns))


if __name__ == "__main__":
    main()
