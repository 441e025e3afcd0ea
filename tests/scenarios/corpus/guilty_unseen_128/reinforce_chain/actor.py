import torch
from torch import nn
from torch.distributions import Categorical


class Corridor:
    def __init__(self, tiles):
        self.tiles = tiles

    def reset(self):
        self.x = self.tiles // 2
        return self.obs()

    def obs(self):
        return nn.functional.one_hot(torch.tensor(self.x), self.tiles).float()

    def step(self, a):
        self.x += 1 if a else -1
        return self.obs(), 0.25 if a else -0.25, self.x in (0, self.tiles - 1)


class Actor(nn.Module):
    def __init__(self, tiles):
        super().__init__()
        self.table = nn.Linear(tiles, 2)

    def policy(self, obs):
        return Categorical(logits=self.table(obs))

    @torch.no_grad()
    def play(self, env, horizon=6):
        obs, acts, ret = [], [], 0.0
        s = env.reset()
        for _ in range(horizon):
            a = self.policy(s).sample()
            obs.append(s)
            acts.append(a)
            s, r, done = env.step(int(a))
            ret += r
            if done:
                break
        return torch.stack(obs), torch.stack(acts), ret
