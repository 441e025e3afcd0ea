from torch import nn


class Catcher:
    def __init__(self, model):
        self.caught = {}
        self.handles = [m.register_forward_hook(self.catch(n)) for n, m in model.named_modules() if isinstance(m, nn.ReLU)]

    def catch(self, name):
        def hook(module, args, out):
            self.caught[name] = out
        return hook

    def close(self):
        for h in self.handles:
            h.remove()
        self.caught.clear()
