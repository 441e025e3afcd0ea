import torch
import torch.nn.functional as F


class Step:
    """Everything about one iteration.  Callbacks hang what they like on it."""

    def __init__(self, engine, index, batch):
        self.engine, self.index, self.batch = engine, index, batch
        self.me = self                      # so that `step.me.loss` works in format strings
        self.later = []                     # callables to be run when the step is over

    def defer(self, fn):
        self.later.append(lambda: fn(self))


class Engine:
    def __init__(self, model, optim):
        self.model, self.optim = model, optim
        self.callbacks, self.step = [], None
        self.task_weights = torch.ones(2)

    def attach(self, *callbacks):
        self.callbacks += callbacks

    def find(self, cls):
        return next(c for c in self.callbacks if isinstance(c, cls))

    def fire(self, name):
        for c in self.callbacks:
            getattr(c, name, lambda s: None)(self.step)

    def run(self, data):
        for i, batch in enumerate(data):
            self.step = s = Step(self, i, batch)
            x, y_cls, y_reg = batch
            self.fire("begin")
            s.z, s.logits, s.value = self.model(x)
            s.losses = torch.stack([F.cross_entropy(s.logits, y_cls), F.mse_loss(s.value, y_reg)])
            s.extra = s.losses.new_zeros(())
            self.fire("losses_ready")
            s.loss = (self.task_weights.detach() * s.losses).sum() + s.extra
            self.optim.zero_grad()
            s.loss.backward(retain_graph=True)
            self.fire("backward_done")
            self.optim.step()
            self.fire("end")
            for fn in s.later:
                fn()
