import copy

import torch


class Callback:
    learner = None

    def after_backward(self): ...

    def after_batch(self): ...

    def after_fit(self): ...


class CallbackList:
    def __init__(self, cbs, learner):
        self.cbs = cbs
        for cb in cbs:
            cb.learner = learner

    def __call__(self, event):
        for cb in self.cbs:
            getattr(cb, event)()


class EmaCallback(Callback):
    def __init__(self, model, decay):
        self.decay = decay
        self.ema = copy.deepcopy(model)

    @torch.no_grad()
    def after_batch(self):
        L = self.learner
        L.ema = self.ema
        for e, p in zip(L.ema.parameters(), L.student.parameters()):
            e.copy_(self.decay * e + (1 - self.decay) * p)


class FeatureTap(Callback):
    """Keeps what the layer gave out, with its gradient, until the end of the batch."""

    def __init__(self, layer):
        self.acts, self.grad_norms = [], []
        layer.register_forward_hook(self.hook)

    def hook(self, module, args, out):
        if out.requires_grad:
            out.retain_grad()
            self.acts.append(out)

    def after_backward(self):
        self.grad_norms += [a.grad.norm() for a in self.acts if a.grad is not None]

    def after_batch(self):
        self.acts.clear()


class History(Callback):
    def __init__(self, every):
        self.every = every
        self.losses, self.confidences = [], []

    def after_batch(self):
        L = self.learner
        self.losses.append(L.loss.detach())
        self.confidences.append(L.pred.data.softmax(1).amax(1).mean())
        if (L.iter + 1) % self.every == 0:
            n = self.every
            print(f"iter {L.iter + 1} loss {torch.stack(self.losses[-n:]).mean():.4f} "
                  f"conf {torch.stack(self.confidences[-n:]).mean():.3f}")

    def after_fit(self):
        print("batches seen", len(self.losses))
