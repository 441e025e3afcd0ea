# gradwatch-corpus: kind=none
"""News slate: articles are drawn one after another without replacement (Plackett-Luce), the user
leaves at some point, REINFORCE over sessions with a replay of old sessions for the critic."""
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
from torch.distributions import Categorical

Turn = namedtuple("Turn", "log_prob value reward")
Memory = namedtuple("Memory", "state ret")


class SlateAgent(nn.Module):
    def __init__(self, n_user=6, n_item=5, width=24):
        super().__init__()
        self.reader = nn.GRUCell(n_item, width)
        self.start = nn.Linear(n_user, width)
        self.match = nn.Bilinear(width, n_item, 1)
        self.value = nn.Linear(width, 1)

    def scores(self, h, items):
        n = items.shape[0]
        return self.match(h.expand(n, -1).contiguous(), items).squeeze(1)


class Session:
    def __init__(self, agent, taste):
        self.agent = agent
        self.taste = taste
        self.turns = []
        self.states = []

    def play(self, slots=5):
        user = torch.randn(6)
        items = torch.randn(10, 5)
        h = torch.tanh(self.agent.start(user))[None]
        blocked = torch.zeros(10, dtype=torch.bool)
        for _ in range(slots):
            logits = self.agent.scores(h, items).masked_fill(blocked, -1e9)
            dist = Categorical(logits=logits)
            pick = dist.sample()
            click = torch.sigmoid(user @ self.taste @ items[pick])
            reward = float(torch.bernoulli(click))
            value = self.agent.value(h).squeeze()
            self.turns.append(Turn(dist.log_prob(pick), value, reward))
            self.states.append(h.detach())
            blocked = blocked.clone()
            blocked[pick] = True
            h = self.agent.reader(items[pick][None], h)
            if random.random() < 0.1 * (1 - reward):
                break
        return self

    def returns(self, gamma=0.9):
        acc = 0.0
        out = []
        for turn in reversed(self.turns):
            acc = turn.reward + gamma * acc
            out.append(acc)
        return out[::-1]


def update(agent, opt, sessions, replay):
    policy_terms = []
    value_terms = []
    for s in sessions:
        rets = s.returns()
        for turn, state, ret in zip(s.turns, s.states, rets):
            advantage = ret - turn.value.detach()
            policy_terms.append(-turn.log_prob * advantage)
            value_terms.append((turn.value - ret) ** 2)
            replay.append(Memory(state, ret))
    loss = torch.stack(policy_terms).mean() + 0.5 * torch.stack(value_terms).mean()
    old = random.sample(replay, min(32, len(replay)))
    states = torch.cat([m.state for m in old])
    rets = torch.tensor([m.ret for m in old])
    loss = loss + 0.1 * (agent.value(states).squeeze(1) - rets).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


random.seed(40)
torch.manual_seed(40)
agent = SlateAgent()
opt = torch.optim.Adam(agent.parameters(), lr=4e-3)
taste = torch.randn(6, 5) * 0.6
replay = deque(maxlen=400)
clicks = []
for it in range(120):
    sessions = [Session(agent, taste).play() for _ in range(6)]
    loss = update(agent, opt, sessions, replay)
    clicks.append(sum(t.reward for s in sessions for t in s.turns) / sum(len(s.turns) for s in sessions))
    for s in sessions:
        s.turns.clear()
    if it % 20 == 19:
        print(f"update {it + 1:3d} loss {loss:+.4f} click rate {sum(clicks[-20:]) / 20:.3f} replay {len(replay)}")
