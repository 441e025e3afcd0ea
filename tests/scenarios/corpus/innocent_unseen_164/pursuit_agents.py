# gradwatch-corpus: kind=none
"""Several pursuit agents: on-policy episodes plus a replayed dynamics model with a bounded buffer."""
import random
from collections import deque

import torch
from torch import nn
from torch.distributions import Normal

torch.set_num_threads(1)
torch.manual_seed(61)
random.seed(61)


class Replay:
    def __init__(self, capacity=300):
        self.rows = deque(maxlen=capacity)

    def add(self, *tensors):
        self.rows.append(tuple(t.detach() for t in tensors))

    def draw(self, n):
        batch = random.sample(list(self.rows), min(n, len(self.rows)))
        return [torch.stack(col) for col in zip(*batch)]


class EpisodeMixin:
    def start(self):
        self.log_probs, self.values, self.rewards = [], [], []

    def returns(self, gamma=0.9):
        total, out = 0.0, []
        for r in reversed(self.rewards):
            total = r + gamma * total
            out.append(total)
        return torch.tensor(out[::-1])


class Pursuer(EpisodeMixin, nn.Module):
    def __init__(self, name):
        nn.Module.__init__(self)
        self.name = name
        self.body = nn.Sequential(nn.Linear(4, 16), nn.Tanh())
        self.mu = nn.Linear(16, 2)
        self.value = nn.Linear(16, 1)
        self.dynamics = nn.Linear(6, 4)
        self.replay = Replay()
        fast = [*self.body.parameters(), *self.mu.parameters(), *self.value.parameters()]
        self.opt = torch.optim.Adam(fast, lr=4e-3)
        self.dyn_opt = torch.optim.SGD(self.dynamics.parameters(), lr=0.05)
        self.episodes = []
        self.start()

    def act(self, obs):
        h = self.body(obs)
        dist = Normal(self.mu(h), 0.3)
        action = dist.sample()
        self.log_probs.append(dist.log_prob(action).sum())
        self.values.append(self.value(h).squeeze(-1))
        return action

    def finish(self):
        ret = self.returns()
        values = torch.stack(self.values)
        adv = (ret - values).detach()
        loss = -(torch.stack(self.log_probs) * adv).mean() + 0.5 * (ret - values).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.episodes.append({"loss": loss.detach(), "return": sum(self.rewards)})
        self.start()

    def model_step(self):
        obs, action, nxt = self.replay.draw(32)
        loss = (self.dynamics(torch.cat([obs, action], 1)) - nxt).pow(2).mean()
        self.dyn_opt.zero_grad()
        loss.backward()
        self.dyn_opt.step()
        return loss.item()


def play(agents, length=8):
    prey = torch.randn(2)
    place = {a.name: torch.randn(2) for a in agents}
    for _ in range(length):
        prey = (prey + 0.1 * torch.randn(2)).clamp(-2, 2)
        for a in agents:
            obs = torch.cat([place[a.name], prey])
            action = a.act(obs)
            place[a.name] = place[a.name] + 0.3 * action.clamp(-1, 1)
            a.rewards.append(-(place[a.name] - prey).norm().item())
            a.replay.add(obs, action, torch.cat([place[a.name], prey]))


agents = [Pursuer(n) for n in ("p", "q", "r")]
for episode in range(30):
    play(agents)
    errors = []
    for a in agents:
        a.finish()
        errors.append(a.model_step())
    if episode % 10 == 9:
        print(episode, [round(a.episodes[-1]["return"], 2) for a in agents], [round(e, 4) for e in errors])
