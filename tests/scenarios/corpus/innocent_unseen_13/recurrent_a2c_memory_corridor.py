# gradwatch-corpus: kind=none
"""Recurrent advantage actor-critic on a memory corridor: the cue is shown at the start and has to be
recalled at the end. Rollouts keep their graphs until the update and are cleared after it."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical


class MemoryCorridors:
    def __init__(self, n, length, seed):
        self.n, self.length = n, length
        self.g = torch.Generator().manual_seed(seed)
        self.position = torch.zeros(n, dtype=torch.long)
        self.cue = torch.randint(2, (n,), generator=self.g)

    def observe(self):
        shown = (self.position == 0).float()
        at_end = (self.position == self.length).float()
        return torch.stack([shown * (self.cue * 2 - 1), at_end, torch.ones(self.n)], 1)

    def step(self, action):
        at_end = self.position == self.length
        reward = torch.where(at_end, (action == self.cue).float() * 2 - 1, torch.zeros(self.n))
        self.position = torch.where(at_end, 0, self.position + 1)
        fresh = torch.randint(2, (self.n,), generator=self.g)
        self.cue = torch.where(at_end, fresh, self.cue)
        return self.observe(), reward, at_end


@dataclass
class Rollout:
    log_probs: list = field(default_factory=list)
    values: list = field(default_factory=list)
    entropies: list = field(default_factory=list)
    rewards: list = field(default_factory=list)
    dones: list = field(default_factory=list)

    def add(self, dist, action, value, reward, done):
        self.log_probs.append(dist.log_prob(action))
        self.values.append(value)
        self.entropies.append(dist.entropy())
        self.rewards.append(reward)
        self.dones.append(done.float())

    def clear(self):
        for items in vars(self).values():
            items.clear()

    def returns(self, bootstrap, gamma):
        out, r = [], bootstrap
        for reward, done in zip(reversed(self.rewards), reversed(self.dones)):
            r = reward + gamma * (1 - done) * r
            out.append(r)
        return torch.stack(out[::-1])


class Agent(nn.Module):
    def __init__(self, obs=3, hidden=24, actions=2):
        super().__init__()
        self.cell = nn.GRUCell(obs, hidden)
        self.pi = nn.Linear(hidden, actions)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs, h):
        h = self.cell(obs, h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(1), h


class A2C:
    def __init__(self, envs, steps=8, gamma=0.95):
        self.envs, self.steps, self.gamma = envs, steps, gamma
        self.agent = Agent()
        self.opt = torch.optim.RMSprop(self.agent.parameters(), lr=3e-3, eps=1e-5)
        self.rollout = Rollout()
        self.h = torch.zeros(envs.n, 24)
        self.obs = envs.observe()
        self.success = 0.0

    def collect(self):
        for _ in range(self.steps):
            dist, value, h = self.agent(self.obs, self.h)
            action = dist.sample()
            self.obs, reward, done = self.envs.step(action)
            self.rollout.add(dist, action, value, reward, done)
            self.h = h * (~done).float().unsqueeze(1)
            if done.any():
                rate = (reward[done] > 0).float().mean().item()
                self.success = 0.98 * self.success + 0.02 * rate

    def update(self):
        with torch.no_grad():
            bootstrap = self.agent(self.obs, self.h)[1]
        returns = self.rollout.returns(bootstrap, self.gamma)
        values = torch.stack(self.rollout.values)
        advantage = returns - values
        policy = -(torch.stack(self.rollout.log_probs) * advantage.detach()).mean()
        entropy = torch.stack(self.rollout.entropies).mean()
        loss = policy + 0.5 * advantage.square().mean() - 0.01 * entropy
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
        self.opt.step()
        self.rollout.clear()
        self.h = self.h.detach()
        return loss.item(), entropy.item()


def main(updates=300):
    torch.manual_seed(9)
    trainer = A2C(MemoryCorridors(n=16, length=4, seed=9))
    for u in range(updates):
        trainer.collect()
        loss, entropy = trainer.update()
        if u % 60 == 0:
            print(f"update {u}: loss {loss:+.3f} entropy {entropy:.3f} success {trainer.success:.2f}")


if __name__ == "__main__":
    main()
