import torch
from torch import nn

WIDTH = 20


class WorldModel(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.see = nn.Linear(obs, WIDTH)
        self.cell = nn.GRUCell(WIDTH + act, WIDTH)
        self.prior_in = nn.Linear(WIDTH, WIDTH)
        self.show = nn.Linear(WIDTH, obs)
        self.reward = nn.Linear(WIDTH, 1)

    def update(self, state, obs, act):
        return self.cell(torch.cat([self.see(obs), act], -1), state)

    def step(self, state, act):
        return self.cell(torch.cat([self.prior_in(state), act], -1), state)

    def observe(self, obs, act):
        state = obs.new_zeros(obs.shape[0], WIDTH)
        states = []
        for t in range(obs.shape[1]):
            state = self.update(state, obs[:, t], act[:, t])
            states.append(state)
        states = torch.stack(states, 1)
        return states, self.show(states), self.reward(states).squeeze(-1)
