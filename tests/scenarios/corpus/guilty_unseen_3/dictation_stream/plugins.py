REGISTRY = {}


def plugin(name):
    def add(cls):
        REGISTRY[name] = cls
        return cls
    return add


def build(specs):
    out = []
    for spec in specs:
        name, _, arg = spec.partition(":")
        out.append(REGISTRY[name](int(arg)))
    return out


class Plugin:
    def __init__(self, n):
        self.n = n

    def before(self, loop):
        pass

    def after(self, loop):
        pass


@plugin("print_every")
class PrintEvery(Plugin):
    def after(self, loop):
        if loop.done % self.n == 0:
            print(f"chunk {loop.done}: ctc-ish {loop.value:.4f} carrying={loop.net.encoder.carry}")


@plugin("curriculum")
class Curriculum(Plugin):
    def before(self, loop):
        if loop.done == self.n:
            loop.net.encoder.carry = True
