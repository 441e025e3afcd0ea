# gradwatch-corpus: kind=none
"""Predicts the next stitch of knitting charts; charts grow longer as accuracy rises."""
import torch
from torch import nn


class StitchRNN(nn.Module):
    def __init__(self, kinds=6, d=20):
        super().__init__()
        self.emb = nn.Embedding(kinds, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.out = nn.Linear(d, kinds)

    def forward(self, x, h=None):
        y, h = self.rnn(self.emb(x), h)
        return self.out(y), h


class Curriculum:
    def __init__(self, start=4, stop=40, goal=0.7):
        self.length, self.stop, self.goal = start, stop, goal
        self.recent = []
        self.promotions = []

    def record(self, step, accuracy):
        self.recent = (self.recent + [accuracy])[-10:]
        if len(self.recent) == 10 and sum(self.recent) / 10 > self.goal and self.length < self.stop:
            self.length += 2
            self.promotions.append((step, self.length))
            self.recent.clear()


def charts(n, length, gen):
    period = torch.randint(2, 5, (n, 1), generator=gen)
    motif = torch.randint(0, 6, (n, 4), generator=gen)
    pos = torch.arange(length + 1).expand(n, -1) % period
    out = motif.gather(1, pos)
    slip = torch.rand(out.shape, generator=gen) < 0.03
    return torch.where(slip, torch.randint(0, 6, out.shape, generator=gen), out)


def repackage(h):
    return None if h is None else h.detach()


def main(steps=430, chunk=12):
    torch.manual_seed(44)
    gen = torch.Generator().manual_seed(44)
    net = StitchRNN()
    opt = torch.optim.Adam(net.parameters(), lr=8e-3)
    cur = Curriculum(start=6, goal=0.5)
    hidden = None
    for step in range(steps):
        rows = charts(16, cur.length, gen)
        hidden, right, total = None, 0, 0
        opt.zero_grad()
        for a in range(0, cur.length, chunk):
            x, y = rows[:, a:min(a + chunk, cur.length)], rows[:, a + 1:min(a + chunk, cur.length) + 1]
            logits, hidden = net(x, repackage(hidden))
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten()) * x.shape[1] / cur.length
            loss.backward()
            right += (logits.argmax(-1) == y).sum().item()
            total += y.numel()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        cur.record(step, right / total)
        if step % 86 == 0:
            print(step, "length", cur.length, f"acc {right / total:.3f}", "norm", hidden.norm().item())
    print(cur.promotions[-3:])


if __name__ == "__main__":
    main()
