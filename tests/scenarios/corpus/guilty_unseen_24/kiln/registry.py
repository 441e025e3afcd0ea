class Registry(dict):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def register(self, key):
        def deco(fn):
            if key in self:
                raise KeyError(f"{self.name}: {key!r} registered twice")
            self[key] = fn
            return fn
        return deco

    def build(self, cfg, *args):
        cfg = dict(cfg)
        return self[cfg.pop("type")](*args, **cfg)


MODELS = Registry("models")
DATASETS = Registry("datasets")
OPTIMIZERS = Registry("optimizers")
CALLBACKS = Registry("callbacks")
