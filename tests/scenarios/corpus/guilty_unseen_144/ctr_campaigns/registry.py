CALLBACKS = {}
MODELS = {}


def register(table, key):
    def deco(cls):
        table[key] = cls
        return cls
    return deco


def build(table, spec):
    spec = dict(spec)
    return table[spec.pop("type")](**spec)
