import random
from collections import deque

import torch


class Pendulumish:
    obs_dim, act_dim = 3, 1

    def observe(self):
        return torch.stack([self.th.cos(), self.th.sin(), self.om])

    def rollout(self, policy, belief, T=24):
        self.th, self.om = torch.rand(()) * 2 - 1, torch.zeros(())
        obs, act, rew = [], [], []
        for _ in range(T):
            o = self.observe()
            a, belief = policy(o, belief)
            self.om = 0.9 * self.om + 0.3 * torch.sin(self.th) + 0.4 * a[0]
            self.th = self.th + 0.2 * self.om
            obs.append(o)
            act.append(a)
            rew.append(self.th.cos() - 0.05 * a.pow(2).sum())
        return torch.stack(obs), torch.stack(act), torch.stack(rew)


class EpisodeMemory:
    def __init__(self, capacity):
        self.episodes = deque(maxlen=capacity)

    def add(self, episode):
        self.episodes.append(episode)

    def sample(self, n, length):
        cuts = []
        for _ in range(n):
            ep = random.Random(int(torch.randint(0, 1 << 30, ()))).choice(self.episodes)
            s = int(torch.randint(0, len(ep[0]) - length + 1, ()))
            cuts.append([x[s:s + length] for x in ep])
        return [torch.stack(x, 1) for x in zip(*cuts)]
