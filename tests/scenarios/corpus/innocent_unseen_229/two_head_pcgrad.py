# gradwatch-corpus: kind=none
# Lane + drivable-area heads on one backbone; conflicting task gradients are projected before the step.
import torch
from torch import nn


class SharedNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(3, 12, 3, 2, 1), nn.ReLU(), nn.Conv2d(12, 16, 3, 2, 1), nn.ReLU())
        self.lane = nn.Conv2d(16, 1, 1)
        self.area = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.lane(h), self.area(h)


def frames(n):
    x = 0.2 * torch.randn(n, 3, 24, 24)
    lane = torch.zeros(n, 1, 6, 6)
    area = torch.zeros(n, 1, 6, 6)
    for i in range(n):
        col = int(torch.randint(0, 6, (1,)))
        x[i, 0, :, 4 * col:4 * col + 4] += 1
        x[i, 1, 12:, :] += 1
        lane[i, 0, :, col] = 1
        area[i, 0, 3:, :col + 1] = 1
    return x, lane, area


def flat(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def project(a, b):
    dot = torch.dot(a, b)
    if dot < 0:
        a = a - dot / (b.dot(b) + 1e-12) * b
    return a


def assign(params, vector):
    at = 0
    for p in params:
        p.grad = vector[at:at + p.numel()].view_as(p).clone()
        at += p.numel()


def main():
    torch.manual_seed(52)
    net = SharedNet()
    shared = list(net.trunk.parameters())
    bce = nn.BCEWithLogitsLoss()
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    conflicts = 0
    for it in range(100):
        x, lane, area = frames(8)
        lane_out, area_out = net(x)
        lane_loss = bce(lane_out, lane)
        area_loss = bce(area_out, area)
        heads_lane = list(net.lane.parameters())
        heads_area = list(net.area.parameters())
        got_lane = torch.autograd.grad(lane_loss, shared + heads_lane, retain_graph=True)
        got_area = torch.autograd.grad(area_loss, shared + heads_area)
        g1 = flat(got_lane[:len(shared)])
        g2 = flat(got_area[:len(shared)])
        conflicts += int(torch.dot(g1, g2) < 0)
        assign(shared, project(g1, g2) + project(g2, g1))
        assign(heads_lane, flat(got_lane[len(shared):]))
        assign(heads_area, flat(got_area[len(shared):]))
        opt.step()
        opt.zero_grad()
        if it % 25 == 24:
            print(it + 1, f"lane {lane_loss.item():.3f} area {area_loss.item():.3f} conflicts {conflicts}")


main()
