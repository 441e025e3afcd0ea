from collections import namedtuple

import torch

Batch = namedtuple("Batch", "obs actions logp rewards returns")


class BatchedCorridor:
    """Walk left/right/stay on a line towards a goal that is part of the observation."""
    obs_dim, n_actions = 4, 3

    def __init__(self, n):
        self.n = n
        self.reset()

    def reset(self):
        self.pos = torch.rand(self.n) * 4 - 2
        self.goal = torch.rand(self.n) * 4 - 2

    def observe(self):
        d = self.goal - self.pos
        return torch.stack([self.pos, self.goal, d, d.sign()], 1)

    def step(self, a):
        before = (self.goal - self.pos).abs()
        self.pos = self.pos + 0.3 * (a.float() - 1)
        return before - (self.goal - self.pos).abs()

    @torch.no_grad()
    def rollout(self, agent, horizon):
        self.reset()
        obs, acts, lps, rews = [], [], [], []
        for _ in range(horizon):
            o = self.observe()
            a, lp = agent.act(o)
            obs.append(o); acts.append(a); lps.append(lp); rews.append(self.step(a))
        r, ret, out = torch.stack(rews), torch.zeros(self.n), []
        for t in reversed(range(horizon)):
            ret = r[t] + 0.9 * ret
            out.append(ret)
        return Batch(torch.cat(obs), torch.cat(acts), torch.cat(lps), r, torch.cat(out[::-1]))
