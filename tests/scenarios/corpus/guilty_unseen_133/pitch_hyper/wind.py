import torch


def gusts(n, features=5):
    law = torch.randn(features) * 0.6
    def draw():
        x = torch.randn(10, features)
        return x, torch.tanh(x @ law) + 0.05 * torch.randn(10)
    for _ in range(n):
        yield draw(), draw()
