from collections import defaultdict

REGISTRY = defaultdict(dict)


def register(group, name):
    def wrap(cls):
        REGISTRY[group][name] = cls
        return cls
    return wrap


def build(group, name, **kwargs):
    try:
        return REGISTRY[group][name](**kwargs)
    except KeyError:
        known = ", ".join(sorted(REGISTRY[group]))
        raise KeyError(f"no {group} called {name!r}; known: {known}") from None
