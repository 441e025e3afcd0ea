import copy

import torch
import torch.nn as nn


class RecurrentQ(nn.Module):
    def __init__(self, obs_dim, n_act, hidden=32):
        super().__init__()
        self.hidden = hidden
        self.embed = nn.Linear(obs_dim, hidden)
        self.lstm = nn.LSTM(hidden, hidden, batch_first=True)
        self.adv = nn.Linear(hidden, n_act)
        self.val = nn.Linear(hidden, 1)

    def forward(self, obs, state):
        x, state = self.lstm(torch.relu(self.embed(obs)), state)
        a = self.adv(x)
        return self.val(x) + a - a.mean(-1, keepdim=True), state

    def zero_state(self, n):
        return torch.zeros(1, n, self.hidden), torch.zeros(1, n, self.hidden)


class Learner:
    def __init__(self, obs_dim, n_act, burn_in, gamma=0.95, lr=1e-3):
        self.net = RecurrentQ(obs_dim, n_act)
        self.target = copy.deepcopy(self.net)
        self.burn_in = burn_in
        self.gamma = gamma
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.updates = 0

    def warm(self, net, obs, state):
        with torch.no_grad():
            _, state = net(obs[:, :self.burn_in], state)
        return state

    def update(self, obs, act, rew, state):
        s_online = self.warm(self.net, obs, state)
        s_target = self.warm(self.target, obs, state)
        q, _ = self.net(obs[:, self.burn_in:], s_online)
        with torch.no_grad():
            qt, _ = self.target(obs[:, self.burn_in:], s_target)
            best = q[:, 1:].argmax(-1, keepdim=True)
            y = rew[:, self.burn_in:-1] + self.gamma * qt[:, 1:].gather(-1, best).squeeze(-1)
        chosen = q[:, :-1].gather(-1, act[:, self.burn_in:-1, None]).squeeze(-1)
        td = y - chosen
        loss = 0.5 * td.pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 40.0)
        self.opt.step()
        self.updates += 1
        if self.updates % 25 == 0:
            self.target.load_state_dict(self.net.state_dict())
        err = td.detach().abs()
        return 0.9 * err.max(1).values + 0.1 * err.mean(1), loss.item()
