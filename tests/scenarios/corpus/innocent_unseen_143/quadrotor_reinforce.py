# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.distributions import Normal

torch.set_num_threads(1)


class Hover:
    """Height control of a quadrotor; at most 16 steps."""

    LIMIT = 16

    def reset(self):
        self.z, self.vz, self.t = float(torch.randn(()) * 0.5), 0.0, 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.z, self.vz])

    def step(self, thrust):
        self.vz += 0.2 * (thrust - 0.1 * self.vz)
        self.z += 0.2 * self.vz
        self.t += 1
        return self.obs(), -abs(self.z), self.t >= self.LIMIT or abs(self.z) > 3


class Pilot(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
        self.log_std = nn.Parameter(torch.tensor(-0.5))
        self.saved = []
        self.rewards = []

    def act(self, obs):
        d = Normal(self.mean(obs), self.log_std.exp())
        a = d.sample()
        self.saved.append((d.log_prob(a).sum(), d.entropy().sum()))
        return a.item()


def finish(pilot, opt, baseline):
    ret, returns = 0.0, []
    for r in reversed(pilot.rewards):
        ret = r + 0.95 * ret
        returns.insert(0, ret)
    loss = 0
    for (logp, ent), g in zip(pilot.saved, returns):
        loss = loss - logp * (g - baseline) - 0.01 * ent
    opt.zero_grad()
    loss.backward()
    opt.step()
    pilot.saved.clear()
    pilot.rewards.clear()
    return returns[0]


def main():
    torch.manual_seed(5)
    env, pilot, baseline = Hover(), Pilot(), 0.0
    opt = torch.optim.Adam(pilot.parameters(), lr=3e-3)
    for episode in range(500):
        obs, done = env.reset(), False
        while not done:
            obs, r, done = env.step(pilot.act(obs))
            pilot.rewards.append(r)
        g = finish(pilot, opt, baseline)
        baseline = 0.95 * baseline + 0.05 * g
        if episode % 100 == 0:
            print(episode, round(baseline, 3))


main()
