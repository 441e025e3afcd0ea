# gradwatch-corpus: kind=memory-climb
# holder: self._by_episode | buffer._by_episode | self.buffer._by_episode | replay._by_episode | agent.replay._by_episode | self.replay._by_episode
# first-bad: 72
# notice: 100
"""Off-policy pushing task (DDPG + hindsight goals) with camera frames in the replay."""
import random
from collections import defaultdict, deque
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Transition:
    episode: int
    frame: torch.Tensor
    action: torch.Tensor
    next_frame: torch.Tensor
    achieved: torch.Tensor
    goal: torch.Tensor


class HindsightReplay:
    def __init__(self, capacity, rng):
        self._ring = deque(maxlen=capacity)
        self._by_episode = defaultdict(list)
        self.rng = rng

    def __len__(self):
        return len(self._ring)

    def add(self, tr):
        self._ring.append(tr)
        self._by_episode[tr.episode].append(tr)  # <- culprit

    def sample(self, n, relabel=0.5):
        out = []
        for tr in self.rng.sample(list(self._ring), n):
            goal = tr.goal
            if self.rng.random() < relabel:
                goal = self.rng.choice(self._by_episode[tr.episode]).achieved
            out.append((tr.frame, tr.action, tr.next_frame, goal, -(tr.achieved - goal).norm()))
        return [torch.stack(c) for c in zip(*out)]


class PushEnv:
    size = 64

    def reset(self):
        self.xy = torch.rand(2)
        self.goal = torch.rand(2)
        return self.render()

    def render(self):
        img = torch.zeros(3, self.size, self.size)
        for ch, p in ((0, self.xy), (1, self.goal)):
            r, c = (p * (self.size - 1)).long().tolist()
            img[ch, max(r - 1, 0): r + 2, max(c - 1, 0): c + 2] = 1.0
        return img

    def step(self, a):
        self.xy = (self.xy + 0.1 * a).clamp(0, 1)
        return self.render()


class Encoder(nn.Sequential):
    def __init__(self, d):
        super().__init__(nn.Conv2d(3, 8, 5, 4), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 225, d), nn.ReLU())


class Actor(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.enc, self.out = Encoder(d), nn.Linear(d + 2, 2)

    def forward(self, f, g):
        return torch.tanh(self.out(torch.cat([self.enc(f), g], -1)))


class Critic(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.enc, self.out = Encoder(d), nn.Linear(d + 4, 1)

    def forward(self, f, g, a):
        return self.out(torch.cat([self.enc(f), g, a], -1)).squeeze(-1)


def train(episodes=36, horizon=16, updates_per_ep=6, gamma=0.95):
    env, rng = PushEnv(), random.Random(0)
    actor, critic, target = Actor(), Critic(), Critic()
    target.load_state_dict(critic.state_dict())
    a_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
    c_opt = torch.optim.Adam(critic.parameters(), lr=1e-3)
    replay = HindsightReplay(96, rng)
    for ep in range(episodes):
        frame = env.reset()
        for _ in range(horizon):
            with torch.no_grad():
                a = (actor(frame[None], env.goal[None])[0] + 0.3 * torch.randn(2)).clamp(-1, 1)
            nxt = env.step(a)
            replay.add(Transition(ep, frame, a, nxt, env.xy.clone(), env.goal))
            frame = nxt
        for _ in range(updates_per_ep):
            f, a, nf, g, r = replay.sample(16)
            with torch.no_grad():
                y = r + gamma * target(nf, g, actor(nf, g))
            c_loss = F.mse_loss(critic(f, g, a), y)
            c_opt.zero_grad()
            c_loss.backward()
            c_opt.step()
            a_opt.zero_grad()
            (-critic(f, g, actor(f, g)).mean()).backward()
            a_opt.step()
            with torch.no_grad():
                for p, q in zip(target.parameters(), critic.parameters()):
                    p.lerp_(q, 0.02)
        if ep % 6 == 0:
            print(f"episode {ep} critic {c_loss.item():.4f} buffer {len(replay)}")


if __name__ == "__main__":
    torch.manual_seed(12)
    torch.set_num_threads(1)
    train()
