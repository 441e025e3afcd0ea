# gradwatch-corpus: kind=graph-held
# holder: self.memory | replay.memory | self.replay.memory | agent.replay.memory
# first-bad: 1
# notice: 8
"""DRQN on a small partially observable corridor; recurrent state is stored in the replay."""
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)

Transition = namedtuple("Transition", "obs hid action reward next_obs next_hid done")


class Corridor:
    def __init__(self, length=7):
        self.length = length

    def reset(self):
        self.pos, self.t = 1, 0
        self.goal = random.choice([0, self.length - 1])
        return self._obs(show=True)

    def _obs(self, show=False):
        hint = (1.0 if self.goal else -1.0) if show else 0.0
        return torch.tensor([self.pos / self.length, hint, self.t / 20.0])

    def step(self, action):
        self.t += 1
        self.pos = min(self.length - 1, max(0, self.pos + (1 if action else -1)))
        done = self.pos in (0, self.length - 1) or self.t >= 20
        reward = 1.0 if self.pos == self.goal else -0.05
        return self._obs(), reward, done


class RecurrentQ(nn.Module):
    def __init__(self, n_obs=3, n_hid=12, n_act=2):
        super().__init__()
        self.n_hid = n_hid
        self.enc = nn.Linear(n_obs, 12)
        self.cell = nn.GRUCell(12, n_hid)
        self.head = nn.Linear(n_hid, n_act)

    def forward(self, obs, hid):
        hid = self.cell(torch.relu(self.enc(obs)), hid)
        return self.head(hid), hid

    def initial(self, n=1):
        return torch.zeros(n, self.n_hid)


class Replay:
    def __init__(self, capacity):
        self.memory = deque(maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))  # <- culprit

    def sample(self, k):
        return Transition(*zip(*random.sample(self.memory, k)))

    def __len__(self):
        return len(self.memory)


class Agent:
    def __init__(self):
        self.q, self.target = RecurrentQ(), RecurrentQ()
        self.target.load_state_dict(self.q.state_dict())
        self.opt = torch.optim.Adam(self.q.parameters(), 2e-3)
        self.replay = Replay(20000)
        self.eps = 1.0

    def act(self, obs, hid):
        q, nxt = self.q(obs.unsqueeze(0), hid)  # <- culprit
        a = random.randrange(2) if random.random() < self.eps else q.argmax(1).item()
        self.eps = max(0.1, self.eps * 0.995)
        return a, nxt

    def learn(self, batch_size=8, gamma=0.95):
        if len(self.replay) < 2:
            return None
        b = self.replay.sample(min(batch_size, len(self.replay)))
        with torch.no_grad():
            nq, _ = self.target(torch.stack(b.next_obs), torch.cat(b.next_hid))
            goal = torch.tensor(b.reward) + gamma * nq.max(1).values * (1 - torch.tensor(b.done).float())
        hid = torch.cat([h.data for h in b.hid])
        q, _ = self.q(torch.stack(b.obs), hid)
        loss = F.smooth_l1_loss(q.gather(1, torch.tensor(b.action)[:, None]).squeeze(1), goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def run(steps=420):
    random.seed(3)
    torch.manual_seed(3)
    env, agent = Corridor(), Agent()
    obs, hid = env.reset(), agent.q.initial()
    for t in range(steps):
        a, nxt = agent.act(obs, hid)
        obs2, r, done = env.step(a)
        agent.replay.push(obs, hid, a, r, obs2, nxt, done)
        loss = agent.learn()
        obs, hid = (env.reset(), agent.q.initial()) if done else (obs2, nxt)
        if t % 50 == 0:
            agent.target.load_state_dict(agent.q.state_dict())
            print(t, loss)


run()
