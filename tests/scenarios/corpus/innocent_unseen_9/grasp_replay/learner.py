import torch
from torch import nn


class GraspLearner:
    def __init__(self, dim):
        self.q = nn.Sequential(nn.Linear(dim + 3, 96), nn.ReLU(), nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, 1))
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)

    @torch.no_grad()
    def pick(self, feat, explore):
        cand = torch.rand(32, 3)
        if torch.rand(()) < explore:
            return cand[0]
        val = self.q(torch.cat([feat.expand(32, -1), cand], 1)).squeeze(1)
        return cand[val.argmax()]

    def fit(self, tries, feats):
        x = torch.stack([torch.cat([feats[t.scene], t.pose]) for t in tries])
        y = torch.tensor([t.reward for t in tries])
        loss = nn.functional.binary_cross_entropy_with_logits(self.q(x).squeeze(1), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()
