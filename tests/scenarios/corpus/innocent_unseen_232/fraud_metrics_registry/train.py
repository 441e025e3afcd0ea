import random

import torch
import torch.nn.functional as F


class FraudTrainer:
    def __init__(self, scorer, store, registry):
        self.scorer = scorer
        self.store = store
        self.registry = registry
        self.opt = torch.optim.Adam(scorer.parameters(), lr=3e-3)
        self.rng = random.Random(2)
        self.coef = torch.randn(8)

    def batch(self):
        accounts = self.rng.sample([f"acc{i}" for i in range(60)], 16)
        events = torch.randn(16, 5, 8)
        label = ((events @ self.coef).cumsum(1) > 2).float()
        return accounts, events, label

    def step(self, step):
        accounts, events, label = self.batch()
        state = self.store.read(accounts)
        logits, state = self.scorer(events, state)
        loss = F.binary_cross_entropy_with_logits(logits, label)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.store.write(accounts, state)
        self.registry.observe("bce", loss)
        self.registry.observe("state_norm", state.norm(dim=1).mean())
