from torch import nn

_BACKBONES = {}


def backbone(fn):
    _BACKBONES[fn.__name__] = fn
    return fn


def make_backbone(name):
    net, width = _BACKBONES[name]()
    for p in net.parameters():
        p.requires_grad = False
    return net.eval(), width


@backbone
def random_conv():
    net = nn.Sequential(
        nn.Conv2d(1, 6, 3, stride=2, padding=1), nn.ReLU(),
        nn.Conv2d(6, 8, 3, stride=2, padding=1), nn.ReLU(),
        nn.Flatten(), nn.LayerNorm(8 * 4),
    )
    return net, 32


@backbone
def random_mlp():
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 40), nn.Tanh()), 40
