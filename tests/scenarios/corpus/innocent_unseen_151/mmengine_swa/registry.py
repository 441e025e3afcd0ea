class Registry(dict):
    def register(self, cls):
        self[cls.__name__] = cls
        return cls

    def build(self, cfg):
        cfg = dict(cfg)
        return self[cfg.pop("type")](**cfg)


HOOKS, MODELS = Registry(), Registry()
