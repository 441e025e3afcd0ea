# gradwatch-corpus: kind=second-backward
# holder: self._value | agent._value | v_next
# first-bad: 1
# notice: 0
"""Ablation fork: residual-gradient TD critic with a Gaussian reach-and-grasp actor.

Baseline agents are composed out of mixins, every one calling super().
"""
import torch
from torch import nn
from torch.distributions import Normal

torch.set_num_threads(1)

GAMMA = 0.92
HORIZON = 16


class ReachEnv:
    """A gripper in the plane; closing it near the object ends the attempt with a reward."""

    def __init__(self, n=32, seed=9):
        self.n, self.gen = n, torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        self.hand = torch.zeros(self.n, 2)
        self.thing = torch.randn(self.n, 2, generator=self.gen)
        self.clock = 0
        return self.observe()

    def observe(self):
        return torch.cat([self.hand, self.thing - self.hand], -1)

    def step(self, action):
        self.hand = self.hand + 0.3 * action[:, :2].clamp(-1, 1)
        dist = (self.thing - self.hand).norm(dim=-1)
        grip = torch.sigmoid(action[:, 2])
        reward = grip * torch.exp(-2 * dist) - 0.05 * dist
        self.clock += 1
        return self.observe(), reward, self.clock >= HORIZON


class AgentBase(nn.Module):
    def __init__(self, obs=4, act=3, hidden=32):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, act))
        self.critic = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.spread = nn.Parameter(torch.full((act,), -0.7))

    def begin(self, obs):
        self._obs = obs

    def value_of(self, obs):
        return self.critic(obs).squeeze(-1)

    def act(self):
        dist = Normal(self.actor(self._obs), self.spread.exp())
        action = dist.sample()
        return action, dist.log_prob(action).sum(-1), dist.entropy().sum(-1)

    def losses(self, logp, entropy, reward, obs, done):
        self._obs = obs
        return {}


class ResidualTDMixin:
    """Both ends of the TD error are differentiated; the state value is looked up once per state."""

    def begin(self, obs):
        super().begin(obs)
        self._value = self.value_of(obs)

    def losses(self, logp, entropy, reward, obs, done):
        out = super().losses(logp, entropy, reward, obs, done)
        v_next = self.value_of(obs)
        delta = reward + GAMMA * v_next * (not done) - self._value
        out["critic"] = delta.square().mean()
        out["delta"] = delta
        self._value = v_next  # <- culprit
        return out


class ScoreActorMixin:
    def losses(self, logp, entropy, reward, obs, done):
        out = super().losses(logp, entropy, reward, obs, done)
        advantage = out.pop("delta").detach()
        out["actor"] = -(advantage * logp).mean()
        return out


class EntropyMixin:
    entropy_weight = 2e-3

    def losses(self, logp, entropy, reward, obs, done):
        out = super().losses(logp, entropy, reward, obs, done)
        out["entropy"] = -self.entropy_weight * entropy.mean()
        return out


class GraspAgent(EntropyMixin, ScoreActorMixin, ResidualTDMixin, AgentBase):
    pass


def train(steps=160, lr=4e-3):
    torch.manual_seed(77)
    env, agent = ReachEnv(), GraspAgent()
    opt = torch.optim.Adam(agent.parameters(), lr=lr)
    agent.begin(env.reset())
    window = []
    for step in range(steps):
        action, logp, entropy = agent.act()
        obs, reward, done = env.step(action)
        terms = agent.losses(logp, entropy, reward, obs, done)
        loss = sum(terms.values())
        opt.zero_grad()
        loss.backward()
        opt.step()
        window = (window + [reward.mean().item()])[-HORIZON:]
        if done:
            print(f"step {step:3d} reward {sum(window) / len(window):.3f}")
            agent.begin(env.reset())
    return agent


if __name__ == "__main__":
    train()
