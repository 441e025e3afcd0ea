import copy

import torch
from torch import nn

from past import Past


class Pilot:
    discount, soft = 0.95, 0.02

    def __init__(self, n_seen, n_moves):
        self.trunk = nn.Sequential(nn.Linear(n_seen, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.policy, self.worth = nn.Linear(32, n_moves), nn.Linear(32, 1)
        self.slow = copy.deepcopy(nn.Sequential(self.trunk, self.worth)).requires_grad_(False)
        self.own = nn.ModuleList([self.trunk, self.policy, self.worth])
        self.opt = torch.optim.Adam(self.own.parameters(), lr=2e-3)
        self.past = Past(20_000)

    def act(self, seen):
        feats = self.trunk(seen)
        choice = torch.distributions.Categorical(logits=self.policy(feats))
        move = choice.sample()
        return int(move), (choice.log_prob(move), self.worth(feats).squeeze())  # <- culprit

    def learn(self):
        m = self.past.draw(32)
        seen, nxt = torch.stack(m.seen), torch.stack(m.nxt)
        lift, out = torch.tensor(m.lift), torch.tensor(m.out).float()
        log_mu = torch.tensor([x.item() for x in m.log_mu])
        feats = self.trunk(seen)
        log_pi = self.policy(feats).log_softmax(-1)
        mine = log_pi.gather(1, torch.tensor(m.move)[:, None]).squeeze(1)
        value = self.worth(feats).squeeze(1)
        goal = lift + self.discount * (1 - out) * self.slow(nxt).squeeze(1)
        rho = (mine.detach() - log_mu).exp().clamp(max=1.5)
        gap = goal - value
        spread = -(log_pi.exp() * log_pi).sum(-1).mean()
        loss = (rho * gap.square()).mean() - (rho * gap.detach() * mine).mean() - 0.01 * spread
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        with torch.no_grad():
            for a, b in zip(self.slow.parameters(), [*self.trunk.parameters(), *self.worth.parameters()]):
                a.lerp_(b, self.soft)
        return loss.item()
