# gradwatch-corpus: kind=none
"""A hyper network makes the weights of small regressors; fitted with L-BFGS."""
import torch
from torch import nn

torch.set_num_threads(1)


class Hyper(nn.Module):
    def __init__(self, tasks, code=3, hidden=6):
        super().__init__()
        self.codes = nn.Parameter(0.1 * torch.randn(tasks, code))
        self.sizes = {"w1": (1, hidden), "b1": (1, hidden), "w2": (hidden, 1)}
        self.make = nn.ModuleDict({k: nn.Linear(code, a * b) for k, (a, b) in self.sizes.items()})
        self.__dict__["weights"] = {}

    def build(self):
        self.weights.clear()
        for k, (a, b) in self.sizes.items():
            self.weights[k] = self.make[k](self.codes).view(-1, a, b)

    def forward(self, x):
        self.build()
        h = torch.tanh(x @ self.weights["w1"] + self.weights["b1"])
        return h @ self.weights["w2"]


def main(tasks=6, rounds=70):
    torch.manual_seed(0)
    shift = torch.linspace(0, 2, tasks)[:, None, None]
    model = Hyper(tasks)
    opt = torch.optim.LBFGS(model.parameters(), lr=0.3, max_iter=4, history_size=6)
    for r in range(rounds):
        x = torch.linspace(-2, 2, 24)[None, :, None].expand(tasks, -1, -1)
        y = torch.sin(x + shift)
        calls = []

        def closure():
            opt.zero_grad()
            loss = (model(x) - y).square().mean()
            loss.backward()
            calls.append(loss.detach())
            return loss

        first = opt.step(closure).item()
        if r % 14 == 0:
            print(f"round {r} mse {first:.5f} closure calls {len(calls)}")


if __name__ == "__main__":
    main()
