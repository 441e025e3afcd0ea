from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Categorical

from memory import Turn, TurnMemory


@dataclass
class AgentConfig:
    seed: int = 19
    games: int = 100
    parallel: int = 8
    capacity: int = 20000
    lr: float = 3e-3
    clip: float = 0.2
    replay: int = 6
    gamma: float = 0.9


class PolicyNet(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, n))

    def forward(self, board):
        return Categorical(logits=self.body(board).masked_fill(board != 0, -1e9))


class Agent:
    def __init__(self, cfg, n_cells):
        self.cfg = cfg
        self.policy = PolicyNet(n_cells)
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=cfg.lr)
        self.memory = TurnMemory(cfg.capacity, cfg.seed)

    def _episode(self, env):
        steps, done = [], False
        while not done:
            obs = env.board.clone()
            dist = self.policy(obs)
            a = dist.sample()
            reward, done = env.play(a)
            steps.append((obs, a, dist.log_prob(a), reward))
        turns, ret = [], torch.zeros(obs.size(0))
        for obs, a, lp, r in reversed(steps):
            ret = r + self.cfg.gamma * ret
            turns.append(Turn(obs, a, lp, ret))  # <- culprit
        return turns

    def play_and_learn(self, env):
        turns = self._episode(env)
        baseline = torch.stack([t.ret for t in turns]).mean()
        loss = -torch.stack([t.log_prob * (t.ret - baseline) for t in turns]).mean()
        if self.memory.storage:
            board, action, old_lp, ret = self.memory.sample(self.cfg.replay)
            ratio = (self.policy(board).log_prob(action) - old_lp).exp()
            adv = ret - ret.mean()
            c = self.cfg.clip
            loss = loss - 0.5 * torch.min(ratio * adv, ratio.clamp(1 - c, 1 + c) * adv).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.memory.extend(turns)
        return turns[-1].ret.mean().item()
