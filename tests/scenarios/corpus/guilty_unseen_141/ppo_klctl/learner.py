import copy

import torch
from torch import nn

from .control import KLController


class Policy(nn.Module):
    def __init__(self, vocab, d=16):
        super().__init__()
        self.emb, self.rnn = nn.Embedding(vocab, d), nn.GRU(d, d, batch_first=True)
        self.actor, self.critic = nn.Linear(d, vocab), nn.Linear(d, 1)

    def forward(self, seq):
        h = self.rnn(self.emb(seq))[0]
        return self.actor(h), self.critic(h).squeeze(-1)

    def token_logp(self, seq):
        logits, value = self(seq[:, :-1])
        return logits.log_softmax(-1).gather(-1, seq[:, 1:, None]).squeeze(-1), value


class Learner:
    def __init__(self, vocab):
        self.policy = Policy(vocab)
        self.anchor = copy.deepcopy(self.policy).requires_grad_(False)
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=2e-3)
        self.controller = KLController()

    def update(self, batch):
        with torch.no_grad():
            ref = self.anchor.token_logp(batch["seq"])[0]
        logp, value = self.policy.token_logp(batch["seq"])
        ret = batch["reward"][:, None].expand_as(value)
        adv = (ret - value).detach()
        ratio = (logp - batch["logp"]).exp()
        pg = -torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
        kl = 0.5 * (logp - ref).pow(2).mean()
        loss = pg + 0.5 * (value - ret).pow(2).mean() + self.controller.coef * kl
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.controller.observe(kl)  # <- culprit
        return {"reward": round(batch["reward"].mean().item(), 3), "kl": round(kl.item(), 4)}
