# gradwatch-corpus: kind=none
from collections import namedtuple

import torch
from torch import nn

torch.set_num_threads(1)

Bake = namedtuple("Bake", "oven recipe rise")
Turn = namedtuple("Turn", "loss crumb before")


def patience(stall=60):
    """Compares each loss with the one before it and answers with a factor for the rate."""
    factor, worse, turn = 1.0, 0, None
    while True:
        loss, crumb = yield factor
        turn = Turn(loss, crumb, None if turn is None else turn._replace(before=None))
        if turn.before is not None and turn.loss > turn.before.loss:
            worse += 1
        if worse >= stall:
            factor, worse = max(0.9 * factor, 0.1), 0


def queue_of_keys(size, dim):
    keys = nn.functional.normalize(torch.randn(size, dim), dim=-1)
    while True:
        fresh = yield keys
        keys = torch.cat([keys[len(fresh):], nn.functional.normalize(fresh.detach(), dim=-1)])


def kitchen(batch=10):
    while True:
        recipe = torch.rand(batch, 5)
        oven = torch.rand(batch, 2)
        yield Bake(oven, recipe, (recipe[:, 0] * 2 - oven[:, 1]).tanh())


class Crumb(nn.Module):
    def __init__(self):
        super().__init__()
        self.knead = nn.Sequential(nn.Linear(7, 16), nn.Tanh(), nn.Linear(16, 6))
        self.rise = nn.Linear(6, 1)

    def forward(self, bake):
        crumb = self.knead(torch.cat([bake.recipe, bake.oven], -1))
        return crumb, self.rise(crumb).squeeze(-1)


def main():
    torch.manual_seed(46)
    net = Crumb()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    pace, keys = patience(), queue_of_keys(32, 6)
    next(pace)
    bank = next(keys)
    for k, bake in zip(range(1000), kitchen()):
        crumb, rise = net(bake)
        crowd = (nn.functional.normalize(crumb, dim=-1) @ bank.T / 0.5).logsumexp(-1).mean()
        loss = (rise - bake.rise).square().mean() + 0.02 * crowd
        opt.zero_grad()
        loss.backward()
        opt.step()
        bank = keys.send(crumb)
        opt.param_groups[0]["lr"] = 5e-3 * pace.send((loss, crumb))
    print(loss.item(), opt.param_groups[0]["lr"], bank.shape)


main()
