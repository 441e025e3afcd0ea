# gradwatch-corpus: kind=none
import collections

import torch
import torch.nn as nn
import torch.nn.functional as F

Transition = collections.namedtuple("Transition", "log_prob value entropy reward mask")


class Bandwalk:
    """Non-stationary corridor: agent sees a noisy position and has to remember the hint given at the start."""

    def __init__(self, width=7, limit=12):
        self.width, self.limit = width, limit

    def reset(self):
        self.hint = 1 if torch.rand(()) < 0.5 else -1
        self.pos, self.t = 0, 0
        return torch.tensor([float(self.hint), 0.0, 1.0])

    def step(self, a):
        self.pos += 1 if a == 1 else -1
        self.t += 1
        end = abs(self.pos) >= self.width // 2
        r = 0.0
        if end:
            r = 1.0 if self.pos * self.hint > 0 else -1.0
        return torch.tensor([0.0, self.pos / self.width, 0.0]), r, end or self.t >= self.limit


class RecurrentAC(nn.Module):
    def __init__(self, obs=3, hidden=24, acts=2):
        super().__init__()
        self.lstm = nn.LSTMCell(obs, hidden)
        self.actor = nn.Linear(hidden, acts)
        self.critic = nn.Linear(hidden, 1)
        self.hidden = hidden

    def init_hidden(self):
        return torch.zeros(1, self.hidden), torch.zeros(1, self.hidden)

    def forward(self, o, hx):
        h, c = self.lstm(o.unsqueeze(0), hx)
        return F.log_softmax(self.actor(h), -1), self.critic(h).squeeze(), (h, c)


class Worker:
    def __init__(self, n_steps=8, gamma=0.95):
        self.env, self.net = Bandwalk(), RecurrentAC()
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=1e-3)
        self.window = collections.deque(maxlen=n_steps)
        self.n_steps, self.gamma = n_steps, gamma
        self.obs, self.hx = self.env.reset(), self.net.init_hidden()
        self.scores = collections.deque(maxlen=100)

    def interact(self):
        logp, value, self.hx = self.net(self.obs, self.hx)
        a = torch.multinomial(logp.detach().exp(), 1).item()
        entropy = -(logp.exp() * logp).sum()
        self.obs, r, done = self.env.step(a)
        self.window.append(Transition(logp[0, a], value, entropy, r, 0.0 if done else 1.0))
        if done:
            self.scores.append(r)
            self.obs, self.hx = self.env.reset(), self.net.init_hidden()

    def learn(self):
        with torch.no_grad():
            _, boot, _ = self.net(self.obs, self.hx)
        R, policy_loss, value_loss = boot.item(), 0.0, 0.0
        for tr in reversed(self.window):
            R = tr.reward + self.gamma * R * tr.mask
            advantage = R - tr.value
            value_loss = value_loss + 0.5 * advantage.pow(2)
            policy_loss = policy_loss - tr.log_prob * advantage.detach() - 0.02 * tr.entropy
        loss = policy_loss + value_loss
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.opt.step()
        self.window.clear()
        self.hx = tuple(s.detach() for s in self.hx)
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(4)
    w = Worker()
    for update in range(150):
        while len(w.window) < w.n_steps:
            w.interact()
        loss = w.learn()
        if update % 30 == 29:
            print("update %d loss %.3f score %.2f" % (update + 1, loss, sum(w.scores) / max(1, len(w.scores))))
