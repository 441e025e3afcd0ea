import torch


class StreamFit:
    """Takes windows off a stream; one optimizer step each."""

    def __init__(self, observer, lr, callbacks=()):
        self.observer = observer
        self.opt = torch.optim.Adam(observer.parameters(), lr=lr)
        self.callbacks = list(callbacks)
        self.last = float("nan")

    def objective(self, ys, us):
        innovation = self.observer(ys, us)
        prior = sum(v.sum() for v in self.observer.physical().values())
        return innovation.pow(2).mean() + 1e-5 * prior

    def closure(self, ys, us):
        def evaluate():
            self.opt.zero_grad()
            loss = self.objective(ys, us)
            loss.backward(retain_graph=True)  # <- culprit
            torch.nn.utils.clip_grad_norm_(self.observer.parameters(), 1.0)
            return loss
        return evaluate

    def run(self, stream, windows):
        for step in range(windows):
            ys, us = next(stream)
            self.last = self.opt.step(self.closure(ys, us)).item()
            for cb in self.callbacks:
                cb(step, self.last)
