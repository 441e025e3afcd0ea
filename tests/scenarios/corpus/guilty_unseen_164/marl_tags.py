# gradwatch-corpus: kind=graph-held
# holder: self.episodes | agent.episodes | agents[name].episodes | EpisodeMemory.episodes | memory.episodes | self.memory.episodes | agent.memory.episodes
# first-bad: 1
# notice: 11
"""Independent REINFORCE agents in a tiny coordination game."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(13)


class MeetingGame:
    """Agents on a ring of seven cells try to stand on one cell."""

    def __init__(self, names, cells=7, horizon=8):
        self.names, self.cells, self.horizon = names, cells, horizon

    def reset(self):
        self.t = 0
        self.pos = {n: int(torch.randint(0, self.cells, (1,))) for n in self.names}
        return self.observe()

    def observe(self):
        eye = torch.eye(self.cells)
        return {n: torch.cat([eye[self.pos[n]], sum(eye[p] for m, p in self.pos.items() if m != n)]) for n in self.names}

    def step(self, moves):
        for n, m in moves.items():
            self.pos[n] = (self.pos[n] + m - 1) % self.cells
        self.t += 1
        together = len(set(self.pos.values())) == 1
        return self.observe(), 1.0 if together else -0.1, self.t >= self.horizon


@dataclass
class Transition:
    log_prob: torch.Tensor
    reward: float = 0.0


@dataclass
class EpisodeMemory:
    episodes: dict = field(default_factory=dict)
    current: int = -1

    def begin(self):
        self.current += 1
        self.episodes[self.current] = []  # <- culprit

    def push(self, item):
        self.episodes[self.current].append(item)  # <- culprit

    @property
    def latest(self):
        return self.episodes[self.current]


class Agent:
    def __init__(self, obs, actions=3):
        self.net = nn.Sequential(nn.Linear(obs, 16), nn.Tanh(), nn.Linear(16, actions))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)
        self.memory = EpisodeMemory()
        self.baseline = 0.0

    def act(self, obs):
        dist = Categorical(logits=self.net(obs))
        action = dist.sample()
        self.memory.push(Transition(dist.log_prob(action)))  # <- culprit
        return int(action)

    def reward(self, value):
        self.memory.latest[-1].reward = value

    def finish(self, gamma=0.95):
        ret, returns = 0.0, []
        for tr in reversed(self.memory.latest):
            ret = tr.reward + gamma * ret
            returns.insert(0, ret)
        adv = torch.tensor(returns) - self.baseline
        loss = -(torch.stack([tr.log_prob for tr in self.memory.latest]) * adv).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.baseline = 0.95 * self.baseline + 0.05 * returns[0]
        return sum(tr.reward for tr in self.memory.latest)


names = ["red", "blue", "green"]
game = MeetingGame(names)
agents = {n: Agent(2 * game.cells) for n in names}
for episode in range(40):
    obs, done = game.reset(), False
    for agent in agents.values():
        agent.memory.begin()
    while not done:
        obs, reward, done = game.step({n: a.act(obs[n]) for n, a in agents.items()})
        for agent in agents.values():
            agent.reward(reward)
    score = [agent.finish() for agent in agents.values()]
    if episode % 10 == 9:
        print(episode, [round(s, 2) for s in score])
