# gradwatch-corpus: kind=none
"""Recurrent advantage actor-critic on a two-armed bandit whose good arm changes. The LSTM state runs
on through the whole life of each worker; rollouts have random length, several make one update."""
import random
from collections import deque

import torch
from torch import nn
from torch.distributions import Categorical


class SwitchingBandit:
    def __init__(self, rng, p_switch=0.03):
        self.rng, self.p_switch = rng, p_switch
        self.good = rng.randint(0, 1)

    def pull(self, arm):
        if self.rng.random() < self.p_switch:
            self.good = 1 - self.good
        p = 0.85 if arm == self.good else 0.15
        return 1.0 if self.rng.random() < p else 0.0


class Policy(nn.Module):
    def __init__(self, hid=24):
        super().__init__()
        self.cell = nn.LSTMCell(3, hid)
        self.pi, self.v = nn.Linear(hid, 2), nn.Linear(hid, 1)
        self.saved = []

    def forward(self, obs, state):
        h, c = self.cell(obs, state)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(), (h, c)


class Worker:
    def __init__(self, policy, rng):
        self.policy, self.env = policy, SwitchingBandit(rng)
        self.state = None
        self.obs = torch.zeros(1, 3)

    def rollout(self, steps, gamma):
        for _ in range(steps):
            dist, value, self.state = self.policy(self.obs, self.state)
            arm = dist.sample()
            r = self.env.pull(arm.item())
            self.policy.saved.append((dist.log_prob(arm), dist.entropy(), value, r))
            self.obs = torch.zeros(1, 3)
            self.obs[0, arm.item()] = 1.0
            self.obs[0, 2] = r
        with torch.no_grad():
            _, boot, _ = self.policy(self.obs, self.state)
        return self.loss(boot, gamma)

    def loss(self, ret, gamma):
        actor = critic = entropy = 0.0
        for logp, ent, value, r in reversed(self.policy.saved):
            ret = r + gamma * ret
            adv = ret - value
            actor = actor - (logp * adv.detach()).squeeze()
            critic = critic + adv.pow(2)
            entropy = entropy + ent.squeeze()
        n = len(self.policy.saved)
        score = sum(s[3] for s in self.policy.saved) / n
        del self.policy.saved[:]
        return (actor + 0.5 * critic - 0.02 * entropy) / n, score

    def cut(self):
        self.state = tuple(s.detach() for s in self.state)


class RewardScale:
    """Running spread of the losses' gradients, used to pick the clipping threshold."""

    def __init__(self):
        self.mean = torch.tensor(1.0)

    def __call__(self, params):
        norm = torch.stack([p.grad.norm() for p in params]).norm()
        self.mean = 0.98 * self.mean + 0.02 * norm
        return 2.0 * self.mean.item()


def main(updates=160, n_workers=3, gamma=0.8):
    torch.set_num_threads(1)
    torch.manual_seed(21)
    rng = random.Random(21)
    policy = Policy()
    params = list(policy.parameters())
    opt = torch.optim.RMSprop(params, lr=2e-3)
    workers = [Worker(policy, rng) for _ in range(n_workers)]
    threshold, window, last = RewardScale(), deque(maxlen=60), deque(maxlen=3)
    for u in range(updates):
        opt.zero_grad()
        for w in workers:
            loss, score = w.rollout(rng.randint(4, 12), gamma)
            (loss / n_workers).backward()
            w.cut()
            window.append(score)
            last.append(loss)
        nn.utils.clip_grad_norm_(params, threshold(params))
        opt.step()
        if u % 20 == 19:
            print(f"{u + 1} reward {sum(window) / len(window):.3f} loss {torch.stack(list(last)).mean().item():.3f}")


if __name__ == "__main__":
    main()
