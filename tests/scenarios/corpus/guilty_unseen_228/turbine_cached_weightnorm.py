# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Wind turbine power curve with a weight-normalised temporal conv net."""
import torch
from torch import nn
from torch.nn.utils import parametrize
from torch.nn.utils.parametrizations import weight_norm


class CausalBlock(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = weight_norm(nn.Conv1d(channels, channels, 3, dilation=dilation))
        self.act = nn.ELU()

    def forward(self, x):
        padded = nn.functional.pad(x, (self.pad, 0))
        return x + self.act(self.conv(padded))


class PowerTCN(nn.Module):
    def __init__(self, n_inputs=4, channels=16):
        super().__init__()
        self.inp = nn.Conv1d(n_inputs, channels, 1)
        self.blocks = nn.ModuleList([CausalBlock(channels, d) for d in (1, 2, 4)])
        self.out = nn.Conv1d(channels, 1, 1)

    def forward(self, x):
        h = self.inp(x)
        for block in self.blocks:
            h = block(h)
        return self.out(h).squeeze(1)


def scada_batch(gen, batch=16, length=48):
    wind = torch.rand(batch, 1, length, generator=gen) * 14
    rest = torch.randn(batch, 3, length, generator=gen)
    power = torch.clamp((wind.squeeze(1) / 12) ** 3, max=1.0)
    return torch.cat([wind / 14, rest], 1), power + 0.02 * torch.randn(power.shape, generator=gen)


def evaluate(model, gen):
    model.eval()
    with torch.no_grad():
        x, y = scada_batch(gen, batch=64)
        rmse = (model(x) - y).pow(2).mean().sqrt().item()
    model.train()
    return rmse


def fit(model, steps, lr):
    gen = torch.Generator().manual_seed(17)
    optimizer = torch.optim.NAdam(model.parameters(), lr=lr)
    with parametrize.cached():  # <- culprit
        for step in range(steps):
            x, y = scada_batch(gen)
            loss = nn.functional.huber_loss(model(x), y, delta=0.3)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if step % 20 == 0:
                print(f"{step:4d} train {loss.item():.4f} val-rmse {evaluate(model, gen):.4f}")


if __name__ == "__main__":
    torch.manual_seed(17)
    fit(PowerTCN(), steps=100, lr=2e-3)
