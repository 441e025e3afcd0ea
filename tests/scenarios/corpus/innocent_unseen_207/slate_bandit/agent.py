from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Session:
    log_probs: list = field(default_factory=list)
    values: list = field(default_factory=list)
    entropies: list = field(default_factory=list)
    rewards: list = field(default_factory=list)


class Policy(nn.Module):
    def __init__(self, items, hidden=24):
        super().__init__()
        self.cell = nn.GRUCell(5, hidden)
        self.pick = nn.Linear(hidden, items)
        self.value = nn.Linear(hidden, 1)

    def forward(self, context, last_reward, state):
        x = torch.cat([context, torch.tensor([last_reward])])
        state = self.cell(x.unsqueeze(0), state)
        return Categorical(logits=self.pick(state)[0]), self.value(state)[0, 0], state


class SlateAgent:
    def __init__(self, items, session, gamma=0.9):
        self.policy = Policy(items)
        self.session_len = session
        self.gamma = gamma
        self.optim = torch.optim.Adam(self.policy.parameters(), lr=3e-3)
        self.sessions = []
        self.baseline = torch.tensor(0.0)
        self.begin()

    def begin(self):
        self.current = Session()
        self.state = None

    @property
    def session_over(self):
        return len(self.current.rewards) == self.session_len

    def recommend(self, context):
        last = self.current.rewards[-1] if self.current.rewards else 0.0
        dist, value, self.state = self.policy(context, last, self.state)
        item = dist.sample()
        self.current.log_probs.append(dist.log_prob(item))
        self.current.entropies.append(dist.entropy())
        self.current.values.append(value)
        return item

    def feedback(self, reward):
        self.current.rewards.append(reward)

    def returns(self):
        out, acc = [], 0.0
        for reward in reversed(self.current.rewards):
            acc = reward + self.gamma * acc
            out.append(acc)
        return torch.tensor(out[::-1])

    def learn(self):
        ret = self.returns()
        s = self.current
        values = torch.stack(s.values)
        adv = ret - values.detach() - 0.1 * self.baseline
        loss = -(torch.stack(s.log_probs) * adv).mean() + 0.5 * (ret - values).pow(2).mean()
        loss = loss - 0.01 * torch.stack(s.entropies).mean()
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        self.baseline = 0.95 * self.baseline + 0.05 * adv.mean()
        self.sessions.append((sum(s.rewards), loss.item()))
        self.begin()
