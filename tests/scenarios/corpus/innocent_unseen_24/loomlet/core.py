import logging
from functools import partial

from torch.nn.utils import clip_grad_norm_

log = logging.getLogger("loomlet")
PLUGINS = {}


def plugin(name):
    def wrap(cls):
        PLUGINS[name] = cls
        return cls
    return wrap


class Loom:
    def __init__(self, model, optimizer, loss_fn, plugins):
        self.model, self.optimizer, self.loss_fn = model, optimizer, loss_fn
        self.handlers, self.it = {}, 0
        for name, options in plugins.items():
            PLUGINS[name](**options).install(self)

    def on(self, event, fn, *args):
        self.handlers.setdefault(event, []).append(partial(fn, self, *args))

    def emit(self, event, *payload):
        for handler in self.handlers.get(event, ()):
            handler(*payload)

    def weave(self, batches):
        for self.it, (x, y) in enumerate(batches):
            loss = self.loss_fn(self.model(x), y)
            self.emit("loss", loss)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            norm = clip_grad_norm_(self.model.parameters(), 3.0)
            self.optimizer.step()
            log.debug("it %d loss %.5f |g| %.4f", self.it, loss.item(), norm.item())
            self.emit("stepped")
        self.emit("finished")
