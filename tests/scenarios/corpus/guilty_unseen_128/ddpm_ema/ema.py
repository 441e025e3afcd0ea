import torch


class ShadowWeights:
    """Exponential moving average of a model; ``with shadow:`` borrows it for inference."""

    def __init__(self, model, decay):
        self.model = model
        self.decay = decay
        self.avg = [p.detach().clone() for p in model.parameters()]
        self.depth = 0
        self.grad_mode = True

    @torch.no_grad()
    def update(self):
        for a, p in zip(self.avg, self.model.parameters()):
            a.lerp_(p, 1 - self.decay)

    def _swap(self):
        for a, p in zip(self.avg, self.model.parameters()):
            a.data, p.data = p.data, a.data

    def __enter__(self):
        if self.depth == 0:
            self._swap()
        self.depth += 1
        self.grad_mode = torch.is_grad_enabled()  # <- culprit
        torch.set_grad_enabled(False)  # <- culprit
        return self.model

    def __exit__(self, *exc):
        torch.set_grad_enabled(self.grad_mode)  # <- culprit
        self.depth -= 1
        if self.depth == 0:
            self._swap()
