# gradwatch-corpus: kind=graph-held
# holder: self.quarantine | desk.quarantine | exc | self.quarantine[-1].__traceback__ | exc.__traceback__
# first-bad: 1
# notice: 8
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(404)


class SuspectBatch(Exception):
    def __init__(self, ratio):
        super().__init__(f"worst/median ratio {ratio:.1f}")
        self.ratio = ratio


class VolumeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.side = nn.Linear(3, 18)
        self.density = nn.Linear(2, 18)
        self.head = nn.Linear(18, 1)

    def forward(self, dims, tags):
        return self.head(torch.relu(self.side(dims)) * torch.sigmoid(self.density(tags))).squeeze(-1)


def strict(net, dims, tags, weight, limit):
    residual = (net(dims, tags) - weight).abs()
    ratio = (residual.max() / residual.median()).item()
    if ratio > limit:
        raise SuspectBatch(ratio)
    return residual.square().mean()


def lenient(net, dims, tags, weight):
    return nn.functional.huber_loss(net(dims, tags), weight, delta=0.3)


class Desk:
    def __init__(self, net, limit=10.0):
        self.net, self.limit = net, limit
        self.quarantine = []

    def price(self, lot):
        try:
            return strict(self.net, *lot, self.limit)
        except SuspectBatch as exc:
            self.quarantine.append(exc)  # <- culprit
        return lenient(self.net, *lot)

    def report(self):
        return {"held": len(self.quarantine),
                "worst": max((e.ratio for e in self.quarantine), default=0.0)}


def lots():
    while True:
        dims, tags = torch.rand(20, 3), torch.rand(20, 2)
        weight = dims.prod(-1) * 4 * (0.5 + tags[:, 0])
        spikes = torch.rand(20) < 0.03
        yield dims, tags, torch.where(spikes, weight + 3, weight)


def main():
    net = VolumeNet()
    desk = Desk(net)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for turn, lot in zip(range(900), lots()):
        cost = desk.price(lot)
        opt.zero_grad()
        cost.backward()
        opt.step()
        if turn % 300 == 299:
            print(turn, round(cost.item(), 4), desk.report())


if __name__ == "__main__":
    main()
