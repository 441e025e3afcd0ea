# gradwatch-corpus: kind=none
"""Double DQN for a delivery robot that has to cross a road with cars at random gaps."""
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn

Step = namedtuple("Step", "obs act rew nxt done")


class Crossing:
    LANES, WIDTH = 3, 7

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def reset(self):
        self.row = 0
        self.cars = [self.rng.randrange(self.WIDTH) for _ in range(self.LANES)]
        self.t = 0
        return self.obs()

    def obs(self):
        o = torch.zeros(self.LANES + 2 + self.LANES * self.WIDTH)
        o[self.row] = 1
        for lane, c in enumerate(self.cars):
            o[self.LANES + 2 + lane * self.WIDTH + c] = 1
        return o

    def step(self, act):
        self.t += 1
        self.row = max(0, self.row + (0, 1, -1)[act])
        self.cars = [(c + 1 + (lane == 1)) % self.WIDTH for lane, c in enumerate(self.cars)]
        mid = self.WIDTH // 2
        if 1 <= self.row <= self.LANES and abs(self.cars[self.row - 1] - mid) <= 1:
            return self.obs(), -1.0, True
        if self.row == self.LANES + 1:
            return self.obs(), 1.0, True
        return self.obs(), -0.02, self.t >= 40


class Agent:
    def __init__(self, n_obs, gamma=0.97, memory=100, batch=32):
        self.net = self._make(n_obs)
        self.target = self._make(n_obs)
        self.target.load_state_dict(self.net.state_dict())
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.memory = deque(maxlen=memory)
        self.gamma, self.batch = gamma, batch
        self.updates = 0
        self.td = deque(maxlen=64)

    @staticmethod
    def _make(n):
        return nn.Sequential(nn.Linear(n, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3))

    @torch.no_grad()
    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(3)
        return int(self.net(obs).argmax())

    def learn(self):
        rows = Step(*zip(*random.sample(list(self.memory), self.batch)))
        obs, nxt = torch.stack(rows.obs), torch.stack(rows.nxt)
        act, rew = torch.tensor(rows.act), torch.tensor(rows.rew)
        live = 1 - torch.tensor(rows.done, dtype=torch.float32)
        q = self.net(obs).gather(1, act[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.net(nxt).argmax(1, keepdim=True)
            goal = rew + self.gamma * live * self.target(nxt).gather(1, best).squeeze(1)
        err = q - goal
        loss = nn.functional.huber_loss(q, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.td.append(err.abs().mean())
        self.updates += 1
        if self.updates % 50 == 0:
            self.target.load_state_dict(self.net.state_dict())


def main(updates=900):
    random.seed(5)
    torch.manual_seed(5)
    env = Crossing(5)
    obs = env.reset()
    agent = Agent(len(obs))
    outcomes = deque(maxlen=50)
    reported = 0
    while agent.updates < updates:
        eps = max(0.05, 1 - agent.updates / 400)
        a = agent.act(obs, eps)
        nxt, rew, done = env.step(a)
        agent.memory.append(Step(obs, a, rew, nxt, done))
        obs = nxt
        if done:
            outcomes.append(rew > 0)
            obs = env.reset()
        if len(agent.memory) >= agent.batch:
            agent.learn()
        if agent.updates - reported >= 150:
            reported = agent.updates
            td = sum(agent.td) / len(agent.td)
            print(f"{agent.updates}: crossed {sum(outcomes) / len(outcomes):.2f}  |td| {td.item():.4f}")


if __name__ == "__main__":
    main()
