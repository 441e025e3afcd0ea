WATCHERS = {}


def watcher(topic, late=False):
    def deco(fn):
        WATCHERS[fn.__name__] = (topic, fn, late)
        return fn
    return deco


@watcher("step", late=True)
def summary(k, per_atom, **_):
    return f"step {k}: mean atom share {per_atom.mean().item():.4f}"


@watcher("scaled")
def spread(k, value, **_):
    if k % 30 == 0:
        print(f"spread at {k}: {value.detach().std().item():.4f}")


def attach(bus, names):
    for name in names:
        topic, fn, late = WATCHERS[name]
        bus.on(topic, fn, late=late)
