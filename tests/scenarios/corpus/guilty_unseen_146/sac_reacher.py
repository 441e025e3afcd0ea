# gradwatch-corpus: kind=inplace-modified
# holder: actor_loss
# first-bad: 1
# notice: 0
import torch
import torch.nn as nn
import torch.nn.functional as F
import random
torch.set_num_threads(1)
torch.manual_seed(0); random.seed(0)

class QNet(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.f1 = nn.Linear(s + a, 32)
        self.f2 = nn.Linear(32, 32)
        self.f3 = nn.Linear(32, 1)
    def forward(self, s, a):
        x = F.relu(self.f1(torch.cat([s, a], 1)))
        return self.f3(F.relu(self.f2(x)))

class Policy(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.f1 = nn.Linear(s, 32)
        self.mu = nn.Linear(32, a)
        self.ls = nn.Linear(32, a)
    def sample(self, s):
        h = F.relu(self.f1(s))
        mu, std = self.mu(h), self.ls(h).clamp(-4, 1).exp()
        d = torch.distributions.Normal(mu, std)
        u = d.rsample()
        a = torch.tanh(u)
        lp = (d.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)).sum(1, keepdim=True)
        return a, lp

class SAC:
    def __init__(self):
        self.q, self.q_t, self.pi = QNet(4, 2), QNet(4, 2), Policy(4, 2)
        self.q_t.load_state_dict(self.q.state_dict())
        self.q_optim = torch.optim.Adam(self.q.parameters(), lr=3e-4)
        self.pi_optim = torch.optim.Adam(self.pi.parameters(), lr=3e-4)
        self.alpha, self.gamma, self.tau = 0.2, 0.98, 0.01

    def learn(self, batch):
        s, a, r, s2 = (torch.stack(z) for z in zip(*batch))
        with torch.no_grad():
            a2, lp2 = self.pi.sample(s2)
            y = r + self.gamma * (self.q_t(s2, a2) - self.alpha * lp2)
        q_loss = F.mse_loss(self.q(s, a), y)
        new_a, lp = self.pi.sample(s)
        actor_loss = (self.alpha * lp - self.q(s, new_a)).mean()  # <- culprit

        self.q_optim.zero_grad()
        q_loss.backward()
        self.q_optim.step()  # <- culprit

        self.pi_optim.zero_grad()
        actor_loss.backward()
        self.pi_optim.step()

        for p, pt in zip(self.q.parameters(), self.q_t.parameters()):
            pt.data.mul_(1 - self.tau).add_(self.tau * p.data)
        return q_loss.item(), actor_loss.item()

agent = SAC()
buf = []
pos, goal = torch.zeros(2), torch.rand(2)
for t in range(400):
    s = torch.cat([pos, goal])
    with torch.no_grad():
        a = agent.pi.sample(s[None])[0][0]
    pos = (pos + .1 * a).clamp(-1, 1)
    r = -(pos - goal).norm().view(1)
    buf.append((s, a, r, torch.cat([pos, goal])))
    if len(buf) > 200: buf.pop(0)
    if t % 50 == 49: goal = torch.rand(2)
    if len(buf) >= 32:
        ql, al = agent.learn(random.sample(buf, 32))
        if t % 50 == 0: print(t, ql, al)
