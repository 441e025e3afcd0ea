# gradwatch-corpus: kind=second-backward
# holder: batch.latent | self._latent | batch._latent | rollout._latent
# first-bad: 2
# notice: 0
from __future__ import annotations

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(90)


class Agent(nn.Module):
    def __init__(self, obs=4, width=14):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, width), nn.ELU(), nn.Linear(width, width), nn.ELU())
        self.value = nn.Linear(width, 1)
        self.steer = nn.Linear(width, 3)


class Rollout:
    """A slice of driving experience, encoded on first demand."""

    def __init__(self, agent: Agent, obs, action, reward):
        self.agent, self.obs, self.action, self.reward = agent, obs, action, reward
        self._latent = None

    @property
    def latent(self):
        if self._latent is None:
            self._latent = self.agent.trunk(self.obs)
        return self._latent


class Track:
    def __init__(self, n=16):
        self.n = n

    def drive(self, agent: Agent) -> Rollout:
        obs = torch.randn(self.n, 4)
        with torch.no_grad():
            act = torch.distributions.Categorical(logits=agent.steer(agent.trunk(obs))).sample()
        reward = 1.0 - (obs[:, 0] + 0.5 * (act.float() - 1)).abs()
        return Rollout(agent, obs, act, reward)


class Learner:
    def __init__(self, agent: Agent, policy_delay: int = 3):
        self.agent, self.policy_delay = agent, policy_delay
        self.opt = torch.optim.Adam(agent.parameters(), lr=2e-3)
        self.updates = 0

    def _critic_grads(self, batch: Rollout) -> None:
        v = self.agent.value(batch.latent).squeeze(1)
        (v - batch.reward).pow(2).mean().backward()  # <- culprit

    def _actor_grads(self, batch: Rollout) -> None:
        logp = torch.log_softmax(self.agent.steer(batch.latent), 1)  # <- culprit
        with torch.no_grad():
            adv = batch.reward - self.agent.value(batch.latent).squeeze(1)
        chosen = logp.gather(1, batch.action[:, None]).squeeze(1)
        (-(adv * chosen).mean()).backward()  # <- culprit

    def update(self, batch: Rollout) -> None:
        self.updates += 1
        self.opt.zero_grad()
        self._critic_grads(batch)
        if self.updates % self.policy_delay == 0:
            self._actor_grads(batch)
        self.opt.step()


def main():
    track, learner = Track(), Learner(Agent())
    for _ in range(400):
        rollout = track.drive(learner.agent)
        learner.update(rollout)


main()
