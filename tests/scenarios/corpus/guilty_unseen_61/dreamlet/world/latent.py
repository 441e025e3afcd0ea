"""Deterministic recurrent state-space model with decoder and reward head."""
import torch
import torch.nn.functional as F
from torch import nn


class LatentWorld(nn.Module):
    def __init__(self, obs_dim, act_dim, state_dim):
        super().__init__()
        self.state_dim = state_dim
        self.embed = nn.Linear(obs_dim, state_dim)
        self.cell = nn.GRUCell(act_dim, state_dim)
        self.correct = nn.Linear(2 * state_dim, state_dim)
        self.decode = nn.Linear(state_dim, obs_dim)
        self.reward = nn.Sequential(nn.Linear(state_dim, 16), nn.ELU(), nn.Linear(16, 1))

    def predict(self, state, action):
        return self.cell(action, state)

    def observe(self, obs, action):
        """Filter through an episode; returns the states [B, T, S]."""
        state, states = obs.new_zeros(obs.size(0), self.state_dim), []
        for t in range(obs.size(1)):
            prior = state if t == 0 else self.predict(state, action[:, t - 1])
            state = torch.tanh(self.correct(torch.cat([prior, self.embed(obs[:, t])], -1)))
            states.append(state)
        return torch.stack(states, 1)

    def loss(self, states, obs, reward):
        return F.mse_loss(self.decode(states), obs) + 0.1 * F.mse_loss(self.reward(states).squeeze(-1), reward)
