# gradwatch-corpus: kind=graph-held
# holder: TRACER.summaries | self.summaries | tracer.summaries | TRACER.summaries[0].__closure__
# first-bad: 9
# notice: 8
import contextlib
import time

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(21)


class Span:
    def __init__(self, label):
        self.label, self.began, self.notes = label, time.perf_counter(), {}

    def note(self, **kw):
        self.notes.update(kw)


class Tracer:
    def __init__(self, sample_every):
        self.sample_every = sample_every
        self.seen = 0
        self.durations = {}
        self.summaries = []

    @contextlib.contextmanager
    def span(self, label):
        s = Span(label)
        try:
            yield s
        finally:
            took = time.perf_counter() - s.began
            n, total = self.durations.get(label, (0, 0.0))
            self.durations[label] = (n + 1, total + took)
            if label == "batch":
                self.seen += 1
                if self.seen % self.sample_every == 1 and self.seen > 1:
                    self.defer(s, took)

    def defer(self, s, took):
        def render():
            return f"{s.label}: {took * 1e3:.2f} ms, " + ", ".join(f"{k}={float(v):.3f}" for k, v in s.notes.items())
        self.summaries.append(render)  # <- culprit

    def tail(self, n):
        return [fn() for fn in self.summaries[-n:]]


TRACER = Tracer(sample_every=8)


class PatchMixer(nn.Module):
    def __init__(self, patches=6, dim=12):
        super().__init__()
        self.tokens = nn.Sequential(nn.LayerNorm(patches), nn.Linear(patches, patches), nn.GELU())
        self.channels = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.GELU())
        self.head = nn.Linear(dim, 3)

    def forward(self, x):
        x = x + self.tokens(x.transpose(1, 2)).transpose(1, 2)
        x = x + self.channels(x)
        return self.head(x.mean(1))


class SlideSource:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        for _ in range(self.n):
            y = torch.randint(0, 3, (16,))
            yield torch.randn(16, 6, 12) + y[:, None, None] * 0.4, y


class Session:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
        self.crit = nn.CrossEntropyLoss(label_smoothing=0.05)

    def batch(self, x, y):
        with TRACER.span("batch") as s:
            with TRACER.span("forward"):
                loss = self.crit(self.net(x), y)
            with TRACER.span("update"):
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            s.note(loss=loss, lr=self.opt.param_groups[0]["lr"])  # <- culprit


session = Session(PatchMixer())
for x, y in SlideSource(520):
    session.batch(x, y)
print(*TRACER.tail(2), sep="\n")
