import torch


class GradShares:
    """Every few steps the pull of each task on the trunk is measured on its own."""

    def __init__(self, trunk, every):
        self.trunk, self.every = list(trunk.parameters()), every
        self.scale = {}

    def pull(self, loss):
        loss.backward(retain_graph=True)
        total = sum(p.grad.square().sum() for p in self.trunk).sqrt().item()
        return total

    def measure(self, losses):
        pulls = {}
        for name, loss in losses.items():
            for p in self.trunk:
                p.grad = None
            pulls[name] = self.pull(loss)
        for p in self.trunk:
            p.grad = None
        mean = sum(pulls.values()) / len(pulls)
        for name, v in pulls.items():
            old = self.scale.get(name, 1.0)
            self.scale[name] = 0.9 * old + 0.1 * min(mean / (v + 1e-6), 3.0)

    def descend(self, step, losses):
        if step % self.every == 0:
            self.measure(losses)
        sum(self.scale.get(k, 1.0) * v for k, v in losses.items()).backward()
