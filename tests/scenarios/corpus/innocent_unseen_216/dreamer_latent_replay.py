# gradwatch-corpus: kind=none
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class LatentBuffer:
    """Start states for imagination (posterior latents of recent batches)."""

    def __init__(self, capacity):
        self.items = deque(maxlen=capacity)

    def push(self, z):
        self.items.extend(z.detach().clone().unbind(0))

    def sample(self, n):
        return torch.stack(random.sample(list(self.items), n))


class Swing:
    def __init__(self, n):
        self.th = torch.rand(n) * 6.28
        self.om = torch.zeros(n)

    def observe(self):
        return torch.stack([self.th.cos(), self.th.sin(), self.om / 8], -1)

    def step(self, u):
        u = u.squeeze(-1) * 2
        self.om = (self.om + 0.05 * (10 * self.th.sin() + 3 * u)).clamp(-8, 8)
        self.th = self.th + 0.05 * self.om
        return self.observe(), self.th.cos() - 0.05 * u ** 2


class WorldModel(nn.Module):
    def __init__(self, obs=3, act=1, z=16):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(obs, 48), nn.ELU(), nn.Linear(48, z))
        self.dyn = nn.GRUCell(act, z)
        self.dec = nn.Sequential(nn.Linear(z, 48), nn.ELU(), nn.Linear(48, obs))
        self.rew = nn.Linear(z, 1)

    def loss(self, o, a, r, o2):
        z = torch.tanh(self.enc(o))
        z2 = self.dyn(a, z)
        with torch.no_grad():
            target = torch.tanh(self.enc(o2))
        return F.mse_loss(self.dec(z2), o2) + F.mse_loss(self.rew(z2).squeeze(-1), r) + 0.5 * F.mse_loss(z2, target) + F.mse_loss(self.dec(z), o), z


class Dreamer:
    def __init__(self, horizon=6, gamma=0.95):
        self.wm = WorldModel()
        self.actor = nn.Sequential(nn.Linear(16, 32), nn.ELU(), nn.Linear(32, 1), nn.Tanh())
        self.value = nn.Sequential(nn.Linear(16, 32), nn.ELU(), nn.Linear(32, 1))
        self.target = nn.Sequential(nn.Linear(16, 32), nn.ELU(), nn.Linear(32, 1))
        self.target.load_state_dict(self.value.state_dict())
        self.target.requires_grad_(False)
        self.wm_opt = torch.optim.Adam(self.wm.parameters(), 2e-3)
        self.ac_opt = torch.optim.Adam(list(self.actor.parameters()) + list(self.value.parameters()), 1e-3)
        self.starts = LatentBuffer(512)
        self.horizon, self.gamma = horizon, gamma

    @torch.no_grad()
    def policy(self, obs, noise=0.3):
        a = self.actor(torch.tanh(self.wm.enc(obs)))
        return (a + noise * torch.randn_like(a)).clamp(-1, 1)

    def train_model(self, batch):
        loss, z = self.wm.loss(*batch)
        self.wm_opt.zero_grad()
        loss.backward()
        self.wm_opt.step()
        self.starts.push(z)
        return loss.item()

    def train_behaviour(self, n=32):
        self.wm.requires_grad_(False)
        z = self.starts.sample(n)
        traj, rewards = [z], []
        for _ in range(self.horizon):
            z = self.wm.dyn(self.actor(z), z)
            traj.append(z)
            rewards.append(self.wm.rew(z).squeeze(-1))
        ret, returns = self.target(z).squeeze(-1), []
        for r in reversed(rewards):
            ret = r + self.gamma * ret
            returns.insert(0, ret)
        returns = torch.stack(returns)
        states = torch.stack(traj[:-1]).detach()
        v_loss = F.mse_loss(self.value(states).squeeze(-1), returns.detach())
        a_loss = -returns[0].mean()
        self.ac_opt.zero_grad()
        (a_loss + v_loss).backward()
        self.ac_opt.step()
        self.wm.requires_grad_(True)
        with torch.no_grad():
            for t, s in zip(self.target.parameters(), self.value.parameters()):
                t.mul_(0.98).add_(s, alpha=0.02)
        return a_loss.item(), v_loss.item()


if __name__ == "__main__":
    torch.manual_seed(12)
    random.seed(12)
    env, agent = Swing(8), Dreamer()
    replay = deque(maxlen=400)
    obs = env.observe()
    for step in range(120):
        act = agent.policy(obs)
        nxt, rew = env.step(act)
        replay.append((obs, act, rew, nxt))
        obs = nxt
        picks = random.choices(replay, k=8)
        m = agent.train_model([torch.cat(c) for c in zip(*picks)])
        if step >= 10:
            a, v = agent.train_behaviour()
        if step % 30 == 29:
            print(f"step {step + 1} model {m:.4f} actor {a:.3f} value {v:.3f}")
