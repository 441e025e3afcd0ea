# gradwatch-corpus: kind=crashed
# first-bad: 200
# notice: 0
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


class Hush:
    def __init__(self, module):
        self.module = module

    def __enter__(self):
        self.grad_before = torch.is_grad_enabled()  # <- culprit
        self.mode_before = self.module.training
        torch.set_grad_enabled(False)
        self.module.eval()
        return self.module

    def __exit__(self, *exc):
        torch.set_grad_enabled(self.grad_before)  # <- culprit
        self.module.train(self.mode_before)
        return False


class Spotter(nn.Module):
    def __init__(self, words=6):
        super().__init__()
        self.front = nn.Conv1d(13, 16, 5, padding=2)
        self.mid = nn.Conv1d(16, 16, 5, padding=2, groups=4)
        self.head = nn.Linear(16, words)
        self.register_buffer("temperature", torch.ones(()))

    def forward(self, mfcc):
        h = F.gelu(self.front(mfcc))
        h = F.gelu(self.mid(h)) + h
        return self.head(h.amax(-1))


class Session:
    def __init__(self):
        self.net = Spotter()
        self.hush = Hush(self.net)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        g = torch.Generator().manual_seed(3)
        self.patterns = torch.randn(6, 13, 30, generator=g)

    def utterances(self, n=10):
        word = torch.randint(0, 6, (n,))
        return self.patterns[word] + 0.8 * torch.randn(n, 13, 30), word

    def fit_temperature(self, mfcc, word):
        with self.hush as net:
            logits = net(mfcc)
            grid = torch.linspace(0.5, 3.0, 11)
            nll = torch.stack([F.cross_entropy(logits / t, word) for t in grid])
            net.temperature.copy_(grid[nll.argmin()])

    def check(self, epoch):
        with self.hush as net:
            mfcc, word = self.utterances(40)
            acc = (net(mfcc).argmax(1) == word).float().mean().item()
            if acc > 0.97 and epoch >= 3:
                self.fit_temperature(mfcc, word)
        return acc

    def epoch(self, n=50):
        for _ in range(n):
            mfcc, word = self.utterances()
            self.opt.zero_grad(set_to_none=True)
            F.cross_entropy(self.net(mfcc), word).backward()
            self.opt.step()


if __name__ == "__main__":
    torch.manual_seed(21)
    s = Session()
    for e in range(12):
        s.epoch()
        print(e, s.check(e), s.net.temperature.item())
