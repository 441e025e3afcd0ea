# gradwatch-corpus: kind=none
from functools import reduce

import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)

SETTINGS = {
    "inner": {"steps": 3, "rate": 0.05},
    "outer": {"rate": 2e-3, "fields": 4, "rounds": 420},
    "first_order_until": 60,
}


def field():
    a, b = torch.randn(2)
    def draw(n=6):
        moisture = torch.rand(n, 2)
        return moisture, (a * moisture[:, :1] + b * moisture[:, 1:] ** 2)
    return draw


class Adapter:
    def __init__(self, net, steps, rate):
        self.net, self.steps, self.rate = net, steps, rate
        self.trail = []

    def loss(self, params, batch):
        return (functional_call(self.net, params, batch[0]) - batch[1]).square().mean()

    def adapt(self, batch, exact):
        def descend(params, _):
            loss = self.loss(params, batch)
            grads = torch.autograd.grad(loss, list(params.values()), create_graph=exact)
            moved = {k: p - self.rate * g for (k, p), g in zip(params.items(), grads)}
            self.trail.append(moved)
            return moved

        self.trail.clear()
        return reduce(descend, range(self.steps), dict(self.net.named_parameters()))


def main():
    torch.manual_seed(62)
    net = nn.Sequential(nn.Linear(2, 12), nn.Softplus(), nn.Linear(12, 1))
    adapter = Adapter(net, **SETTINGS["inner"])
    outer = SETTINGS["outer"]
    opt = torch.optim.Adam(net.parameters(), lr=outer["rate"])
    for r in range(outer["rounds"]):
        bill = 0.0
        for _ in range(outer["fields"]):
            draw = field()
            fast = adapter.adapt(draw(), exact=r >= SETTINGS["first_order_until"])
            bill = bill + adapter.loss(fast, draw()) / outer["fields"]
        opt.zero_grad()
        bill.backward()
        opt.step()
        if r % 100 == 0:
            print(r, bill.item())


main()
