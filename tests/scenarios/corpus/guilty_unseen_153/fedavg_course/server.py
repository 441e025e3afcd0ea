import torch


class Server:
    def __init__(self, model):
        self.model = model
        self.audit = []

    def round(self, clients):
        updates = []
        for c in clients:
            state, n, loss = c.train(self.model)
            updates.append((state, n, loss))
            self.audit.append((c.cid, state))  # <- culprit
        self.aggregate(updates)
        return sum(u[2] for u in updates) / len(updates)

    def aggregate(self, updates):
        total = sum(n for _, n, _ in updates)
        new = {}
        for k in self.model.state_dict():
            new[k] = sum(s[k] * (n / total) for s, n, _ in updates)
        self.model.load_state_dict(new)

    @torch.no_grad()
    def accuracy(self, x, y):
        return (self.model(x).argmax(1) == y).float().mean().item()
