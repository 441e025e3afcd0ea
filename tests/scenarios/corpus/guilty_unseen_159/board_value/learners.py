import torch

from store import WeightStore


class Learner:
    """Template: subclasses say what the objective is, the base class moves the weights."""

    def __init__(self, net, lr, decay=0.0):
        self.net, self.lr, self.decay = net, lr, decay
        self.store = WeightStore(net)

    @property
    def theta(self):
        return self.store.theta

    def objective(self, theta, batch):
        raise NotImplementedError

    def step(self, batch):
        theta = self.theta
        names, leaves = zip(*theta.items())
        obj = self.objective(theta, batch)
        grads = torch.autograd.grad(obj, leaves)
        self._move(dict(zip(names, grads)))
        return obj.item()

    def _move(self, grads):
        self.store.commit(lambda name, w: w - self.lr * (grads[name] + self.decay * w.detach()))  # <- culprit

    def norm(self):
        with torch.no_grad():
            return torch.stack([w.norm() for w in self.theta.values()]).norm().item()
