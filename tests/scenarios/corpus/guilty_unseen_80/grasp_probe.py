# gradwatch-corpus: kind=graph-held
# holder: self.weight | self.weight._backward_hooks | probe.weight | probe.weight._backward_hooks | policy.wrist.weight | policy.wrist.weight._backward_hooks | weight._backward_hooks
# first-bad: 1
# notice: 8
"""REINFORCE on a planar grasp: choose approach angle and opening for a random bar."""
import math

import torch
from torch import nn
from torch.autograd import Function
from torch.distributions import Normal

torch.set_num_threads(1)


class SquashLog(Function):
    """log-density correction of tanh, with a backward that does not overflow."""

    @staticmethod
    def forward(ctx, u):
        t = torch.tanh(u)
        ctx.save_for_backward(t)
        return torch.log1p(-t * t + 1e-6)

    @staticmethod
    def backward(ctx, g):
        (t,) = ctx.saved_tensors
        return -2.0 * t * g


class Policy(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, hidden), nn.Tanh())
        self.wrist = nn.Linear(hidden, 2)
        self.log_std = nn.Parameter(torch.full((2,), -0.5))

    def forward(self, obs):
        mean = self.wrist(self.trunk(obs))
        return Normal(mean, self.log_std.exp())

    def log_prob(self, dist, raw):
        return (dist.log_prob(raw) - SquashLog.apply(raw)).sum(-1)


class BarBench:
    """Bars with an angle and a width; the reward is near one for a centred, snug grasp."""

    def __init__(self, n, seed):
        self.n = n
        self.gen = torch.Generator().manual_seed(seed)

    def reset(self):
        self.angle = (torch.rand(self.n, generator=self.gen) - 0.5) * math.pi
        self.width = torch.rand(self.n, generator=self.gen)
        return torch.stack([self.angle.sin(), self.angle.cos(), self.width, torch.ones(self.n)], -1)

    def reward(self, action):
        turn = (action[:, 0] * math.pi / 2 - self.angle).square()
        grip = (0.5 + 0.5 * action[:, 1] - self.width).square()
        return torch.exp(-turn - 3 * grip)


class SignalProbe:
    """How strong is the gradient at one weight, compared with the loss that caused it?"""

    def __init__(self, weight, tag):
        self.weight, self.tag = weight, tag
        self.ratio = {}

    def watch(self, episode, surrogate):
        def note(grad):
            self.ratio[self.tag] = (episode, grad.norm().item() / (abs(surrogate.item()) + 1e-6))

        self.weight.register_hook(note)  # <- culprit


class Reinforce:
    def __init__(self, policy, bench, probe, lr=6e-3):
        self.policy, self.bench, self.probe = policy, bench, probe
        self.opt = torch.optim.RMSprop(policy.parameters(), lr=lr)
        self.baseline = 0.0

    def episode(self, k):
        obs = self.bench.reset()
        dist = self.policy(obs)
        raw = dist.sample()
        reward = self.bench.reward(raw.tanh())
        advantage = reward - self.baseline
        self.baseline += 0.1 * (reward.mean().item() - self.baseline)

        logp = self.policy.log_prob(dist, raw)
        surrogate = -(advantage * logp).mean() - 1e-3 * dist.entropy().mean()
        self.opt.zero_grad()
        self.probe.watch(k, surrogate)
        surrogate.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.opt.step()
        return reward.mean().item()


def main():
    torch.manual_seed(8)
    policy = Policy()
    probe = SignalProbe(policy.wrist.weight, "wrist")
    agent = Reinforce(policy, BarBench(64, seed=2), probe)
    for k in range(130):
        reward = agent.episode(k)
        if k % 20 == 0:
            at, ratio = probe.ratio["wrist"]
            print(f"episode {k:3d} reward {reward:.3f} baseline {agent.baseline:.3f} signal@{at} {ratio:.3f}")


if __name__ == "__main__":
    main()
