"""Synchronous rounds."""
import copy

import torch


class Coordinator:
    def __init__(self, model, sites, rng):
        self.model, self.sites, self.rng = model, sites, rng
        self.momentum = [torch.zeros_like(p) for p in model.parameters()]
        self.ledger = []

    def round(self, local_steps, chosen):
        updates, losses = [], {}
        for trainer in self.rng.sample(self.sites, chosen):
            update, loss = trainer.train(copy.deepcopy(self.model), local_steps)
            updates.append(update)
            losses[trainer.site] = round(loss, 4)
        drift = 0.0
        with torch.no_grad():
            for k, p in enumerate(self.model.parameters()):
                mean = torch.stack([u[k] for u in updates]).mean(0)
                self.momentum[k] = 0.5 * self.momentum[k] + mean
                p.add_(self.momentum[k])
                drift += mean.norm().item()
        self.ledger.append({"losses": losses, "drift": round(drift, 4)})
        return self.ledger[-1]
