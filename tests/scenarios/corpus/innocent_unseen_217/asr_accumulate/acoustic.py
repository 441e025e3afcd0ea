from torch import nn

ENCODERS = {}


def encoder(name):
    def deco(cls):
        ENCODERS[name] = cls
        return cls
    return deco


@encoder("conv_gru")
class ConvGRU(nn.Module):
    def __init__(self, mels, width, out):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(mels, width, 3, padding=1), nn.GELU())
        self.gru = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, out)

    def forward(self, x):
        h, _ = self.gru(self.conv(x.transpose(1, 2)).transpose(1, 2))
        return self.out(h).log_softmax(-1)


def build_encoder(conf):
    conf = dict(conf)
    return ENCODERS[conf.pop("type")](**conf)
