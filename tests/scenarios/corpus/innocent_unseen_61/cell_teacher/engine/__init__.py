"""Calls plugins around every step; a plugin implements what it needs."""


class Engine:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.plugins, self.notes, self.step = [], [], 0
        self.terms = {}

    def use(self, *plugins):
        self.plugins.extend(plugins)

    def emit(self, event):
        for plugin in self.plugins:
            handler = getattr(plugin, event, None)
            if handler is not None:
                handler(self)

    def run(self, batches, objective):
        for batch in batches:
            self.terms = objective(batch)
            self.emit("before_backward")
            self.optimizer.zero_grad()
            sum(self.terms.values()).backward()
            self.optimizer.step()
            self.emit("after_step")
            self.step += 1
