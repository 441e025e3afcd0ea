import numpy as np
import torch as th
from torch import nn


def polyak_update(params, target_params, tau):
    with th.no_grad():
        for param, target_param in zip(params, target_params):
            target_param.data.mul_(1 - tau)
            th.add(target_param.data, param.data, alpha=tau, out=target_param.data)


def create_mlp(i, o, width=32, squash=False):
    layers = [nn.Linear(i, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, o)]
    return nn.Sequential(*(layers + [nn.Tanh()] if squash else layers))


class ReplayBuffer:
    def __init__(self, size, obs_dim, act_dim):
        self.obs, self.next_obs = np.zeros((size, obs_dim), np.float32), np.zeros((size, obs_dim), np.float32)
        self.act, self.rew = np.zeros((size, act_dim), np.float32), np.zeros((size, 1), np.float32)
        self.size, self.pos, self.full = size, 0, False

    def add(self, obs, next_obs, act, rew):
        i = self.pos
        self.obs[i], self.next_obs[i], self.act[i], self.rew[i] = obs, next_obs, act, rew
        self.pos = (self.pos + 1) % self.size
        self.full = self.full or self.pos == 0

    def sample(self, n):
        idx = np.random.randint(0, self.size if self.full else self.pos, n)
        return [th.from_numpy(a[idx]) for a in (self.obs, self.act, self.next_obs, self.rew)]


class ReachEnv:
    def reset(self):
        self.x, self.t = np.random.uniform(-1, 1, 3).astype(np.float32), 0
        return self.x.copy()

    def step(self, a):
        self.x = np.clip(self.x + 0.1 * np.array([a[0], a[1], a[0] * a[1]], np.float32), -2, 2)
        self.t += 1
        return self.x.copy(), -float((self.x ** 2).sum()), self.t >= 30
