import importlib

_TABLE = {}
_PLUGINS = ("nets", "sources", "optimizers")


def register(group, name):
    def wrap(obj):
        _TABLE[(group, name)] = obj
        return obj

    return wrap


def build(group, name, **kwargs):
    for plugin in _PLUGINS:
        importlib.import_module(plugin)
    return _TABLE[(group, name)](**kwargs)
