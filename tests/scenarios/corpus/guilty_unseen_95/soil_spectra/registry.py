_CALLBACKS = {}


def register(name):
    def deco(cls):
        _CALLBACKS[name] = cls
        return cls
    return deco


def build_callbacks(names):
    return [_CALLBACKS[n]() for n in names]


class Callback:
    def on_batch_end(self, trainer, batch, out):
        pass

    def on_epoch_end(self, trainer):
        pass

    def on_fit_end(self, trainer):
        pass
