# gradwatch-corpus: kind=second-backward
# holder: self._hx | self.memory._hx | agent.memory._hx
# first-bad: 1
"""Recurrent Q-learning on a T-maze where the cue is shown only at the start; online updates over 4-step fragments."""
import random

import torch

from agent import RecurrentQAgent


class BatchedTMaze:
    def __init__(self, n, length=7, seed=0):
        self.n, self.length = n, length
        self.g = torch.Generator().manual_seed(seed)
        self.pos = torch.zeros(n, dtype=torch.long)
        self.cue = torch.randint(0, 2, (n,), generator=self.g)

    def observe(self):
        o = torch.zeros(self.n, 4)
        start = self.pos == 0
        o[start, self.cue[start]] = 1.0
        o[:, 2] = (self.pos == self.length).float()
        o[:, 3] = self.pos / self.length
        return o

    def step(self, action):
        at_end = self.pos == self.length
        reward = torch.where(at_end & (action == self.cue), 1.0, 0.0)
        reward = torch.where(at_end & (action != self.cue), torch.tensor(-0.2), reward)
        self.pos = torch.where(at_end, 0, self.pos + 1)
        fresh = torch.randint(0, 2, (self.n,), generator=self.g)
        self.cue = torch.where(at_end, fresh, self.cue)
        return self.observe(), reward, at_end


def main():
    torch.manual_seed(5)
    random.seed(5)
    env = BatchedTMaze(16)
    agent = RecurrentQAgent(obs_dim=4, n_actions=2, lanes=16)
    obs = env.observe()
    for it in range(100):
        agent.begin_fragment()
        for _ in range(4):
            action = agent.act(obs, eps=max(0.05, 1 - it / 60))
            nxt, rew, done = env.step(action)
            agent.record(rew, done)
            obs = nxt
        loss = agent.learn(obs)
        if it % 20 == 0:
            print(it, f"{loss:.4f}")


if __name__ == "__main__":
    main()
