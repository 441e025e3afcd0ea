import torch


class Learner:
    def __init__(self, lr, callbacks=()):
        self.net = self.build()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.callbacks = list(callbacks)
        self.stop = False

    def build(self):
        raise NotImplementedError

    def compute(self, batch):
        raise NotImplementedError

    def _emit(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)  # <- culprit

    def fit(self, data, epochs):
        self._emit("on_train_begin")
        step = 0
        for epoch in range(epochs):
            total = 0.0
            for batch in data:
                logs = self.compute(batch)
                self.opt.zero_grad()
                logs["loss"].backward()
                self.opt.step()
                total += logs["loss"].item()
                self._emit("on_batch_end", step, logs)  # <- culprit
                step += 1
            self._emit("on_epoch_end", epoch, {"loss": total / len(data)})
            if self.stop:
                break
