from collections import defaultdict

_table = defaultdict(dict)


def provides(slot, name):
    def inner(fn):
        _table[slot][name] = fn
        return fn
    return inner


def get(slot, name):
    return _table[slot][name]
