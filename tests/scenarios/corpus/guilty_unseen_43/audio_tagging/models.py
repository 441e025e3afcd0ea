from torch import nn

_MODELS = {}


def register(name):
    def deco(cls):
        _MODELS[name] = cls
        return cls
    return deco


def build(name, **kw):
    return _MODELS[name](**kw)


@register("conv_tagger")
class ConvTagger(nn.Module):
    def __init__(self, n_tags, width):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv1d(1, width, 9, stride=4), nn.BatchNorm1d(width), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv1d(width, width * 2, 5, stride=2), nn.BatchNorm1d(width * 2), nn.ReLU())
        self.tags = nn.Linear(width * 2, n_tags)

    def forward(self, wave):
        return self.tags(self.mid(self.stem(wave)).amax(-1))
