# gradwatch-corpus: kind=none
"""Fine-tunes a pretrained ECG net stage by stage from the head down; evaluation runs with gradients off."""
import contextlib
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


@dataclass
class ThawPlan:
    seed: int = 41
    epochs: int = 24
    batches: int = 20
    thaw_at: dict = field(default_factory=lambda: {0: "head", 6: "late", 12: "early"})
    refreeze_at: int = 18


class EcgNet(nn.Module):
    def __init__(self, leads=2, width=10, classes=3):
        super().__init__()
        self.early = nn.Sequential(nn.Conv1d(leads, width, 7, stride=2), nn.ReLU())
        self.late = nn.Sequential(nn.Conv1d(width, width, 5, stride=2), nn.ReLU(), nn.AdaptiveMaxPool1d(2), nn.Flatten())
        self.head = nn.Linear(2 * width, classes)

    def forward(self, x):
        return self.head(self.late(self.early(x)))


@contextlib.contextmanager
def evaluating(net):
    was_training, was_enabled = net.training, torch.is_grad_enabled()
    net.eval()
    torch.set_grad_enabled(False)
    try:
        yield net
    finally:
        torch.set_grad_enabled(was_enabled)
        net.train(was_training)


class Beats:
    def __init__(self, length=40):
        self.t = torch.linspace(-1, 1, length)

    def draw(self, n):
        y = torch.randint(0, 3, (n,))
        width = torch.tensor([0.05, 0.15, 0.3])[y][:, None]
        qrs = torch.exp(-(self.t / width) ** 2)
        return torch.stack([qrs, -0.5 * qrs.roll(2, 1)], 1) + 0.15 * torch.randn(n, 2, len(self.t)), y


class Thawer:
    def __init__(self, plan):
        self.plan, self.net, self.beats = plan, EcgNet(), Beats()
        self.net.requires_grad_(False)
        self.opt = torch.optim.Adam([{"params": m.parameters(), "lr": lr} for m, lr in
                                     ((self.net.head, 3e-3), (self.net.late, 1e-3), (self.net.early, 5e-4))])
        self.best, self.best_state = 0.0, None

    def regroup(self, epoch):
        if epoch in self.plan.thaw_at:
            getattr(self.net, self.plan.thaw_at[epoch]).requires_grad_(True)
        if epoch == self.plan.refreeze_at:
            for name, p in self.net.named_parameters():
                if not name.startswith("head"):
                    p.requires_grad_(False)
                    p.grad = None

    def train_epoch(self):
        running = 0.0
        for _ in range(self.plan.batches):
            x, y = self.beats.draw(16)
            loss = F.cross_entropy(self.net(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            running += loss.item()
        return running / self.plan.batches

    def validate(self):
        with evaluating(self.net) as net:
            x, y = self.beats.draw(120)
            acc = (net(x).argmax(1) == y).float().mean().item()
            if acc <= self.best:
                return acc
            self.best = acc
            self.best_state = {k: v.clone() for k, v in net.state_dict().items()}
            return acc

    def run(self):
        for e in range(self.plan.epochs):
            self.regroup(e)
            l, a = self.train_epoch(), self.validate()
            if e % 6 == 5:
                print(e, round(l, 3), round(a, 3))
        self.net.load_state_dict(self.best_state)


if __name__ == "__main__":
    plan = ThawPlan()
    torch.manual_seed(plan.seed)
    Thawer(plan).run()
