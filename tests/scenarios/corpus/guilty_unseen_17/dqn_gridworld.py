# gradwatch-corpus: kind=graph-held
# holder: self.prio | rb.prio | self.prio[i] | self.prio[slot] | rb.prio[slot] | prio
# first-bad: 1
"""Deep Q-learning with prioritized replay on a small cliff-walking grid.
Everything in one file, top to bottom, so that you can read it in one go."""
import random
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.optim as optim


@dataclass
class Args:
    seed: int = 1
    total_timesteps: int = 500
    learning_rate: float = 5e-4
    buffer_size: int = 3000
    learning_starts: int = 1500
    batch_size: int = 32
    gamma: float = 0.97
    tau: float = 0.01
    per_alpha: float = 0.6
    per_beta: float = 0.4
    start_e: float = 1.0
    end_e: float = 0.05
    exploration_fraction: float = 0.5


class CliffWalk:
    """4 x 8 grid, walk from the lower left to the lower right, do not fall."""
    ROWS, COLS = 4, 8
    MOVES = [(-1, 0), (0, 1), (1, 0), (0, -1)]

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def _obs(self):
        o = torch.zeros(self.ROWS + self.COLS)
        o[self.pos[0]] = 1.0
        o[self.ROWS + self.pos[1]] = 1.0
        return o

    def reset(self):
        self.pos, self.t = (self.ROWS - 1, 0), 0
        return self._obs()

    def step(self, action):
        if self.rng.random() < 0.05:
            action = self.rng.randrange(4)
        dr, dc = self.MOVES[action]
        r = min(max(self.pos[0] + dr, 0), self.ROWS - 1)
        c = min(max(self.pos[1] + dc, 0), self.COLS - 1)
        self.pos, self.t = (r, c), self.t + 1
        if r == self.ROWS - 1 and 0 < c < self.COLS - 1:
            return self._obs(), -1.0, True
        if (r, c) == (self.ROWS - 1, self.COLS - 1):
            return self._obs(), 1.0, True
        return self._obs(), -0.02, self.t >= 60


class PrioritizedReplay:
    def __init__(self, size, obs_dim, alpha, beta):
        self.size, self.alpha, self.beta = size, alpha, beta
        self.obs = torch.zeros(size, obs_dim)
        self.next_obs = torch.zeros(size, obs_dim)
        self.act = torch.zeros(size, dtype=torch.long)
        self.rew = torch.zeros(size)
        self.done = torch.zeros(size)
        self.prio = []
        self.max_prio = torch.tensor(1.0)
        self.pos = 0

    def add(self, obs, next_obs, act, rew, done):
        i = self.pos
        self.obs[i], self.next_obs[i] = obs, next_obs
        self.act[i], self.rew[i], self.done[i] = act, rew, float(done)
        if i < len(self.prio):
            self.prio[i] = self.max_prio.clone()
        else:
            self.prio.append(self.max_prio.clone())
        self.pos = (i + 1) % self.size

    @torch.no_grad()
    def sample(self, n):
        p = torch.stack(self.prio) ** self.alpha
        p = p / p.sum()
        idx = torch.multinomial(p, n, replacement=True)
        w = (len(self.prio) * p[idx]) ** (-self.beta)
        return idx, w / w.max(), self.obs[idx], self.act[idx], self.rew[idx], self.next_obs[idx], self.done[idx]

    def update(self, idx, td_error):
        new = td_error.abs() + 1e-3  # <- culprit
        for slot, p in zip(idx.tolist(), new):
            self.prio[slot] = p  # <- culprit
        self.max_prio = torch.maximum(self.max_prio, new.detach().max())


class QNetwork(nn.Module):
    def __init__(self, obs_dim, n_actions):
        super().__init__()
        self.network = nn.Sequential(
            nn.Linear(obs_dim, 64), nn.ReLU(),
            nn.Linear(64, 64), nn.ReLU(),
            nn.Linear(64, n_actions),
        )

    def forward(self, x):
        return self.network(x)


def linear_schedule(start_e, end_e, duration, t):
    return max((end_e - start_e) / duration * t + start_e, end_e)


if __name__ == "__main__":
    args = Args()
    random.seed(args.seed)
    torch.manual_seed(args.seed)

    env = CliffWalk(args.seed)
    obs_dim = env.ROWS + env.COLS
    q_network = QNetwork(obs_dim, 4)
    optimizer = optim.Adam(q_network.parameters(), lr=args.learning_rate)
    target_network = QNetwork(obs_dim, 4)
    target_network.load_state_dict(q_network.state_dict())
    rb = PrioritizedReplay(args.buffer_size, obs_dim, args.per_alpha, args.per_beta)

    # fill the buffer with a random policy first
    obs = env.reset()
    for _ in range(args.learning_starts):
        a = random.randrange(4)
        next_obs, r, done = env.step(a)
        rb.add(obs, next_obs, a, r, done)
        obs = env.reset() if done else next_obs

    returns, ep_return = deque(maxlen=20), 0.0
    obs = env.reset()
    for global_step in range(args.total_timesteps):
        epsilon = linear_schedule(args.start_e, args.end_e,
                                  args.exploration_fraction * args.total_timesteps, global_step)
        if random.random() < epsilon:
            action = random.randrange(4)
        else:
            with torch.no_grad():
                action = int(q_network(obs).argmax())
        next_obs, reward, done = env.step(action)
        rb.add(obs, next_obs, action, reward, done)
        ep_return += reward
        obs = next_obs
        if done:
            returns.append(ep_return)
            obs, ep_return = env.reset(), 0.0

        # ALGO LOGIC: training
        idx, weights, b_obs, b_act, b_rew, b_next, b_done = rb.sample(args.batch_size)
        with torch.no_grad():
            best = q_network(b_next).argmax(dim=1, keepdim=True)
            td_target = b_rew + args.gamma * target_network(b_next).gather(1, best).squeeze(1) * (1 - b_done)
        old_val = q_network(b_obs).gather(1, b_act.unsqueeze(1)).squeeze(1)
        td_error = td_target - old_val
        loss = (weights * td_error.pow(2)).mean()

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rb.update(idx, td_error)

        with torch.no_grad():
            for tp, p in zip(target_network.parameters(), q_network.parameters()):
                tp.lerp_(p, args.tau)
        if global_step % 100 == 0:
            mean_ret = sum(returns) / max(len(returns), 1)
            print(f"global_step={global_step} td_loss={loss.item():.4f} return={mean_ret:.2f} eps={epsilon:.2f}")
