# gradwatch-corpus: kind=second-backward
# holder: self.carry | learner.carry
# first-bad: 6
import torch

from replay import EpisodeReplay
from rssm import RSSM


class WorldModelLearner:
    def __init__(self, obs_dim, act_dim, lr=6e-4):
        self.model = RSSM(obs_dim, act_dim)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr, eps=1e-5)
        self.carry = {}

    def gather(self, ids, first):
        hs = []
        zs = []
        for e, is_first in zip(ids, first):
            if is_first or e not in self.carry:
                h, z = self.model.initial()
            else:
                h, z = self.carry[e]  # <- culprit
            hs.append(h)
            zs.append(z)
        return torch.stack(hs), torch.stack(zs)

    def scatter(self, ids, state):
        h, z = state
        for j, e in enumerate(ids):
            self.carry[e] = (h[j], z[j])  # <- culprit

    def update(self, ids, first, obs, act):
        state = self.gather(ids, first)
        recon, kl, state = self.model.observe(obs, act, state)
        loss = recon + 0.1 * kl
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 100.0)
        self.opt.step()
        self.scatter(ids, state)
        return {"recon": recon.item(), "kl": kl.item()}


def main():
    torch.manual_seed(2)
    replay = EpisodeReplay(n_episodes=24, length=40, chunk=8, obs_dim=5, act_dim=2, seed=2)
    learner = WorldModelLearner(5, 2)
    for step, (ids, first, obs, act) in enumerate(replay.batches(80, size=4)):
        metrics = learner.update(ids, first, obs, act)
        if step % 3 == 0:
            print(step, metrics)


if __name__ == "__main__":
    main()
