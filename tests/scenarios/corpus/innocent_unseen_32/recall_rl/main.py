# gradwatch-corpus: kind=none
"""Partially observed bandit-like control: a GRU policy that attends to its remembered states."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

from offpolicy_kit import EpochHistory, Polyak, RecallBuffer, Replay


@dataclass
class Cfg:
    signals: int = 4
    hidden: int = 24
    recall: int = 6
    batch: int = 32
    capacity: int = 256
    updates: int = 160
    epoch: int = 40
    lr: float = 3e-3
    gamma: float = 0.5


class RecallNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cell = nn.GRUCell(cfg.signals, cfg.hidden)
        self.att = nn.Linear(cfg.hidden, cfg.hidden, bias=False)
        self.q = nn.Linear(2 * cfg.hidden, cfg.signals)

    def forward(self, obs, h, memory):
        h = self.cell(obs, h)
        scores = torch.einsum("bh,bmh->bm", self.att(h), memory) / memory.size(-1) ** 0.5
        read = torch.einsum("bm,bmh->bh", scores.softmax(1), memory)
        return self.q(torch.cat([h, read], 1)), h


class CueWorld:
    """Reward for naming the cue shown one step ago."""

    def __init__(self, n):
        self.n = n
        self.now = torch.randint(0, n, ()).item()
        self.before = self.now

    def observe(self):
        self.before, self.now = self.now, torch.randint(0, self.n, ()).item()
        return F.one_hot(torch.tensor(self.now), self.n).float()

    def reward(self, action):
        return float(action == self.before)


class Agent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = RecallNet(cfg)
        self.target = Polyak(self.net, tau=0.05)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.replay = Replay(cfg.capacity)
        self.recall = RecallBuffer(cfg.recall, cfg.hidden)
        self.state = torch.zeros(1, cfg.hidden)

    def act(self, obs, eps):
        memory, before = self.recall.read(), self.state
        q, h = self.net(obs[None], before, memory)
        action = q.argmax().item() if torch.rand(()) > eps else torch.randint(0, q.size(1), ()).item()
        self.state = h.detach()
        self.recall.write(h)
        return action, (obs, before[0], memory[0])

    def learn(self):
        obs, h, memory, action, reward, obs2, h2, memory2 = self.replay.sample(self.cfg.batch)
        with torch.no_grad():
            future = self.target(obs2, h2, memory2)[0].max(1).values
        q = self.net(obs, h, memory)[0].gather(1, action[:, None]).squeeze(1)
        loss = F.smooth_l1_loss(q, reward + self.cfg.gamma * future)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.target.follow(self.net)
        return loss


def main(cfg=Cfg()):
    torch.manual_seed(77)
    world, agent, history = CueWorld(cfg.signals), Agent(cfg), EpochHistory()
    previous, update, tick = None, 0, 0
    while update < cfg.updates:
        with torch.no_grad():
            action, ctx = agent.act(world.observe(), eps=max(0.05, 1 - tick / 300))
        reward = world.reward(action)
        if previous is not None:
            agent.replay.push(*previous, *ctx)
        previous = (*ctx, torch.tensor(action), torch.tensor(reward))
        tick += 1
        if len(agent.replay) >= cfg.batch and tick % 3 == 0:
            history.add(loss=agent.learn(), reward=reward)
            update += 1
            if update % cfg.epoch == 0:
                print(f"update {update}: {history.close()}")


if __name__ == "__main__":
    main()
