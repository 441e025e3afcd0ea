# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# notice: 1
"""Domain adaptation: task loss and confusion loss, each with an optimizer of its own."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(40, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU())

    def forward(self, x):
        return self.net(x)


class Adapter:
    def __init__(self):
        self.feat = Features()
        self.task = nn.Linear(64, 5)
        self.domain = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
        self.opt_task = torch.optim.Adam([*self.feat.parameters(), *self.task.parameters()], lr=1e-3)
        self.opt_dom = torch.optim.Adam([*self.feat.parameters(), *self.domain.parameters()], lr=1e-3)

    def step(self, xs, ys, xt):
        f = self.feat(torch.cat([xs, xt]))
        task_loss = F.cross_entropy(self.task(f[: len(xs)]), ys)
        dom = self.domain(f)
        dom_loss = -F.log_softmax(dom, 1).mean()

        self.opt_task.zero_grad()
        task_loss.backward(retain_graph=True)
        self.opt_task.step()  # <- culprit

        self.opt_dom.zero_grad()
        dom_loss.backward()  # <- culprit
        self.opt_dom.step()
        return task_loss.item(), dom_loss.item()


if __name__ == "__main__":
    torch.manual_seed(9)
    ad = Adapter()
    for i in range(150):
        xs, xt = torch.randn(64, 40), torch.randn(64, 40) + 0.5
        t, d = ad.step(xs, xs[:, :5].argmax(1), xt)
        if i % 25 == 0:
            print(i, t, d)
