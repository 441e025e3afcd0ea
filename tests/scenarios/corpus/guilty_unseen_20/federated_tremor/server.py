from collections import Counter
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import torch

from clinic import Update


@dataclass
class Receipt:
    """Proof of acceptance, handed to the audit module; knows the update it was issued for."""

    update: Update
    serial: int
    share: float = 0.0


class Server:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.5)
        self.ledger = WeakKeyDictionary()  # entries go when the round's updates go
        self._serial = 0
        self._participation = Counter()

    def broadcast(self):
        return {k: v.detach().clone() for k, v in self.model.state_dict().items()}

    def accept(self, update):
        self._serial += 1
        self._participation[update.clinic] += 1
        self.ledger[update] = Receipt(update, self._serial)  # <- culprit

    def aggregate(self, updates):
        total = sum(u.n_samples for u in updates)
        self.optimizer.zero_grad()
        for name, p in self.model.named_parameters():
            p.grad = sum(u.grads.pop(name) * (u.n_samples / total) for u in updates)
        self.optimizer.step()
        for u in updates:
            self.ledger[u].share = u.n_samples / total
        return sum(u.loss.item() * u.n_samples for u in updates) / total

    def open_receipts(self, rnd):
        return sum(1 for u in self.ledger if u.round == rnd)

    def participation(self):
        return dict(sorted(self._participation.items()))
