import copy


class Observer:
    def __call__(self, loop, output):
        raise NotImplementedError


class OutputHistory(Observer):
    def __init__(self):
        self.outputs = []

    def __call__(self, loop, output):
        self.outputs.append(output.light())

    def smoothed(self, n=50):
        tail = self.outputs[-n:]
        return sum(o.loss.item() for o in tail) / len(tail)


class BestState(Observer):
    def __init__(self, every):
        self.every = every
        self.best = None
        self.state = None

    def __call__(self, loop, output):
        if output.step % self.every:
            return
        if self.best is None or output.loss < self.best:
            self.best = output.loss
            self.state = copy.deepcopy(loop.model.state_dict())

    @property
    def score(self):
        return round(self.best.item(), 5)
