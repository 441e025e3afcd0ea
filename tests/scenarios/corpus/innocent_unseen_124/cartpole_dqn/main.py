# gradwatch-corpus: kind=none
import copy

import torch
from torch import nn

from memory import Replay
from world import Balance

torch.set_num_threads(1)
torch.manual_seed(6)


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(4, 24), nn.ReLU())
        self.adv, self.val = nn.Linear(24, 2), nn.Linear(24, 1)

    def forward(self, s):
        h = self.f(s)
        a = self.adv(h)
        return self.val(h) + a - a.mean(-1, keepdim=True)


class DoubleDQN:
    def __init__(self, gamma=0.97):
        self.online = QNet()
        self.target = copy.deepcopy(self.online)
        self.opt = torch.optim.Adam(self.online.parameters(), lr=1e-3)
        self.gamma = gamma

    def act(self, s, eps):
        q = self.online(s)
        if torch.rand(()) < eps:
            return int(torch.randint(0, 2, ())), q
        return int(q.argmax()), q

    def learn(self, batch):
        s, a, r, s2, done = batch
        q = self.online(s).gather(1, a[:, None]).squeeze(1)
        with torch.no_grad():
            pick = self.online(s2).argmax(1, keepdim=True)
            goal = r + self.gamma * (1 - done) * self.target(s2).gather(1, pick).squeeze(1)
        loss = nn.functional.smooth_l1_loss(q, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        for p, tp in zip(self.online.parameters(), self.target.parameters()):
            tp.data.lerp_(p.data, 0.02)
        return loss.item()


env, agent, replay = Balance(), DoubleDQN(), Replay(500)
s, lengths, run = env.reset(), [], 0
for t in range(900):
    a, q = agent.act(s, eps=max(0.1, 1 - t / 400))
    s2, r, done = env.step(a)
    replay.push(s, a, r, s2, done, q.max().detach())
    run += 1
    s = env.reset() if done else s2
    if done:
        lengths.append(run)
        run = 0
    if len(replay) >= 32:
        loss = agent.learn(replay.sample(16))
    if t % 200 == 199:
        print(t, f"loss {loss:.4f}", "len", sum(lengths[-10:]) / 10)
