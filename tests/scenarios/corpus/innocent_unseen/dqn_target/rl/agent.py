import copy
import random
from collections import deque, namedtuple

import torch
import torch.nn.functional as F
from torch import nn

Transition = namedtuple("Transition", ("state", "action", "reward", "next_state", "done"))


class ReplayMemory:
    def __init__(self, capacity):
        self.buf = deque(maxlen=capacity)

    def push(self, *a):
        self.buf.append(Transition(*a))

    def sample(self, n):
        return Transition(*zip(*random.sample(self.buf, min(n, len(self.buf)))))

    def __len__(self):
        return len(self.buf)


class DQNAgent:
    def __init__(self, obs, act, gamma=0.95):
        self.n_act = act
        self.gamma = gamma
        self.policy_net = nn.Sequential(nn.Linear(obs, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, act))
        self.target_net = copy.deepcopy(self.policy_net).eval()
        self.memory = ReplayMemory(10_000)
        self.opt = torch.optim.AdamW(self.policy_net.parameters(), lr=1e-3, amsgrad=True)

    @torch.no_grad()
    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(self.n_act)
        return self.policy_net(s).argmax().item()

    def optimize(self, n=64):
        b = self.memory.sample(n)
        s, s2 = torch.stack(b.state), torch.stack(b.next_state)
        a, r = torch.tensor(b.action), torch.tensor(b.reward)
        live = 1 - torch.tensor(b.done).float()
        q = self.policy_net(s).gather(1, a[:, None]).squeeze(1)
        with torch.no_grad():
            target = r + self.gamma * live * self.target_net(s2).max(1).values
        loss = F.smooth_l1_loss(q, target)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(self.policy_net.parameters(), 100)
        self.opt.step()

    def sync(self):
        self.target_net.load_state_dict(self.policy_net.state_dict())
