# gradwatch-corpus: kind=graph-chain
# holder: params | self.params | fit.params
# first-bad: 1
# notice: 5
# Dose-response surrogate. The step sizes (one per tensor) are learned online by
# hypergradient descent on a held-out plate, so I don't have to tune them per assay.
from collections import OrderedDict

import torch
from torch import nn
from torch.func import functional_call, grad

torch.set_num_threads(1)
torch.manual_seed(7)


def hill(c, ec50, slope):
    return 1.0 / (1.0 + (c / ec50) ** (-slope))


def plate(n=48):
    logc = 4 * torch.rand(n, 1) - 2
    temp = torch.rand(n, 1)
    y = hill(10 ** logc, 1.0 + temp, 1.3) + 0.03 * torch.randn(n, 1)
    return torch.cat([logc, temp], 1), y


class Surrogate(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.l1 = nn.Linear(2, width)
        self.l2 = nn.Linear(width, 1)

    def forward(self, x):
        return self.l2(torch.tanh(self.l1(x)))


class OnlineFit:
    def __init__(self, model, lr0=0.05, meta_lr=0.02):
        self.model = model
        self.params = OrderedDict((k, v.detach().clone()) for k, v in model.named_parameters())
        self.log_lr = nn.ParameterDict(
            {k.replace(".", "_"): nn.Parameter(torch.tensor(lr0).log()) for k in self.params}
        )
        self.meta = torch.optim.Adam(self.log_lr.parameters(), lr=meta_lr)

        def objective(p, x, y):
            return (functional_call(model, p, (x,)) - y).square().mean()

        self.objective = objective
        self.inner_grad = grad(objective)

    def inner(self, x, y):
        frozen = {k: v.detach() for k, v in self.params.items()}
        g = self.inner_grad(frozen, x, y)
        new = OrderedDict()
        for k, v in self.params.items():
            step = self.log_lr[k.replace(".", "_")].exp()
            new[k] = v - step * g[k]  # <- culprit
        self.params = new  # <- culprit

    def outer(self, x, y):
        held_out = self.objective(self.params, x, y)
        self.meta.zero_grad()
        held_out.backward(retain_graph=True)
        for p in self.log_lr.parameters():
            p.grad.clamp_(-1.0, 1.0)
        self.meta.step()
        with torch.no_grad():
            for p in self.log_lr.parameters():
                p.clamp_(max=-0.7)
        return held_out.item()


def main():
    fit = OnlineFit(Surrogate())
    curve = []
    for it in range(200):
        fit.inner(*plate())
        curve.append(fit.outer(*plate(24)))
        if (it + 1) % 40 == 0:
            rates = {k: round(v.exp().item(), 4) for k, v in fit.log_lr.items()}
            print(f"[{it + 1}] held-out {sum(curve[-40:]) / 40:.5f}  rates {rates}")

    with torch.no_grad():
        x, y = plate(256)
        final = fit.objective(fit.params, x, y)
    print("final plate mse", round(float(final), 5))


if __name__ == "__main__":
    main()
