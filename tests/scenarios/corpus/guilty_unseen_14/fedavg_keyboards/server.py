from collections import defaultdict

import torch


class Server:
    def __init__(self, model, phones_per_merge, server_lr):
        self.model = model
        self.phones_per_merge = phones_per_merge
        self.server_lr = server_lr
        self.merges = 0
        self.inbox = []
        self.ledger = defaultdict(list)

    def broadcast(self):
        return {k: v.detach().clone() for k, v in self.model.state_dict().items()}

    def receive(self, delta, report):
        self.ledger[report.client].append(report)  # <- culprit
        self.inbox.append((delta, report.examples))
        if len(self.inbox) >= self.phones_per_merge:
            self._merge()

    @torch.no_grad()
    def _merge(self):
        total = sum(n for _, n in self.inbox)
        state = self.model.state_dict()
        for key, value in state.items():
            for delta, n in self.inbox:
                value.add_(delta[key], alpha=self.server_lr * n / total)
        self.inbox.clear()
        self.merges += 1

    def recent_loss(self):
        last = [reports[-1].final_loss.item() for reports in self.ledger.values()]
        return sum(last) / max(len(last), 1)

    def hardest_clients(self, k):
        ranked = sorted(((cid, r[-1].final_loss.item()) for cid, r in self.ledger.items()),
                        key=lambda item: -item[1])
        return ranked[:k]
