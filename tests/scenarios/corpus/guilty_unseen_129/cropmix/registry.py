REGISTRY = {}


def plugin(name):
    def wrap(cls):
        REGISTRY[name] = cls
        return cls
    return wrap


def build(cfg):
    args = {k: v for k, v in cfg.items() if k != "name"}
    return REGISTRY[cfg["name"]](**args)
