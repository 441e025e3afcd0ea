# gradwatch-corpus: kind=none
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Speculator:
    """Takes a few optimistic steps at a high rate, keeps them if validation agrees."""

    def __init__(self, model, opt, horizon, slack=1.05):
        self.model, self.opt = model, opt
        self.horizon, self.slack = horizon, slack
        self.trail = []
        self.anchor = None
        self.rejected = 0

    def begin(self):
        self.anchor = (copy.deepcopy(self.model.state_dict()),
                       copy.deepcopy(self.opt.state_dict()))

    def record(self, loss, pred):
        self.trail.append({"loss": loss, "pred": pred})

    def settle(self, before, after):
        if after > self.slack * before:
            weights, moments = self.anchor
            self.model.load_state_dict(weights)
            self.opt.load_state_dict(moments)
            self.rejected += 1
        spread = torch.stack([t["loss"] for t in self.trail]).std().item()
        self.trail.clear()
        return spread


def farm(n, gen):
    speed = 3 + 9 * torch.rand(n, 1, generator=gen)
    angle = 6.28 * torch.rand(n, 1, generator=gen)
    power = (speed / 12).pow(3) * (1 + 0.1 * angle.cos())
    return torch.cat([speed / 12, angle.sin(), angle.cos()], 1), power


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    model = nn.Sequential(nn.Linear(3, 48), nn.Tanh(), nn.Linear(48, 1))
    opt = torch.optim.SGD(model.parameters(), lr=0.12, momentum=0.8)
    spec = Speculator(model, opt, horizon=6)
    vx, vy = farm(128, gen)

    @torch.no_grad()
    def validate():
        return F.mse_loss(model(vx), vy).item()

    for burst in range(90):
        before = validate()
        spec.begin()
        for _ in range(spec.horizon):
            x, y = farm(32, gen)
            pred = model(x)
            loss = F.mse_loss(pred, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            spec.record(loss, pred)
        spread = spec.settle(before, validate())
        if burst % 15 == 0:
            print(burst, f"val {before:.5f} spread {spread:.5f} rejected {spec.rejected}")


if __name__ == "__main__":
    main()
