# gradwatch-corpus: kind=none
"""REINFORCE for a two-finger gripper; slips raise, and the last few kinds of slip are filed."""
from collections import OrderedDict

import torch
from torch import nn
from torch.distributions import Normal

torch.set_num_threads(1)
torch.manual_seed(33)


class Slip(RuntimeError):
    def __init__(self, weight, t):
        super().__init__(f"slipped at {t} with weight {weight:.2f}")
        self.weight = weight
        self.t = t


class CaseFile:
    def __init__(self, room=8):
        self.room = room
        self.cases = OrderedDict()
        self.last_error = None
        self.filed = 0

    def put(self, err, logps):
        self.last_error = err
        self.filed += 1
        key = (int(err.weight * 20), err.t)
        self.cases[key] = logps
        self.cases.move_to_end(key)
        while len(self.cases) > self.room:
            self.cases.popitem(last=False)


class Grip(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 1))
        self.log_std = nn.Parameter(torch.tensor(-0.7))

    def forward(self, obs):
        return Normal(self.mu(obs).squeeze(-1), self.log_std.exp())


def lift(policy, weight, logps, rewards, horizon=5):
    force = 0.3
    for t in range(horizon):
        dist = policy(torch.tensor([weight, force, t / horizon]))
        a = dist.sample()
        logps.append(dist.log_prob(a))
        force = max(0.0, force + 0.3 * a.item())
        if force < weight - 0.35:
            rewards.append(-1.0)
            raise Slip(weight, t)
        rewards.append(1.0 - 0.5 * abs(force - weight))


def main():
    policy = Grip()
    opt = torch.optim.Adam(policy.parameters(), lr=4e-3)
    files = CaseFile()
    baseline = 0.0
    for episode in range(900):
        weight = torch.rand(()).item()
        logps, rewards = [], []
        try:
            lift(policy, weight, logps, rewards)
        except Slip as slip:
            files.put(slip, torch.stack(logps))
        ret = sum(rewards)
        loss = -(ret - baseline) * torch.stack(logps).sum()
        baseline += 0.05 * (ret - baseline)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"baseline {baseline:.2f}, {files.filed} slips, last: {files.last_error}, on file {list(files.cases)}")


if __name__ == "__main__":
    main()
