class Callback:
    def before_update(self, fit):
        pass

    def step_end(self, fit, loss):
        pass

    def run_end(self, fit):
        pass


class Fit:
    def __init__(self, model, optimizer, steps, callbacks):
        self.model = model
        self.optimizer = optimizer
        self.steps = steps
        self.callbacks = callbacks
        self.step = 0

    def run(self, stream):
        batches = iter(stream)
        for self.step in range(self.steps):
            loss = self.model(next(batches))
            self.optimizer.zero_grad()
            loss.backward()
            for callback in self.callbacks:
                callback.before_update(self)
            self.optimizer.step()
            for callback in self.callbacks:
                callback.step_end(self, loss.item())
        for callback in self.callbacks:
            callback.run_end(self)
