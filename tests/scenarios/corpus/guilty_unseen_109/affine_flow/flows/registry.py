_LAYERS = {}


def register(name):
    def deco(cls):
        _LAYERS[name] = cls
        return cls
    return deco


def build(cfg):
    kw = dict(cfg)
    return _LAYERS[kw.pop("type")](**kw)
