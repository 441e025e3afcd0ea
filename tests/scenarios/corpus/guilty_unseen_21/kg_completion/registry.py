_TABLES: dict = {}


def register(kind, name):
    def wrap(cls):
        _TABLES.setdefault(kind, {})[name] = cls
        return cls

    return wrap


def build(kind, name, *args, **kwargs):
    try:
        cls = _TABLES[kind][name]
    except KeyError:
        raise KeyError(f"no {kind} called {name!r}; known: {sorted(_TABLES.get(kind, {}))}") from None
    return cls(*args, **kwargs)
