import torch.nn.functional as F


class RoundLog:
    def __init__(self):
        self.rows = []

    def add(self, **values):
        self.rows.append({k: round(float(v), 4) for k, v in values.items()})

    def tail(self, n):
        return self.rows[-n:]


class Engine:
    def __init__(self, net, optimizer, penalty, callbacks):
        self.net, self.optimizer, self.penalty = net, optimizer, penalty
        self.callbacks = callbacks
        self.log = RoundLog()
        self.round = 0

    def _fire(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def step(self, x, y):
        fit = F.cross_entropy(self.net(x), y)
        pen = self.penalty(self.net)
        self.optimizer.zero_grad()
        (fit + pen).backward()
        self.optimizer.step()
        self.log.add(fit=fit.item(), prox=pen.item())

    def fit(self, stream, rounds):
        for self.round, (x, y) in zip(range(rounds), stream):
            self._fire("before_round")
            self.step(x, y)
            self._fire("after_round")
