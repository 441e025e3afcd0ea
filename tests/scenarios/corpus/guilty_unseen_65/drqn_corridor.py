# gradwatch-corpus: kind=graph-held
# holder: self.hidden | agent.hidden | hidden
# first-bad: 1
# notice: 8
# also: graph-unused, memory-climb
"""DRQN on a never-ending memory corridor. A cue lamp flashes; some steps later the agent has to
pull the lever on the side where the lamp was. Sequences are replayed from a zero state."""
import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

HIDDEN = 24
SEQ = 8


class Corridor:
    n_obs, n_actions = 4, 3

    def __init__(self, delay=3, seed=0):
        self.rng = random.Random(seed)
        self.delay = delay
        self._new_trial()

    def _new_trial(self):
        self.side = self.rng.randint(0, 1)
        self.t = 0
        return self.obs()

    def obs(self):
        lamp = [0.0, 0.0]
        if self.t == 0:
            lamp[self.side] = 1.0
        return torch.tensor(lamp + [self.t / self.delay, float(self.t == self.delay)])

    def step(self, a):
        if self.t == self.delay:
            r = 1.0 if a == self.side else -1.0
            return self._new_trial(), r
        self.t += 1
        return self.obs(), (0.0 if a == 2 else -0.05)


class RecurrentQ(nn.Module):
    def __init__(self, n_obs, n_actions):
        super().__init__()
        self.inp = nn.Linear(n_obs, HIDDEN)
        self.rnn = nn.GRU(HIDDEN, HIDDEN, batch_first=True)
        self.out = nn.Linear(HIDDEN, n_actions)

    def forward(self, obs, h=None):
        y, h = self.rnn(torch.relu(self.inp(obs)), h)
        return self.out(y), h


class SequenceReplay:
    def __init__(self, cap):
        self.steps = deque(maxlen=cap)

    def push(self, *tr):
        self.steps.append(tr)

    def sample(self, n):
        buf = list(self.steps)
        starts = [random.randrange(len(buf) - SEQ) for _ in range(n)]
        cols = zip(*[zip(*buf[s:s + SEQ]) for s in starts])
        o, a, r, o2 = cols
        stack = lambda seqs: torch.stack([torch.stack(s) for s in seqs])
        return stack(o), torch.tensor(a), torch.tensor(r), stack(o2)


class Agent:
    def __init__(self, n_obs, n_actions, gamma=0.9):
        self.net = RecurrentQ(n_obs, n_actions)
        self.target = copy.deepcopy(self.net).requires_grad_(False)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.gamma, self.n_actions = gamma, n_actions
        self.hidden = None

    def act(self, obs, eps):
        q, self.hidden = self.net(obs.view(1, 1, -1), self.hidden)  # <- culprit
        if random.random() < eps:
            return random.randrange(self.n_actions)
        return int(q[0, 0].argmax())

    def learn(self, batch):
        o, a, r, o2 = batch
        q, _ = self.net(o)
        q = q.gather(2, a.unsqueeze(-1)).squeeze(-1)
        with torch.no_grad():
            best = self.net(o2)[0].argmax(-1, keepdim=True)
            nxt = self.target(o2)[0].gather(2, best).squeeze(-1)
            y = r + self.gamma * nxt
        loss = F.smooth_l1_loss(q[:, 2:], y[:, 2:])
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
        self.opt.step()
        return loss.item()

    def sync(self, tau=0.05):
        with torch.no_grad():
            for p, t in zip(self.net.parameters(), self.target.parameters()):
                t.lerp_(p, tau)


def main(updates=160, act_per_update=2):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    random.seed(1)
    env, memory = Corridor(), SequenceReplay(3000)
    agent = Agent(env.n_obs, env.n_actions)
    obs = env.obs()
    for _ in range(200):
        a = random.randrange(env.n_actions)
        nxt, r = env.step(a)
        memory.push(obs, a, r, nxt)
        obs = nxt

    recent = deque(maxlen=100)
    for it in range(updates):
        eps = max(0.05, 1.0 - it / 100)
        for _ in range(act_per_update):
            a = agent.act(obs, eps)
            nxt, r = env.step(a)
            memory.push(obs, a, r, nxt)
            recent.append(r)
            obs = nxt
        td = agent.learn(memory.sample(16))
        agent.sync()
        if it % 40 == 39:
            print(f"update {it + 1} td {td:.4f} reward/step {sum(recent) / len(recent):+.3f}")


if __name__ == "__main__":
    main()
