# gradwatch-corpus: kind=second-backward
# holder: advantage | adv
# first-bad: 1
# notice: 0
import math
import torch
import torch.nn as nn
from torch.distributions import Normal

torch.set_num_threads(1)
torch.manual_seed(4)


def mish(x):
    return x * torch.tanh(nn.functional.softplus(x))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.l2 = nn.Linear(2, 16), nn.Linear(16, 1)
        self.log_std = nn.Parameter(torch.zeros(1))

    def forward(self, s):
        return Normal(self.l2(mish(self.l1(s))), self.log_std.exp())


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.l2 = nn.Linear(2, 16), nn.Linear(16, 1)

    def forward(self, s):
        return self.l2(mish(self.l1(s)))


class Learner:
    def __init__(self, gamma=0.97):
        self.actor, self.critic = Actor(), Critic()
        self.adam_actor = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.adam_critic = torch.optim.Adam(self.critic.parameters(), lr=3e-3)
        self.gamma = gamma

    def td_error(self, s, r, s2):
        target = r + self.gamma * self.critic(s2).detach()
        return target - self.critic(s)  # <- culprit

    def learn(self, s, logp, r, s2):
        advantage = self.td_error(s, r, s2)
        critic_loss = advantage.pow(2).mean()
        self.adam_critic.zero_grad()
        critic_loss.backward()
        self.adam_critic.step()

        actor_loss = (-logp * advantage).mean()  # <- culprit
        self.adam_actor.zero_grad()
        actor_loss.backward()
        self.adam_actor.step()


def dynamics(s, u):
    th, om = s[:, :1], s[:, 1:]
    om = om + 0.05 * (9.8 * torch.sin(th) + 3 * u.clamp(-2, 2))
    th = th + 0.05 * om
    return torch.cat([(th + math.pi) % (2 * math.pi) - math.pi, om.clamp(-6, 6)], 1), -(th ** 2 + 0.1 * om ** 2)


agent = Learner()
state = torch.randn(8, 2)
for t in range(500):
    dist = agent.actor(state)
    u = dist.sample()
    nxt, rew = dynamics(state, u)
    agent.learn(state, dist.log_prob(u), rew, nxt)
    state = nxt
    if t % 100 == 0:
        print(t, rew.mean().item())
