# gradwatch-corpus: kind=none
# about: sharpness-aware minimisation: two forwards, two backwards, and two steps of which only
# about: the second moves the weights for good
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.meters import MetricLogger
from parts.pace import ITERATIONS


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base_optimizer, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base_optimizer = base_optimizer(self.param_groups, **kwargs)
        self.param_groups = self.base_optimizer.param_groups

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        params = [p for g in self.param_groups for p in g["params"] if p.grad is not None]
        norm = torch.stack([p.grad.norm() for p in params]).norm()
        for p in params:
            self.state[p]["old_p"] = p.data.clone()
            p.add_(p.grad, alpha=(self.param_groups[0]["rho"] / (norm + 1e-12)).item())
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.data = self.state[p]["old_p"]
        self.base_optimizer.step()
        if zero_grad:
            self.zero_grad()

    def step(self, closure=None):
        closure = torch.enable_grad()(closure)
        self.first_step(zero_grad=True)
        closure()
        self.second_step()


def main():
    torch.manual_seed(0)
    stream, log = batches(*classes(), size=32), MetricLogger()
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.BatchNorm1d(32), nn.Linear(32, 4))
    optimizer = SAM(model.parameters(), torch.optim.SGD, lr=0.05, momentum=0.9)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    for step in range(ITERATIONS):
        x, y = next(stream)
        if step % 2:
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.first_step(zero_grad=True)
            criterion(model(x), y).backward()
            optimizer.second_step(zero_grad=True)
        else:

            def closure():
                loss = criterion(model(x), y)
                loss.backward()
                return loss

            loss = closure()
            optimizer.step(closure)
            optimizer.zero_grad()
        log.update(loss=loss.item())
        if step % 50 == 49:
            print(f"{step + 1}: {log}")


if __name__ == "__main__":
    main()
