# gradwatch-corpus: kind=none
"""Crack detection in porcelain: student with an averaged teacher, consistency loss and a rolling console."""
import copy
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

GLAZE = {"side": 16, "batch": 24, "labelled": 8, "ramp": 40, "inertia": 0.97, "rounds": 100, "memory": 20}


def shelf(count, side):
    plates = 0.2 * torch.randn(count, 1, side, side)
    cracked = torch.randint(0, 2, (count,))
    for k in range(count):
        if cracked[k]:
            row = int(torch.randint(0, side - 4, (1,)))
            for c in range(side):
                plates[k, 0, row + (c * 3 // side), c] += 1.5
    return plates, cracked


class Inspector(nn.Module):
    def __init__(self):
        super().__init__()
        self.eyes = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1),
            nn.BatchNorm2d(16),
            nn.ReLU(),
        )
        self.verdict = nn.Linear(16, 2)

    def forward(self, plates):
        return self.verdict(self.eyes(plates).amax(dim=(2, 3)))


class Patina:
    """Slow copy of a network."""

    def __init__(self, net, inertia):
        self.net = copy.deepcopy(net).requires_grad_(False)
        self.inertia = inertia
        self.coats = 0

    @torch.no_grad()
    def coat(self, net):
        self.coats += 1
        keep = min(self.inertia, 1 - 1 / (self.coats + 1))
        for slow, quick in zip(self.net.parameters(), net.parameters()):
            slow.mul_(keep).add_(quick, alpha=1 - keep)
        for slow, quick in zip(self.net.buffers(), net.buffers()):
            slow.copy_(quick)

    @torch.no_grad()
    def opinion(self, plates):
        return self.net(plates)


class Console:
    def __init__(self, memory):
        self.rows = deque(maxlen=memory)
        self.mean_loss = 0.0

    def note(self, loss, agreement):
        value = loss.detach()
        self.mean_loss = 0.9 * self.mean_loss + 0.1 * value
        self.rows.append((value, agreement.detach()))

    def show(self, number):
        losses, agreements = zip(*self.rows)
        print(number, f"ema {float(self.mean_loss):.3f}", f"recent {torch.stack(losses).mean():.3f}", f"agreement {torch.stack(agreements).mean():.4f}")


def main():
    torch.manual_seed(88)
    inspector = Inspector()
    patina = Patina(inspector, GLAZE["inertia"])
    console = Console(GLAZE["memory"])
    opt = torch.optim.SGD(inspector.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    for number in range(GLAZE["rounds"]):
        plates, cracked = shelf(GLAZE["batch"], GLAZE["side"])
        views = plates + 0.1 * torch.randn_like(plates)
        logits = inspector(views)
        hard = F.cross_entropy(logits[: GLAZE["labelled"]], cracked[: GLAZE["labelled"]])
        agreement = F.mse_loss(logits.softmax(1), patina.opinion(plates).softmax(1))
        weight = min(1.0, number / GLAZE["ramp"])
        loss = hard + 3.0 * weight * agreement
        opt.zero_grad()
        loss.backward()
        opt.step()
        patina.coat(inspector)
        console.note(loss, agreement)
        if number % 20 == 19:
            console.show(number)


if __name__ == "__main__":
    main()
