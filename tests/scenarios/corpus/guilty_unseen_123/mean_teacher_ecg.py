# gradwatch-corpus: kind=graph-chain
# holder: teacher.weights | study.teacher.weights | self.weights
# first-bad: 1
# notice: 5
"""Semi-supervised beat classification: a student net and an averaged teacher called through functional_call."""
import torch
from torch import nn
from torch.func import functional_call
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(11)


class BeatNet(nn.Module):
    def __init__(self, width=8, classes=3):
        super().__init__()
        self.conv = nn.Conv1d(1, width, 5, padding=2)
        self.head = nn.Linear(width * 8, classes)

    def forward(self, x):
        h = F.gelu(self.conv(x))
        return self.head(F.max_pool1d(h, 4).flatten(1))


class Teacher:
    """Keeps averaged weights as a plain dict, never as a second module."""

    def __init__(self, net, decay):
        self.net = net
        self.decay = decay
        self.weights = {k: p.detach().clone() for k, p in net.named_parameters()}

    def predict(self, x):
        return functional_call(self.net, self.weights, (x,))

    def follow(self):
        fresh = dict(self.net.named_parameters())
        for name, old in self.weights.items():
            self.weights[name] = old.lerp(fresh[name], 1.0 - self.decay)  # <- culprit


def beats(n, gen):
    kind = torch.randint(0, 3, (n,), generator=gen)
    t = torch.linspace(0, 1, 32)
    centre = 0.25 + 0.25 * kind.float()
    wave = torch.exp(-((t - centre[:, None]) ** 2) / 0.01)
    wave = wave + 0.3 * torch.randn(n, 32, generator=gen)
    return wave[:, None], kind


class Study:
    def __init__(self):
        self.gen = torch.Generator().manual_seed(3)
        self.student = BeatNet()
        self.teacher = Teacher(self.student, decay=0.97)
        self.optim = torch.optim.Adam(self.student.parameters(), lr=3e-3)

    def step(self, ramp):
        x, y = beats(6, self.gen)
        u, _ = beats(12, self.gen)
        sup = F.cross_entropy(self.student(x), y)
        noisy = u + 0.1 * torch.randn(u.shape, generator=self.gen)
        want = self.teacher.predict(u).softmax(-1)
        cons = F.mse_loss(self.student(noisy).softmax(-1), want)
        self.optim.zero_grad()
        (sup + ramp * cons).backward()
        self.optim.step()
        self.teacher.follow()
        return sup.item(), cons.item()


if __name__ == "__main__":
    study = Study()
    for it in range(260):
        sup, cons = study.step(min(1.0, it / 80))
        if it % 65 == 64:
            print(f"{it + 1:4d} sup {sup:.3f} cons {cons:.4f}")
