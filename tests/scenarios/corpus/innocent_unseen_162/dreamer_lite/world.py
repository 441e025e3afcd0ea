import torch
from torch import nn
import torch.nn.functional as F


class WorldModel(nn.Module):
    def __init__(self, obs=6, act=2, z=16):
        super().__init__()
        self.enc = nn.Linear(obs, z)
        self.gru = nn.GRUCell(z + act, z)
        self.dec = nn.Linear(z, obs)
        self.rew = nn.Linear(z, 1)
        self.h = None

    def observe(self, obs, acts):
        """obs (T, B, obs), acts (T, B, act) -> posterior states (T, B, z)"""
        self.h = torch.zeros(obs.size(1), self.gru.hidden_size)
        states = []
        for o, a in zip(obs, acts):
            self.h = self.gru(torch.cat([torch.tanh(self.enc(o)), a], -1), self.h)
            states.append(self.h)
        return torch.stack(states)

    def loss(self, states, obs, rew):
        return F.mse_loss(self.dec(states), obs) + F.mse_loss(self.rew(states).squeeze(-1), rew)

    def imagine(self, actor, start, horizon):
        self.h = start
        states, acts = [self.h], []
        for _ in range(horizon):
            a = actor(self.h)
            acts.append(a)
            self.h = self.gru(torch.cat([torch.tanh(self.enc(self.dec(self.h))), a], -1), self.h)
            states.append(self.h)
        return torch.stack(states), torch.stack(acts)


class Replay:
    def __init__(self, capacity):
        self.capacity, self.chunks, self.at = capacity, [], 0

    def add(self, chunk):
        if len(self.chunks) < self.capacity:
            self.chunks.append(chunk)
        else:
            self.chunks[self.at % self.capacity] = chunk
        self.at += 1

    def sample(self, n):
        idx = torch.randint(len(self.chunks), (n,)).tolist()
        return [torch.cat([self.chunks[i][k] for i in idx], 1) for k in range(3)]
