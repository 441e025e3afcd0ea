"""The online loop and its plugins."""
import abc
from itertools import islice


class Plugin(abc.ABC):
    @abc.abstractmethod
    def after_update(self, session, step, loss): ...


class OnlineSession:
    def __init__(self, model, optimizer, plugins=()):
        self.model = model
        self.optimizer = optimizer
        self.plugins = list(plugins)
        self.belief = None

    def _forward(self, obs, truth):
        if self.belief is None:
            self.belief = self.model.prior(len(obs))
        belief = self.model(self.belief, obs)
        loss = self.model.nll(belief, truth)
        self.belief = belief  # <- culprit
        return loss

    def update(self, step, obs, truth):
        self.optimizer.zero_grad()
        loss = self._forward(obs, truth)
        loss.backward(retain_graph=True)
        self.optimizer.step()
        value = loss.item()
        for plugin in self.plugins:
            plugin.after_update(self, step, value)

    def run(self, stream, limit):
        for step, (obs, truth) in enumerate(islice(stream, limit)):
            self.update(step, obs, truth)
