# gradwatch-corpus: kind=none
"""Double Q-learning on a small grid corridor with prioritised replay and n-step returns."""
import argparse
import copy
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class AgentConfig:
    cells: int = 12
    actions: int = 3
    hidden: int = 32
    capacity: int = 90
    batch: int = 24
    n_step: int = 3
    gamma: float = 0.95
    sync: int = 40
    steps: int = 600
    lr: float = 2e-3


class Corridor:
    def __init__(self, cfg, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.cells = cfg.cells
        self.reset()

    def reset(self):
        self.pos, self.t = 0, 0

    def observe(self):
        return nn.functional.one_hot(torch.tensor(self.pos), self.cells).float()

    def act(self, a):
        slip = torch.rand(1, generator=self.g).item() < 0.1
        self.pos = min(max(self.pos + (0 if slip else a - 1), 0), self.cells - 1)
        self.t += 1
        done = self.pos == self.cells - 1 or self.t >= 40
        reward = 1.0 if self.pos == self.cells - 1 else -0.01
        if done:
            self.reset()
        return reward, done


@dataclass
class Transition:
    obs: torch.Tensor
    action: int
    reward: float
    after: torch.Tensor
    alive: float
    error: object = 1.0


class Replay:
    def __init__(self, cfg):
        self.items = deque(maxlen=cfg.capacity)
        self.tail = deque(maxlen=cfg.n_step)
        self.cfg = cfg

    def push(self, obs, action, reward, after, done):
        self.tail.append((obs, action, reward))
        if len(self.tail) == self.cfg.n_step or done:
            first = self.tail[0]
            ret = sum(self.cfg.gamma ** k * r for k, (_, _, r) in enumerate(self.tail))
            self.items.append(Transition(first[0], first[1], ret, after, 0.0 if done else 1.0))
        if done:
            self.tail.clear()

    def sample(self):
        p = torch.tensor([abs(float(t.error)) + 1e-2 for t in self.items])
        idx = torch.multinomial(p, self.cfg.batch, replacement=False)
        return [self.items[i] for i in idx.tolist()]


class Agent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.q = nn.Sequential(nn.Linear(cfg.cells, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, cfg.actions))
        self.target = copy.deepcopy(self.q)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=cfg.lr)
        self.replay = Replay(cfg)

    @torch.no_grad()
    def choose(self, obs, eps):
        if torch.rand(()) < eps:
            return int(torch.randint(self.cfg.actions, ()))
        return int(self.q(obs).argmax())

    def learn(self):
        rows = self.replay.sample()
        obs, after = (torch.stack([getattr(t, k) for t in rows]) for k in ("obs", "after"))
        action = torch.tensor([t.action for t in rows])
        reward = torch.tensor([t.reward for t in rows])
        alive = torch.tensor([t.alive for t in rows])
        with torch.no_grad():
            pick = self.q(after).argmax(-1, keepdim=True)
            boot = self.target(after).gather(1, pick)[:, 0]
        error = self.q(obs).gather(1, action[:, None])[:, 0] - (reward + alive * self.cfg.gamma ** self.cfg.n_step * boot)
        loss = nn.functional.huber_loss(error, torch.zeros_like(error))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        for t, e in zip(rows, error.detach()):
            t.error = e
        return loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=600)
    cfg = AgentConfig(steps=parser.parse_args().steps)
    torch.manual_seed(27)
    env, agent, recent, updates = Corridor(cfg, 27), Agent(cfg), deque(maxlen=50), 0
    while updates < cfg.steps:
        obs = env.observe()
        action = agent.choose(obs, max(0.1, 1 - updates / 300))
        reward, done = env.act(action)
        agent.replay.push(obs, action, reward, env.observe(), done)
        recent.append(reward)
        if len(agent.replay.items) < cfg.batch:
            continue
        loss = agent.learn()
        updates += 1
        if updates % cfg.sync == 0:
            agent.target.load_state_dict(agent.q.state_dict())
        if updates % 100 == 0:
            print(updates, f"{loss.item():.4f} reward {sum(recent) / len(recent):.3f}")


if __name__ == "__main__":
    main()
