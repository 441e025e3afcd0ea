# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal


class PointMass:
    def __init__(self, n_env):
        self.n = n_env
        self.reset()

    def reset(self):
        self.x = torch.empty(self.n, 1).uniform_(-1, 1)
        self.v = torch.zeros(self.n, 1)
        return self.state()

    def state(self):
        return torch.cat([self.x, self.v], dim=1)

    def step(self, a):
        self.v = 0.95 * self.v + 0.1 * a.clamp(-2, 2)
        self.x = self.x + 0.1 * self.v
        reward = -(self.x ** 2 + 0.01 * a ** 2).squeeze(1)
        return self.state(), reward


class RecurrentAC(nn.Module):
    def __init__(self, obs=2, hid=24):
        super().__init__()
        self.gru = nn.GRUCell(obs, hid)
        self.mean = nn.Linear(hid, 1)
        self.value = nn.Linear(hid, 1)
        self.log_std = nn.Parameter(torch.zeros(1))

    def forward(self, s, h):
        h = self.gru(s, h)
        dist = Normal(self.mean(h), self.log_std.exp())
        return dist, self.value(h).squeeze(1), h


class Rollout:
    def __init__(self):
        self.clear()

    def clear(self):
        self.log_probs = []
        self.values = []
        self.rewards = []
        self.entropies = []

    def add(self, lp, v, r, ent):
        self.log_probs.append(lp)
        self.values.append(v)
        self.rewards.append(r)
        self.entropies.append(ent)

    def returns(self, bootstrap, gamma):
        R = bootstrap
        out = []
        for r in reversed(self.rewards):
            R = r + gamma * R
            out.insert(0, R)
        return torch.stack(out)


torch.manual_seed(77)
env = PointMass(16)
net = RecurrentAC()
opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
buf = Rollout()
s = env.reset()
h = torch.zeros(16, 24)
running = None
for update in range(100):
    for t in range(5):
        dist, value, h = net(s, h)
        a = dist.sample()
        s, r = env.step(a)
        buf.add(dist.log_prob(a).squeeze(1), value, r, dist.entropy().mean())
    with torch.no_grad():
        _, v_last, _ = net(s, h)
    R = buf.returns(v_last, 0.97)
    values = torch.stack(buf.values)
    adv = R - values
    policy_loss = -(torch.stack(buf.log_probs) * adv.detach()).mean()
    value_loss = adv.pow(2).mean()
    loss = policy_loss + 0.5 * value_loss - 0.001 * torch.stack(buf.entropies).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    opt.step()
    mean_r = torch.stack(buf.rewards).mean()
    running = mean_r if running is None else 0.9 * running + 0.1 * mean_r
    h = h.detach()
    buf.clear()
    if (update + 1) % 20 == 0:
        s = env.reset()
        h = torch.zeros_like(h)
        print(f"update {update + 1} reward {running.item():.4f} value loss {value_loss.item():.4f}")
