"""Registry of the plant rules."""

_REGISTRY = {}


class RuleBroken(Exception):
    def __init__(self, rule, text):
        super().__init__(text)
        self.rule = rule
        self.lot = None


class Rule:
    name = "?"
    enabled = True

    def check(self, probs, target):
        raise NotImplementedError

    def broken(self, text):
        raise RuleBroken(self.name, text)


def plant_rule(name, **settings):
    def register(cls):
        if name in _REGISTRY:
            raise KeyError(f"rule {name!r} registered twice")
        cls.name = name
        _REGISTRY[name] = cls(**settings)
        return cls
    return register


def active_rules():
    return [r for r in _REGISTRY.values() if r.enabled]
