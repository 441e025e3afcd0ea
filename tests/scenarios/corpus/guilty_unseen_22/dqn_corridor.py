# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Double DQN on a noisy corridor with a trap door; kept deliberately close to the pseudo-code of the paper."""
import copy
import random

import torch
import torch.nn as nn


class Corridor:
    """Walk right to the exit; the trap in the middle opens at random."""

    def __init__(self, length=10, rng=None):
        self.length, self.rng = length, rng or random.Random(0)
        self.reset()

    def reset(self):
        self.pos, self.t = 0, 0
        self.trap = self.rng.random() < 0.3
        return self.obs()

    def obs(self):
        v = [0.0] * (self.length + 1)
        v[self.pos] = 1.0
        v[-1] = float(self.trap)
        return v

    def step(self, a):
        self.t += 1
        self.pos = max(0, min(self.length - 1, self.pos + (1 if a == 1 else -1 if a == 0 else 0)))
        reward, done = -0.01, False
        if self.pos == self.length // 2 and self.trap:
            reward, done = -1.0, True
        elif self.pos == self.length - 1:
            reward, done = 1.0, True
        elif self.t > 40:
            done = True
        self.trap = self.trap if self.rng.random() < 0.7 else not self.trap
        return self.obs(), reward, done


class Replay:
    def __init__(self, capacity, rng):
        self.capacity, self.rng = capacity, rng
        self.rows, self.head = [], 0

    def __len__(self):
        return len(self.rows)

    def push(self, row):
        if len(self.rows) < self.capacity:
            self.rows.append(row)
        else:
            self.rows[self.head] = row
        self.head = (self.head + 1) % self.capacity

    def sample(self, n):
        s, a, r, s2, d = zip(*self.rng.sample(self.rows, n))
        return (torch.tensor(s), torch.tensor(a), torch.tensor(r),
                torch.tensor(s2), torch.tensor(d, dtype=torch.float32))


class QNet(nn.Module):
    def __init__(self, n_obs, n_act, width=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.adv = nn.Linear(width, n_act)
        self.val = nn.Linear(width, 1)

    def forward(self, s):
        z = self.body(s)
        adv = self.adv(z)
        return self.val(z) + adv - adv.mean(dim=1, keepdim=True)


class DoubleDQN:
    def __init__(self, n_obs, n_act, gamma=0.95, lr=1e-3, sync=50):
        self.online = QNet(n_obs, n_act)
        self.target = copy.deepcopy(self.online)
        self.opt = torch.optim.Adam(self.online.parameters(), lr=lr)
        self.gamma, self.sync, self.n_act = gamma, sync, n_act
        self.updates = 0

    def act(self, obs, eps, rng):
        if rng.random() < eps:
            return rng.randrange(self.n_act)
        with torch.no_grad():
            return int(self.online(torch.tensor([obs])).argmax())

    def bellman_target(self, r, s2, d):
        best = self.online(s2).argmax(dim=1, keepdim=True)  # <- culprit
        q_next = self.target(s2).gather(1, best).squeeze(1)  # <- culprit
        return r + self.gamma * (1.0 - d) * q_next  # <- culprit

    def learn(self, batch):
        s, a, r, s2, d = batch
        q = self.online(s).gather(1, a.unsqueeze(1)).squeeze(1)
        y = self.bellman_target(r, s2, d)  # <- culprit
        loss = nn.functional.smooth_l1_loss(q, y.detach())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        if self.updates % self.sync == 0:
            self.target.load_state_dict(self.online.state_dict())
        return loss.item()


def main(updates=400, warmup=200, batch=64):
    torch.manual_seed(1)
    rng = random.Random(1)
    env, replay = Corridor(rng=rng), Replay(5000, rng)
    obs = env.reset()
    agent = DoubleDQN(len(obs), 3)
    episode, finished = 0.0, []
    done_updates = 0
    while done_updates < updates:
        eps = max(0.05, 1.0 - done_updates / 200)
        a = agent.act(obs, eps, rng)
        nxt, r, done = env.step(a)
        replay.push((obs, a, r, nxt, float(done)))
        episode += r
        obs = nxt
        if done:
            finished = (finished + [episode])[-30:]
            obs, episode = env.reset(), 0.0
        if len(replay) >= warmup:
            loss = agent.learn(replay.sample(batch))
            done_updates += 1
            if done_updates % 100 == 0:
                print(f"update {done_updates}  loss {loss:.4f}  return {sum(finished) / max(1, len(finished)):+.2f}")


if __name__ == "__main__":
    main()
