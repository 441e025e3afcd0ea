# gradwatch-corpus: kind=graph-held
# holder: self._heap | self.fame._heap | runner.fame._heap | self.fame | runner.fame
# first-bad: 1
"""REINFORCE for a recurrent controller; keeps the best episodes for the report."""
import heapq
import itertools
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(9)


@dataclass
class Episode:
    logps: list = field(default_factory=list)
    rewards: list = field(default_factory=list)
    actions: list = field(default_factory=list)

    def add(self, logp, action, reward):
        self.logps.append(logp)
        self.actions.append(action)
        self.rewards.append(reward)

    @property
    def score(self):
        return sum(self.rewards)

    def returns(self, gamma):
        out, g = [], 0.0
        for r in reversed(self.rewards):
            g = r + gamma * g
            out.append(g)
        return torch.tensor(out[::-1])


class HallOfFame:
    def __init__(self, size):
        self.size = size
        self._heap = []
        self._tie = itertools.count()

    def offer(self, episode):
        entry = (episode.score, next(self._tie), episode)
        if len(self._heap) < self.size:
            heapq.heappush(self._heap, entry)  # <- culprit
        else:
            heapq.heappushpop(self._heap, entry)  # <- culprit

    def __iter__(self):
        return (e for _, _, e in sorted(self._heap, key=lambda t: -t[0]))


class Controller(nn.Module):
    def __init__(self, obs, acts, width=24):
        super().__init__()
        self.width = width
        self.cell = nn.GRUCell(obs + acts, width)
        self.out = nn.Linear(width, acts)

    def forward(self, x, h):
        h = self.cell(x, h)
        return Categorical(logits=self.out(h)), h


class CopyBack:
    """Repeat the cue that was shown two steps ago."""

    def __init__(self, cues=4, length=8):
        self.cues, self.length = cues, length

    def cue_list(self):
        return torch.randint(self.cues, (self.length,)).tolist()


class Runner:
    def __init__(self, env, gamma=0.6):
        self.env = env
        self.gamma = gamma
        self.net = Controller(env.cues, env.cues)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=8e-3)
        self.fame = HallOfFame(6)
        self.baseline = 0.0

    def rollout(self):
        ep, cues = Episode(), self.env.cue_list()
        h = torch.zeros(1, self.net.width)
        last = torch.zeros(self.env.cues)
        eye = torch.eye(self.env.cues)
        for t, c in enumerate(cues):
            pi, h = self.net(torch.cat([eye[c], last]).unsqueeze(0), h)
            a = pi.sample()
            reward = float(t >= 2 and a.item() == cues[t - 2])
            ep.add(pi.log_prob(a), a.item(), reward)
            last = eye[a.item()]
        return ep

    def update(self):
        ep = self.rollout()
        adv = ep.returns(self.gamma) - self.baseline
        loss = -(torch.cat(ep.logps) * adv).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.baseline += 0.05 * (ep.returns(self.gamma).mean().item() - self.baseline)
        self.fame.offer(ep)  # <- culprit
        return ep.score


if __name__ == "__main__":
    runner = Runner(CopyBack())
    recent = []
    for k in range(150):
        recent.append(runner.update())
        if k % 30 == 29:
            print(f"episode {k + 1}: mean score {sum(recent[-30:]) / 30:.2f}")
    for ep in runner.fame:
        conf = sum(lp.exp().item() for lp in ep.logps) / len(ep.logps)
        print("best", ep.score, ep.actions, f"confidence {conf:.2f}")
