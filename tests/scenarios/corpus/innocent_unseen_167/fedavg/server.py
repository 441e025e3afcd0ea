import torch


class Server:
    def __init__(self, model, momentum):
        self.model, self.momentum = model, momentum
        self.velocity = {k: torch.zeros_like(p) for k, p in model.named_parameters()}

    @torch.no_grad()
    def aggregate(self, deltas, sizes):
        total = sum(sizes)
        for k, p in self.model.named_parameters():
            avg = sum(d[k] * (n / total) for d, n in zip(deltas, sizes))
            self.velocity[k] = self.momentum * self.velocity[k] + avg
            p.add_(self.velocity[k])

    @torch.no_grad()
    def evaluate(self, x, y):
        self.model.eval()
        acc = (self.model(x).argmax(1) == y).float().mean().item()
        self.model.train()
        return acc
