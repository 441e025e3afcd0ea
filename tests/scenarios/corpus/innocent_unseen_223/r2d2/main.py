# gradwatch-corpus: kind=none
import random

import torch

from agent import Learner
from replay import SequenceReplay

OBS, ACT, SEQ, BURN = 4, 3, 12, 4


class RecallEnv:
    """The cue shown two steps ago is the right action."""

    def __init__(self):
        self.cues = [0, 0, 0]

    def observe(self):
        o = torch.zeros(OBS)
        o[self.cues[-1]] = 1.0
        o[3] = 1.0
        return o

    def step(self, a):
        r = 1.0 if a == self.cues[-3] else 0.0
        self.cues = self.cues[1:] + [random.randrange(ACT)]
        return self.observe(), r


class Actor:
    def __init__(self, net, env):
        self.net = net
        self.env = env
        self.obs = env.observe()
        self.state = net.zero_state(1)

    @torch.no_grad()
    def sequence(self, eps):
        start = self.state
        obs, act, rew = [], [], []
        for _ in range(SEQ):
            q, self.state = self.net(self.obs.view(1, 1, -1), self.state)
            a = random.randrange(ACT) if random.random() < eps else int(q.argmax())
            obs.append(self.obs)
            act.append(a)
            self.obs, r = self.env.step(a)
            rew.append(r)
        return torch.stack(obs), torch.tensor(act), torch.tensor(rew), start


def main():
    random.seed(6)
    torch.manual_seed(6)
    learner = Learner(OBS, ACT, BURN)
    replay = SequenceReplay(64)
    actor = Actor(learner.net, RecallEnv())
    while len(replay) < 32:
        replay.add(*actor.sequence(1.0))
    returns = []
    for it in range(120):
        seq = actor.sequence(max(0.1, 1 - it / 80))
        returns.append(seq[2].sum().item())
        replay.add(*seq)
        idx, obs, act, rew, state = replay.sample(16)
        prio, loss = learner.update(obs, act, rew, state)
        replay.set_priorities(idx, prio)
        if (it + 1) % 40 == 0:
            print(it + 1, round(loss, 4), sum(returns[-20:]) / 20)


main()
