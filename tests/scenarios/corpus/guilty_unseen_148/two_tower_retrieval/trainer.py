import torch
import torch.nn.functional as F

from negatives import NegativePool


class RetrievalTrainer:
    def __init__(self, model, lr, n_neg, temperature=0.2):
        self.model, self.n_neg, self.t = model, n_neg, temperature
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.negatives = NegativePool()

    def step(self, users, items):
        q = self.model.user(users)
        p = self.model.item(items)
        logits = [(q * p).sum(-1, keepdim=True)]
        if len(self.negatives):
            logits.append(q @ self.negatives.hardest(q, self.n_neg).T)
        else:
            logits.append(q @ p.T.roll(1, 1))
        logits = torch.cat(logits, 1) / self.t
        loss = F.cross_entropy(logits, torch.zeros(len(users), dtype=torch.long))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.negatives.update(items, p)  # <- culprit
        return loss.item()
