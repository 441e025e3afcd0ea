import torch.nn.functional as F


class Strategy:
    """Minimal training strategy: everything that is not plain SGD lives in plugins."""

    def __init__(self, model, optimizer, plugins=()):
        self.model = model
        self.optimizer = optimizer
        self.plugins = list(plugins)
        self.clock = 0
        self.loss = None
        for plugin in self.plugins:
            plugin.attach(self)

    def _fire(self, event):
        for plugin in self.plugins:
            getattr(plugin, event)(self)

    def train_task(self, batches):
        self._fire("before_task")
        self.model.train()
        for x, y in batches:
            self.optimizer.zero_grad()
            self.loss = F.cross_entropy(self.model(x), y)
            self._fire("before_backward")
            self.loss.backward()
            self._fire("before_update")
            self.optimizer.step()
            self._fire("after_update")
            self.clock += 1
        self.loss = None
        self._fire("after_task")
