"""Engine with prioritised subscribers and per-objective gradient norms on the shared table."""
import torch


class Engine:
    def __init__(self, model, objectives, balancer, lr):
        self.model, self.objectives, self.balancer = model, objectives, balancer
        self.optimizer = torch.optim.Adagrad(model.parameters(), lr=lr)
        self._subscribers = []

    def subscribe(self, priority=10):
        def register(fn):
            self._subscribers.append((priority, fn))
            self._subscribers.sort(key=lambda pair: pair[0])
            return fn
        return register

    def _norms(self, losses):
        shared = self.model.user.weight
        return {name: torch.autograd.grad(loss, shared, retain_graph=True)[0].norm().item()
                for name, loss in losses.items()}

    def _step(self, batch):
        out = self.model(batch["user"], batch["item"])
        losses = {name: fn(out, batch) for name, fn in self.objectives.items()}
        self.optimizer.zero_grad(set_to_none=True)
        self.balancer.combine(losses).backward(retain_graph=True)  # <- culprit
        norms = self._norms(losses)
        self.optimizer.step()
        return {k: v.item() for k, v in losses.items()}, norms

    def run(self, batches, steps):
        for step, batch in zip(range(steps), batches):
            losses, norms = self._step(batch)
            for _, fn in self._subscribers:
                fn(step, losses, norms)
