from collections import deque, namedtuple

import torch

Batch = namedtuple("Batch", "obs act logp ret adv reward")


class Rollouts:
    def __init__(self, houses, net, horizon=24, gamma=0.95, lam=0.9, keep=40):
        self.houses, self.net = houses, net
        self.horizon, self.gamma, self.lam = horizon, gamma, lam
        self.obs = torch.tensor([h.reset() for h in houses])
        self.recent = deque(maxlen=keep)

    @torch.no_grad()
    def batches(self, n):
        for _ in range(n):
            batch = self.collect()
            self.recent.append(batch)
            yield batch

    def collect(self):
        rows = []
        for _ in range(self.horizon):
            dist, value = self.net(self.obs)
            act = dist.sample()
            nxt, rew, done = [], [], []
            for h, a in zip(self.houses, act.tolist()):
                o, r, d = h.step(a)
                nxt.append(h.reset() if d else o)
                rew.append(r)
                done.append(float(d))
            rows.append((self.obs, act, dist.log_prob(act), value, torch.tensor(rew), torch.tensor(done)))
            self.obs = torch.tensor(nxt)
        obs, act, logp, value, rew, done = (torch.stack(c) for c in zip(*rows))
        follow = self.net(self.obs)[1]
        adv, run = torch.zeros_like(rew), torch.zeros(rew.shape[1])
        for t in range(self.horizon - 1, -1, -1):
            live = 1 - done[t]
            run = rew[t] + self.gamma * live * follow - value[t] + self.gamma * self.lam * live * run
            adv[t], follow = run, value[t]
        flat = [c.flatten(0, 1) for c in (obs, act, logp, adv + value, adv)]
        return Batch(*flat, rew.mean().item())

    def average_reward(self):
        return sum(b.reward for b in self.recent) / len(self.recent)
