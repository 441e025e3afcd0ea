import torch


class CallbackList:
    def __init__(self, callbacks):
        self.callbacks = callbacks

    def __call__(self, event, *args):
        for cb in self.callbacks:
            handler = getattr(cb, event, None)
            if handler is not None:
                handler(*args)


class LossPrinter:
    def __init__(self, every):
        self.every = every

    def step_done(self, model, it, loss):
        if it % self.every == 0:
            print(f"{it:4d}  rollout loss {loss.item():.5f}")


class StabilityProjection:
    """Shrinks the transition matrix whose largest singular value is above the radius."""

    def __init__(self, every, radius):
        self.every = every
        self.radius = radius

    def loss_ready(self, model, it, loss):  # <- culprit
        if (it + 1) % self.every:
            return
        with torch.no_grad():
            u, s, vh = torch.linalg.svd(model.transition)
            model.transition.copy_(u @ torch.diag(s.clamp(max=self.radius)) @ vh)  # <- culprit
