import torch
from torch.nn import functional as F


class Engine:
    def __init__(self, model, data, optimizer, callbacks, retain_graph=False):
        self.model, self.optimizer = model, optimizer
        self.x, self.y = data
        self.callbacks = callbacks
        self.retain_graph = retain_graph
        self.step = 0

    def fire(self, event, value=None):
        for cb in self.callbacks:
            hook = getattr(cb, event, None)
            if hook is not None:
                out = hook(self, value)
                value = value if out is None else out
        return value

    def run(self, steps, batch_size):
        self.fire("on_start")
        for self.step in range(steps):
            idx = torch.randint(0, len(self.x), (batch_size,))
            loss = F.smooth_l1_loss(self.model(self.x[idx]), self.y[idx])
            loss = self.fire("on_loss", loss)
            self.optimizer.zero_grad()
            loss.backward(retain_graph=self.retain_graph)
            self.optimizer.step()
            self.fire("on_step_end", loss)
        self.fire("on_end")
