import copy

import torch
from torch import nn


def q_net(n_obs, n_actions):
    return nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_actions))


class Learner:
    def __init__(self, replay, n_obs, n_actions, gamma=0.95, sync=20):
        self.replay, self.gamma, self.sync = replay, gamma, sync
        self.nets = nn.ModuleList(q_net(n_obs, n_actions) for _ in range(2))
        self.target = copy.deepcopy(self.nets).requires_grad_(False)
        self.opt = torch.optim.RMSprop(self.nets.parameters(), lr=1e-3)
        self.updates = 0

    def joint(self, nets, obs, actions=None):
        total = 0.0
        for k, net in enumerate(nets):
            q = net(obs[:, k])
            total = total + (q.max(dim=1).values if actions is None else q.gather(1, actions[:, k:k + 1]).squeeze(1))
        return total

    def update(self, batch):
        index, rows = self.replay.sample(batch)
        obs = torch.stack([torch.stack(r.obs) for r in rows])
        nxt = torch.stack([torch.stack(r.next_obs) for r in rows])
        actions = torch.tensor([r.actions for r in rows])
        reward = torch.tensor([r.reward for r in rows])
        alive = torch.tensor([0.0 if r.done else 1.0 for r in rows])
        with torch.no_grad():
            goal = reward + self.gamma * alive * self.joint(self.target, nxt)
        td = goal - self.joint(self.nets, obs, actions)
        loss = nn.functional.smooth_l1_loss(td, torch.zeros_like(td))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.replay.refresh(index, td.abs() + 1e-3)  # <- culprit
        self.updates += 1
        if self.updates % self.sync == 0:
            self.target.load_state_dict(self.nets.state_dict())
        return loss.item()
