_REG = {}


class Pluggable:
    """Subclasses enter the registry by being defined."""

    def __init_subclass__(cls, group=None, name=None, **kw):
        super().__init_subclass__(**kw)
        if name is not None:
            _REG[group, name] = cls


def make(group, name, **kw):
    return _REG[group, name](**kw)
