# gradwatch-corpus: kind=none
"""MAML over electric motors: from five operating points of a new motor, predict its
efficiency map.  Inner loop by torch.func.functional_call, second order."""
import torch
import torch.nn as nn
from torch.func import functional_call


class Motor:
    __slots__ = ("copper", "iron", "base")

    def __init__(self, g):
        self.copper, self.iron, self.base = (torch.rand(3, generator=g) * torch.tensor([0.6, 0.4, 0.1])).tolist()

    def efficiency(self, x):
        torque, speed = x[:, :1], x[:, 1:]
        out = torque * speed
        loss = self.copper * torque ** 2 + self.iron * speed ** 1.5 + self.base
        return out / (out + loss + 0.05)


def operating_points(n, g):
    return 0.1 + 0.9 * torch.rand(n, 2, generator=g)


def adapt(net, params, x, y, rate, steps):
    fast = params
    for _ in range(steps):
        inner = nn.functional.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(inner, list(fast.values()), create_graph=True)
        fast = {k: p - rate * g for (k, p), g in zip(fast.items(), grads)}
    return fast


class Best:
    """The adaptation that did best so far."""

    score = float("inf")
    fast = None

    @classmethod
    def consider(cls, score, fast):
        if score < cls.score:
            cls.score, cls.fast = score, fast
            return True
        return False


def main():
    torch.set_num_threads(1)
    torch.manual_seed(6)
    g = torch.Generator().manual_seed(60)
    net = nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))
    log_rate = nn.Parameter(torch.tensor(-3.0))
    meta = torch.optim.Adam([*net.parameters(), log_rate], lr=2e-3)
    curve, improved = [], 0

    for it in range(320):
        params = dict(net.named_parameters())
        total = 0.0
        for _ in range(2):
            motor = Motor(g)
            xs, xq = operating_points(5, g), operating_points(20, g)
            fast = adapt(net, params, xs, motor.efficiency(xs), log_rate.exp(), steps=2)
            query = nn.functional.mse_loss(functional_call(net, fast, (xq,)), motor.efficiency(xq))
            improved += Best.consider(query.item(), fast)
            total = total + query
        meta.zero_grad()
        total.backward()
        meta.step()
        curve.append(total.item() / 2)
        if it % 80 == 79:
            print("task %4d  query mse %.5f  inner rate %.3f" % (2 * it + 2, sum(curve[-40:]) / 40, log_rate.exp().item()))

    print("records set:", improved, " best %.6f" % Best.score)
    with torch.no_grad():
        grid = operating_points(4, g)
        print("best map at four points:", [round(v, 3) for v in functional_call(net, Best.fast, (grid,)).flatten().tolist()])


if __name__ == "__main__":
    main()
