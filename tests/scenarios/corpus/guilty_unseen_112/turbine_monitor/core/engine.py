import torch


class Task:
    """A network, where its batches come from, and what is asked of it."""

    name = "task"
    weight = 1.0
    net: torch.nn.Module

    def batch(self, n):
        raise NotImplementedError

    def loss(self, batch):
        raise NotImplementedError


class Engine:
    def __init__(self, tasks, settings):
        self.tasks, self.settings = tasks, settings
        params = [{"params": t.net.parameters(), "lr": settings.lr * t.weight} for t in tasks]
        self.opt = torch.optim.Adam(params)
        self.track = {t.name: 0.0 for t in tasks}
        self.count = 0

    def round(self):
        self.opt.zero_grad()
        for task in self.tasks:
            loss = task.loss(task.batch(self.settings.batch))
            self._propagate(loss)
            self._log(task.name, loss.item())
        self.opt.step()
        self.count += 1

    def _propagate(self, loss):
        loss.backward(**self.settings.backward)  # <- culprit

    def _log(self, name, value):
        old = self.track[name]
        self.track[name] = value if self.count == 0 else 0.9 * old + 0.1 * value

    def summary(self):
        return dict(self.track)
