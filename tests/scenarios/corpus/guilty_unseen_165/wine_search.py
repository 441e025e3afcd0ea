# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
import itertools
import random

import torch
import torch.nn as nn

torch.set_num_threads(1)
random.seed(2)
torch.manual_seed(2)


def wine(n=600):
    x = torch.rand(n, 8) * 2 - 1
    q = 5 + 1.5 * x[:, 0] - x[:, 1] ** 2 + 0.5 * x[:, 2] * x[:, 4] + 0.2 * torch.randn(n)
    return x, q


class QualityRegressor(nn.Module):
    def __init__(self, width, act):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), act(), nn.Linear(width, width), act())
        self.out = nn.Linear(width, 1)
        nn.init.constant_(self.out.bias, 5.0)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


def fit(model, data, lr, epochs=4, batch_size=40):
    x, q = data
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.5)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    for _ in range(epochs):
        model.train()
        for idx in torch.randperm(len(x)).split(batch_size):
            pred = model(x[idx])
            loss = nn.functional.mse_loss(pred, q[idx])
            loss.backward()  # <- culprit
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()  # <- culprit
        sched.step()
    return model


@torch.no_grad()
def rmse(model, data):
    model.eval()
    return nn.functional.mse_loss(model(data[0]), data[1]).sqrt().item()


def main():
    x, q = wine()
    train, val = (x[:480], q[:480]), (x[480:], q[480:])
    space = {"width": [8, 16], "lr": [1e-3, 5e-3], "act": [nn.ReLU, nn.Tanh]}
    trials = list(itertools.product(*space.values()))
    random.shuffle(trials)
    board = []
    for width, lr, act in trials[:6]:
        model = fit(QualityRegressor(width, act), train, lr)
        board.append((rmse(model, val), width, lr, act.__name__))
        print("trial", board[-1])
    print("best", min(board))


if __name__ == "__main__":
    main()
