from torch import nn

BUILDERS = {}


def builder(fn):
    BUILDERS[fn.__name__] = fn
    return fn


def build(name, **kw):
    return BUILDERS[name](**kw)


@builder
def mlp(sizes, act=nn.LeakyReLU):
    layers = []
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        layers.append(nn.Linear(a, b))
        if i < len(sizes) - 2:
            layers.append(act(0.2))
    return nn.Sequential(*layers)
