# gradwatch-corpus: kind=second-backward
# first-bad: 0
# notice: 0
"""Insurance claims: urgency class and payout from one shared reading of the file."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(4)


class SharedReader(nn.Module):
    def __init__(self, fields=14, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(fields, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.urgency = nn.Linear(width, 4)
        self.payout = nn.Linear(width, 1)

    def forward(self, x):
        h = self.body(x)
        return self.urgency(h), self.payout(h).squeeze(1)


class Desk:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.losses = {"urgency": nn.CrossEntropyLoss(), "payout": nn.SmoothL1Loss()}
        self.sums = dict.fromkeys(self.losses, 0.0)

    def settle(self, name, out, target):
        loss = self.losses[name](out, target)
        loss.backward()  # <- culprit
        self.sums[name] += loss.item()

    def handle(self, x, urgency, payout):
        self.opt.zero_grad()
        u, p = self.model(x)
        self.settle("urgency", u, urgency)  # <- culprit
        self.settle("payout", p, payout)  # <- culprit
        self.opt.step()


def claims(n_batches, size=32):
    for _ in range(n_batches):
        x = torch.randn(size, 14)
        urgency = (x[:, :4] + 0.2 * torch.randn(size, 4)).argmax(1)
        payout = x[:, 4].abs() * 2 + x[:, 5]
        yield x, urgency, payout


def main():
    desk = Desk(SharedReader())
    for n, batch in enumerate(claims(100), 1):
        desk.handle(*batch)
        if n % 25 == 0:
            print(n, {k: round(v / n, 3) for k, v in desk.sums.items()})


if __name__ == "__main__":
    main()
