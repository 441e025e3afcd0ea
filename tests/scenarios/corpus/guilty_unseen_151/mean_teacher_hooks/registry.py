class Registry:
    def __init__(self, name):
        self.name = name
        self._module_dict = {}

    def register_module(self, cls):
        self._module_dict[cls.__name__] = cls
        return cls

    def build(self, cfg):
        cfg = dict(cfg)
        return self._module_dict[cfg.pop("type")](**cfg)


HOOKS = Registry("hook")
MODELS = Registry("model")
