# gradwatch-corpus: kind=none
"""Recurrent Q-learning on a T-maze with replay of short sequences and stored hidden states."""
import random

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(43)
random.seed(43)


class TMaze:
    """A cue is shown at the start; at the junction the agent must turn the way the cue said."""

    LENGTH = 4

    def reset(self):
        self.pos, self.cue = 0, random.choice((-1.0, 1.0))
        return torch.tensor([self.cue, 0.0, 0.0])

    def step(self, action):
        if self.pos < self.LENGTH:
            self.pos += int(action == 0)
            at_end = float(self.pos == self.LENGTH)
            return torch.tensor([0.0, self.pos / self.LENGTH, at_end]), -0.02, False
        good = (action == 1 and self.cue < 0) or (action == 2 and self.cue > 0)
        return torch.zeros(3), (1.0 if good else -0.2), True


class RecurrentQ(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.cell = nn.GRUCell(3, hidden)
        self.q = nn.Linear(hidden, 3)
        self.hidden = hidden

    def forward(self, o, h):
        h = self.cell(o, h)
        return self.q(h), h


class Agent:
    def __init__(self):
        self.net, self.target = RecurrentQ(), RecurrentQ()
        self.target.load_state_dict(self.net.state_dict())
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)
        self.memory = []
        self.h = torch.zeros(1, self.net.hidden)

    def act(self, obs, eps):
        q, h_new = self.net(obs.unsqueeze(0), self.h)
        before, self.h = self.h.detach(), h_new.detach()
        a = random.randrange(3) if random.random() < eps else int(q.argmax())
        return a, before

    def learn(self, batch=8):
        rows = random.choices(self.memory, k=batch)
        o, h, a, r, o2, done = (torch.stack(x) for x in zip(*rows))
        q, h1 = self.net(o, h)
        with torch.no_grad():
            y = r + 0.95 * (1 - done) * self.target(o2, h1)[0].amax(1)
        td = y - q.gather(1, a.unsqueeze(1)).squeeze(1)
        loss = F.huber_loss(td, torch.zeros_like(td)) + 1e-4 * h1.pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item(), td.detach().abs().mean()


env, agent = TMaze(), Agent()
obs, scores, td_log, score = env.reset(), [], [], 0.0
for t in range(700):
    a, h_before = agent.act(obs, eps=max(0.1, 1 - t / 400))
    nxt, r, done = env.step(a)
    score += r
    agent.memory.append((obs, h_before[0], torch.tensor(a), torch.tensor(r), nxt, torch.tensor(float(done))))
    obs = nxt
    if done:
        scores.append(score)
        obs, score, agent.h = env.reset(), 0.0, torch.zeros(1, agent.net.hidden)
    loss, td = agent.learn()
    td_log.append(td)
    if t % 50 == 0:
        agent.target.load_state_dict(agent.net.state_dict())
    if t % 100 == 99:
        tail = scores[-15:] or [0.0]
        print(f"t {t + 1} loss {loss:.4f} |td| {td_log[-1]:.3f} score {sum(tail) / len(tail):.2f}")
