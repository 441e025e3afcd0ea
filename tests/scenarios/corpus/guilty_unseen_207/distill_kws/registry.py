from torch import nn

BUILDERS = {}


def builder(fn):
    BUILDERS[fn.__name__] = fn
    return fn


def create(name, **kwargs):
    return BUILDERS[name](**kwargs)


@builder
def small(bands, classes):
    return nn.Sequential(nn.Conv1d(bands, 12, 3), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(12, classes))


@builder
def deep(bands, classes, width=24, depth=6):
    layers = [nn.Conv1d(bands, width, 3, padding=1)]
    for _ in range(depth):
        layers += [nn.BatchNorm1d(width), nn.ReLU(), nn.Conv1d(width, width, 3, padding=1)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(width, classes))
