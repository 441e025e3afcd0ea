# gradwatch-corpus: kind=none
"""Lane bots: advantage actor-critic over five-tick segments, recurrent memory carried over the match."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical

SEGMENT = 5
MATCH = 20


class LaneWorld:
    """Bots walk on a ring and are paid for standing on their (moving) goal."""

    def __init__(self, bots, cells=9, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.bots = bots
        self.cells = cells
        self.reset()

    def reset(self):
        self.pos = torch.randint(0, self.cells, (self.bots,), generator=self.gen)
        self.goal = torch.randint(0, self.cells, (self.bots,), generator=self.gen)

    def observe(self):
        a = F.one_hot(self.pos, self.cells)
        b = F.one_hot(self.goal, self.cells)
        return torch.cat([a, b], dim=1).float()

    def step(self, action):
        self.pos = (self.pos + action - 1) % self.cells
        gap = (self.pos - self.goal).abs()
        gap = torch.minimum(gap, self.cells - gap)
        moved = torch.rand(self.bots, generator=self.gen) < 0.05
        shift = torch.randint(0, self.cells, (self.bots,), generator=self.gen)
        self.goal = torch.where(moved, shift, self.goal)
        return (gap == 0).float() - 0.1 * gap.float()


class BotBrain(nn.Module):
    def __init__(self, n_in, hidden=32):
        super().__init__()
        self.inp = nn.Linear(n_in, hidden)
        self.memory = nn.GRUCell(hidden, hidden)
        self.pi = nn.Linear(hidden, 3)
        self.v = nn.Linear(hidden, 1)
        self.hidden = hidden

    def forward(self, obs, mem):
        mem = self.memory(torch.relu(self.inp(obs)), mem)
        return Categorical(logits=self.pi(mem)), self.v(mem).squeeze(1), mem


class Segment:
    def __init__(self):
        self.logp = []
        self.value = []
        self.entropy = []
        self.reward = []

    def put(self, dist, action, value, reward):
        self.logp.append(dist.log_prob(action))
        self.entropy.append(dist.entropy())
        self.value.append(value)
        self.reward.append(reward)

    def loss(self, bootstrap, gamma=0.95):
        ret = bootstrap
        targets = []
        for r in reversed(self.reward):
            ret = r + gamma * ret
            targets.append(ret)
        target = torch.stack(targets[::-1])
        value = torch.stack(self.value)
        adv = (target - value).detach()
        actor = -(torch.stack(self.logp) * adv).mean()
        critic = F.mse_loss(value, target)
        return actor + 0.5 * critic - 0.01 * torch.stack(self.entropy).mean()

    def clear(self):
        for rows in (self.logp, self.value, self.entropy, self.reward):
            rows.clear()


def main():
    torch.manual_seed(71)
    world = LaneWorld(32, seed=71)
    brain = BotBrain(18)
    opt = torch.optim.Adam(brain.parameters(), lr=4e-3)
    segment = Segment()
    mem = torch.zeros(32, brain.hidden)
    paid = 0.0
    for it in range(110):
        for _ in range(SEGMENT):
            dist, value, mem = brain(world.observe(), mem)
            action = dist.sample()
            reward = world.step(action)
            segment.put(dist, action, value, reward)
            paid = 0.98 * paid + 0.02 * reward.mean().item()
        with torch.no_grad():
            _, bootstrap, _ = brain(world.observe(), mem)
        loss = segment.loss(bootstrap)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(brain.parameters(), 1.0)
        opt.step()
        segment.clear()
        mem = mem.detach()
        if (it + 1) % MATCH == 0:
            world.reset()
            mem = torch.zeros_like(mem)
            print(f"match {(it + 1) // MATCH} reward {paid:.3f} loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
