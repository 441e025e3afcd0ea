# gradwatch-corpus: kind=second-backward
# first-bad: 0
# notice: 1
# holder: values | advantage | adv
import torch
import torch.nn as nn
import torch.optim as optim

torch.manual_seed(543)


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(4, 128)
        self.l2 = nn.Linear(128, 2)

    def forward(self, s):
        return torch.softmax(self.l2(torch.relu(self.l1(s))), dim=-1)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(4, 128)
        self.l2 = nn.Linear(128, 1)

    def forward(self, s):
        return self.l2(torch.relu(self.l1(s)))


class Env:
    def reset(self):
        self.s, self.t = torch.randn(4) * 0.05, 0
        return self.s

    def step(self, a):
        self.t += 1
        self.s = self.s * 0.99 + (a * 2 - 1) * torch.tensor([0.0, 0.05, 0.0, -0.05]) + 0.01 * torch.randn(4)
        return self.s, 1.0 - self.s.abs().sum().item(), self.t >= 20


def compute_returns(rewards, gamma=0.99):
    R, out = 0.0, []
    for r in reversed(rewards):
        R = r + gamma * R
        out.insert(0, R)
    return torch.tensor(out)


actor, critic, env = Actor(), Critic(), Env()
optA = optim.Adam(actor.parameters())
optC = optim.Adam(critic.parameters())
for episode in range(100):
    s, done = env.reset(), False
    log_probs, values, rewards = [], [], []
    while not done:
        dist = torch.distributions.Categorical(actor(s))
        a = dist.sample()
        log_probs.append(dist.log_prob(a))
        values.append(critic(s))
        s, r, done = env.step(a.item())
        rewards.append(r)
    returns = compute_returns(rewards)
    log_probs = torch.stack(log_probs)
    values = torch.cat(values)
    advantage = returns - values  # <- culprit
    actor_loss = -(log_probs * advantage).mean()  # <- culprit
    critic_loss = advantage.pow(2).mean()
    optA.zero_grad()
    optC.zero_grad()
    actor_loss.backward()  # <- culprit
    critic_loss.backward()  # <- culprit
    optA.step()
    optC.step()
    print("episode", episode, "score", sum(rewards))
