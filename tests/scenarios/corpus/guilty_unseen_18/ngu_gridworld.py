# gradwatch-corpus: kind=graph-held
# holder: self.keys | memory.keys | self.memory.keys | agent.memory.keys
# first-bad: 1
"""Novelty-driven exploration of a small maze: inverse-dynamics embedding, an episodic k-NN bonus on top,
and a plain Q-head. Chapter 4 of my thesis, stripped down to what a reader can run on a laptop."""
import random
from collections import deque
from typing import Deque, List, NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

WALLS = {(2, 1), (2, 2), (2, 3), (5, 4), (5, 5), (5, 6), (3, 6)}
SIZE = 8
MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]


class Maze:
    def __init__(self, rng: random.Random):
        self.rng = rng
        self.reset()

    def reset(self) -> torch.Tensor:
        self.pos, self.t = (0, 0), 0
        return self.observe()

    def observe(self) -> torch.Tensor:
        obs = torch.zeros(2, SIZE)
        obs[0, self.pos[0]] = 1.0
        obs[1, self.pos[1]] = 1.0
        return obs.flatten()

    def step(self, action: int):
        dx, dy = MOVES[action]
        nxt = (min(max(self.pos[0] + dx, 0), SIZE - 1), min(max(self.pos[1] + dy, 0), SIZE - 1))
        if nxt not in WALLS:
            self.pos = nxt
        self.t += 1
        reward = 1.0 if self.pos == (SIZE - 1, SIZE - 1) else 0.0
        return self.observe(), reward, bool(reward) or self.t >= 120


class Step(NamedTuple):
    obs: torch.Tensor
    action: int
    reward: float
    nxt: torch.Tensor
    done: bool


class EpisodicMemory:
    """Keys of visited places; the bonus is an inverse kernel over the k nearest ones."""

    def __init__(self, capacity: int = 20_000, k: int = 6, eps: float = 1e-2):
        self.keys: Deque[torch.Tensor] = deque(maxlen=capacity)
        self.k, self.eps = k, eps

    @torch.no_grad()
    def bonus(self, key: torch.Tensor) -> float:
        if len(self.keys) < self.k:
            return 1.0
        bank = torch.stack(tuple(self.keys))
        d2 = (bank - key).pow(2).sum(-1).topk(self.k, largest=False).values
        d2 = d2 / d2.mean().clamp_min(1e-6)
        kernel = self.eps / (d2 + self.eps)
        return float(1.0 / (kernel.sum().sqrt() + 1e-3))

    def write(self, key: torch.Tensor) -> None:
        self.keys.append(key)  # <- culprit


class Agent(nn.Module):
    def __init__(self, dim: int = 16):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(2 * SIZE, 32), nn.ReLU(), nn.Linear(32, dim))
        self.inverse = nn.Linear(2 * dim, len(MOVES))
        self.q = nn.Sequential(nn.Linear(2 * SIZE, 48), nn.ReLU(), nn.Linear(48, len(MOVES)))
        self.memory = EpisodicMemory()

    @torch.no_grad()
    def act(self, obs: torch.Tensor, eps: float, rng: random.Random) -> int:
        if rng.random() < eps:
            return rng.randrange(len(MOVES))
        return int(self.q(obs).argmax())

    def visit(self, obs: torch.Tensor, action: int, nxt: torch.Tensor):
        """Embeds one transition; returns the inverse-dynamics loss and the bonus of the place reached."""
        here, there = self.embed(torch.stack([obs, nxt]))
        logits = self.inverse(torch.cat([here, there]))
        inv = F.cross_entropy(logits[None], torch.tensor([action]))
        bonus = self.memory.bonus(there)
        self.memory.write(there)  # <- culprit
        return inv, bonus

    def td_loss(self, batch: List[Step], gamma: float = 0.97) -> torch.Tensor:
        obs = torch.stack([b.obs for b in batch])
        nxt = torch.stack([b.nxt for b in batch])
        act = torch.tensor([b.action for b in batch])
        rew = torch.tensor([b.reward for b in batch])
        alive = torch.tensor([0.0 if b.done else 1.0 for b in batch])
        with torch.no_grad():
            target = rew + gamma * alive * self.q(nxt).max(-1).values
        return F.smooth_l1_loss(self.q(obs).gather(1, act[:, None]).squeeze(1), target)


def main(steps: int = 600):
    torch.manual_seed(7)
    rng = random.Random(7)
    env, agent = Maze(rng), Agent()
    opt = torch.optim.Adam(agent.parameters(), lr=2e-3)
    replay: Deque[Step] = deque(maxlen=2000)
    obs, episodes, bonus_avg = env.reset(), 0, 1.0
    for step in range(steps):
        action = agent.act(obs, max(0.1, 1.0 - step / 400), rng)
        nxt, reward, done = env.step(action)
        inv, bonus = agent.visit(obs, action, nxt)
        bonus_avg += 0.02 * (bonus - bonus_avg)
        replay.append(Step(obs, action, reward + 0.1 * bonus / max(bonus_avg, 1e-3), nxt, done))
        batch = rng.sample(list(replay), min(16, len(replay)))
        loss = agent.td_loss(batch) + 0.5 * inv
        opt.zero_grad()
        loss.backward()
        opt.step()
        obs = nxt
        if done:
            obs, episodes = env.reset(), episodes + 1
        if step % 100 == 0:
            print(f"step {step:4d}  loss {loss.item():.4f}  bonus {bonus_avg:.3f}  episodes {episodes}")


if __name__ == "__main__":
    main()
