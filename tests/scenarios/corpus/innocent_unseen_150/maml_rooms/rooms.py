import torch


def room(shots=10):
    gain, lag = 0.5 + torch.rand(()), torch.rand(()) * 2

    def draw():
        x = torch.rand(shots, 2) * 4 - 2
        return x, gain * torch.sin(x[:, :1] + lag) + 0.1 * x[:, 1:]

    return draw(), draw()
