# gradwatch-corpus: kind=none
"""Double DQN that pushes a cart to a mark. Prioritised replay in plain Python."""
import copy
import math
import random
from collections import deque, namedtuple

import torch
from torch import nn

Transition = namedtuple("Transition", "obs action reward succ done qvalue")


class CartPush:
    def __init__(self, rng):
        self.rng = rng

    def reset(self):
        self.x = self.rng.uniform(-1, 1)
        self.v = 0.0
        self.t = 0
        return self.observe()

    def observe(self):
        return torch.tensor([self.x, self.v])

    def step(self, action):
        self.v = 0.9 * self.v + 0.1 * (action - 1)
        self.x += self.v
        self.t += 1
        done = self.t >= 25 or abs(self.x) > 2
        return self.observe(), -abs(self.x) - (2.0 if abs(self.x) > 2 else 0.0), done


class Replay:
    def __init__(self, capacity=600):
        self.items = deque(maxlen=capacity)
        self.priority = deque(maxlen=capacity)

    def add(self, item):
        self.items.append(item)
        self.priority.append(max(self.priority, default=1.0))

    def sample(self, n, rng):
        idx = rng.choices(range(len(self.items)), weights=self.priority, k=n)
        return idx, Transition(*zip(*(self.items[i] for i in idx)))

    def update(self, idx, errors):
        for i, e in zip(idx, errors.tolist()):
            self.priority[i] = abs(e) + 0.01


class Agent:
    def __init__(self, gamma=0.95, tau=0.02):
        self.online = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 3))
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.opt = torch.optim.Adam(self.online.parameters(), lr=2e-3)
        self.gamma, self.tau = gamma, tau

    def act(self, obs, eps, rng):
        q = self.online(obs)
        action = rng.randrange(3) if rng.random() < eps else int(q.argmax())
        return action, q[action].detach()

    def learn(self, batch):
        obs, succ = torch.stack(batch.obs), torch.stack(batch.succ)
        action = torch.tensor(batch.action).unsqueeze(1)
        reward, live = torch.tensor(batch.reward), 1.0 - torch.tensor(batch.done, dtype=torch.float)
        q = self.online(obs).gather(1, action).squeeze(1)
        best = self.online(succ).argmax(dim=1, keepdim=True)
        goal = reward + self.gamma * live * self.target(succ).gather(1, best).squeeze(1)
        drift = (q - torch.stack(batch.qvalue)).pow(2).mean()
        loss = nn.functional.smooth_l1_loss(q, goal) + 1e-3 * drift
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        with torch.no_grad():
            for slow, fast in zip(self.target.parameters(), self.online.parameters()):
                slow.lerp_(fast, self.tau)
        return loss.item(), (q - goal).detach()


def main(updates=120):
    torch.set_num_threads(1)
    torch.manual_seed(50)
    rng = random.Random(50)
    env, agent, replay = CartPush(rng), Agent(), Replay()
    obs, ret, returns, losses = env.reset(), 0.0, deque(maxlen=10), []
    frame = 0
    while len(losses) < updates:
        action, qvalue = agent.act(obs, 0.05 + 0.9 * math.exp(-frame / 200), rng)
        succ, reward, done = env.step(action)
        replay.add(Transition(obs, action, reward, succ, done, qvalue))
        obs, ret, frame = succ, ret + reward, frame + 1
        if done:
            returns.append(ret)
            obs, ret = env.reset(), 0.0
        if frame > 100 and frame % 4 == 0:
            idx, batch = replay.sample(32, rng)
            loss, err = agent.learn(batch)
            replay.update(idx, err)
            losses.append(loss)
            if len(losses) % 30 == 0:
                print(f"update {len(losses)} loss {loss:.3f} return {sum(returns) / len(returns):.2f}")


if __name__ == "__main__":
    main()
