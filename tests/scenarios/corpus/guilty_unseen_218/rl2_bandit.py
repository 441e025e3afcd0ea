# gradwatch-corpus: kind=inplace-modified
# holder: agent.hidden | self.hidden
# first-bad: 1
"""Recurrent agent on a drifting 5-armed bandit (RL^2 like), reinforce + entropy bonus."""
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(13)

ARMS, WORKERS, UNROLL = 5, 16, 10


class DriftingBandit:
    def __init__(self, n, k):
        self.mu = torch.randn(n, k)
        self.n = n

    def pull(self, arm):
        r = self.mu.gather(1, arm[:, None]).squeeze(1) + 0.3 * torch.randn(self.n)
        self.mu = 0.99 * self.mu + 0.05 * torch.randn_like(self.mu)
        return r


class Agent(nn.Module):
    def __init__(self, k, hid=48):
        super().__init__()
        self.k = k
        self.core = nn.GRUCell(k + 1, hid)
        self.pi = nn.Linear(hid, k)
        self.v = nn.Linear(hid, 1)
        self.hidden = torch.zeros(WORKERS, hid)
        self.last = torch.zeros(WORKERS, k + 1)

    def act(self):
        self.hidden = self.core(self.last, self.hidden)  # <- culprit
        dist = Categorical(logits=self.pi(self.hidden))
        return dist, self.v(self.hidden).squeeze(1)

    def observe(self, arm, reward):
        onehot = nn.functional.one_hot(arm, self.k).float()
        self.last = torch.cat([onehot, reward[:, None]], 1)


def returns(rewards, bootstrap, gamma=0.8):
    R, out = bootstrap, []
    for r in reversed(rewards):
        R = r + gamma * R
        out.insert(0, R)
    return torch.stack(out)


env = DriftingBandit(WORKERS, ARMS)
agent = Agent(ARMS)
opt = torch.optim.RMSprop(agent.parameters(), lr=7e-4, alpha=0.99)

for update in range(100):
    logps, vals, ents, rews = [], [], [], []
    for t in range(UNROLL):
        dist, v = agent.act()
        arm = dist.sample()
        r = env.pull(arm)
        agent.observe(arm, r)
        logps.append(dist.log_prob(arm))
        ents.append(dist.entropy())
        vals.append(v)
        rews.append(r)

    vals = torch.stack(vals)
    R = returns(rews, vals[-1].detach())
    adv = R - vals
    loss = (-(torch.stack(logps) * adv.detach()).mean()
            + 0.5 * adv.pow(2).mean() - 0.01 * torch.stack(ents).mean())

    opt.zero_grad()
    loss.backward(retain_graph=True)
    nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    opt.step()

    if update % 20 == 0:
        print("update", update, "reward", torch.stack(rews).mean().item())
