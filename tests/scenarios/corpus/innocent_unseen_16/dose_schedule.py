# gradwatch-corpus: kind=none
"""Meta-learned step sizes for re-fitting an outbreak forecaster each week: the forecaster's weights
stay attached to the step sizes for four weeks at a time, then the window is cut and begins anew."""
import math

import torch
import torch.nn.functional as F
from torch import nn

REGIONS, LAGS, WEEKS, WINDOW = 16, 6, 320, 4


class Surveillance:
    """Weekly incidence per region, log scale, with regime changes."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.history = [torch.randn(REGIONS, generator=self.gen) * 0.1 for _ in range(LAGS + 1)]
        self.week = 0

    def advance(self):
        self.week += 1
        season = 0.5 * math.sin(self.week / 8)
        pull = 0.7 if (self.week // 40) % 2 else 0.4
        new = pull * self.history[-1] + 0.2 * self.history[-3] + season
        new = new + 0.1 * torch.randn(REGIONS, generator=self.gen)
        self.history.append(new)
        del self.history[0]
        stacked = torch.stack(self.history, 1)
        return stacked[:, :-1], stacked[:, -1]


class StepSizes(nn.Module):
    """One positive step size for each of the forecaster's tensors."""

    def __init__(self, n, start):
        super().__init__()
        self.log_size = nn.Parameter(torch.full((n,), math.log(start)))

    def forward(self, weights, grads):
        sizes = self.log_size.exp()
        return [w - s * g for w, s, g in zip(weights, sizes, grads)]


def forecast(weights, lags):
    w1, b1, w2 = weights
    return F.linear(torch.tanh(F.linear(lags, w1, b1)), w2).squeeze(-1)


def fresh_weights(gen):
    return [0.3 * torch.randn(8, LAGS, generator=gen), torch.zeros(8), 0.3 * torch.randn(1, 8, generator=gen)]


def cut(weights):
    return [w.detach().requires_grad_() for w in weights]


class MetaFitter:
    def __init__(self, gen):
        self.weights = cut(fresh_weights(gen))
        self.rule = StepSizes(len(self.weights), start=0.05)
        self.optimizer = torch.optim.Adam(self.rule.parameters(), lr=0.01)
        self.age = 0
        self.errors = []

    def refit(self, lags, target):
        loss = F.mse_loss(forecast(self.weights, lags), target)
        self.weights = self.rule(self.weights, torch.autograd.grad(loss, self.weights))

    def judge(self, lags, target):
        self.age += 1
        closing = self.age == WINDOW
        loss = F.mse_loss(forecast(self.weights, lags), target)
        self.optimizer.zero_grad()
        loss.backward(inputs=list(self.rule.parameters()), retain_graph=not closing)
        self.optimizer.step()
        if closing:
            self.weights = cut(self.weights)
            self.age = 0
        self.errors.append(loss.item())


def main():
    torch.manual_seed(61)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(62)
    data, fitter = Surveillance(63), MetaFitter(gen)
    lags, target = data.advance()
    for week in range(1, WEEKS + 1):
        fitter.refit(lags, target)
        lags, target = data.advance()
        fitter.judge(lags, target)
        if week % 80 == 0:
            sizes = fitter.rule.log_size.detach().exp().tolist()
            print(f"week {week}: error {sum(fitter.errors[-80:]) / 80:.4f}, "
                  f"steps {', '.join(f'{s:.3f}' for s in sizes)}")


if __name__ == "__main__":
    main()
