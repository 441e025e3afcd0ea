import torch
import torch.nn as nn


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad


def fake_quant(x, scale, bits):
    q = 2 ** (bits - 1) - 1
    return RoundSTE.apply((x / scale).clamp(-q - 1, q)) * scale


class QConv(nn.Conv2d):
    def __init__(self, *args, bits=4, **kw):
        super().__init__(*args, **kw)
        self.bits = bits
        self.register_buffer("act_scale", torch.tensor(0.05))

    def forward(self, x):
        w_scale = self.weight.detach().abs().amax() / (2 ** (self.bits - 1) - 1)
        w = fake_quant(self.weight, w_scale, self.bits)
        y = self._conv_forward(x, w, self.bias)
        return fake_quant(y, self.act_scale, 8)


class QNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.stem = QConv(1, 8, 3, padding=1)
        self.mid = QConv(8, 16, 3, padding=1, stride=2)
        self.top = QConv(16, 16, 3, padding=1, stride=2)
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        x = torch.relu(self.mid(x))
        x = torch.relu(self.top(x))
        return self.fc(x.mean((2, 3)))
