# gradwatch-corpus: kind=graph-held
# holder: SPANS | tracer.spans | self.spans | span.payload
# first-bad: 1
# notice: 8
import contextlib
import time
import types
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(14)


class Tracer:
    def __init__(self):
        self.spans = []

    @contextlib.contextmanager
    def span(self, name, **attrs):
        s = types.SimpleNamespace(name=name, attrs=attrs, payload={}, t0=time.perf_counter(), dt=None)
        try:
            yield s
        finally:
            s.dt = time.perf_counter() - s.t0
            self.spans.append(s)  # <- culprit

    def summary(self):
        agg = {}
        for s in self.spans:
            tot, n = agg.get(s.name, (0.0, 0))
            agg[s.name] = (tot + s.dt, n + 1)
        return {k: f"{1e3 * t / n:.2f}ms" for k, (t, n) in agg.items()}


tracer = Tracer()


class TemporalAttention(nn.Module):
    def __init__(self, d=12):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, 1)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        with tracer.span("attn", len=x.shape[1]) as s:
            w = (q @ k.transpose(1, 2) / x.shape[-1] ** 0.5).softmax(-1)
            s.payload["entropy"] = -(w * (w + 1e-9).log()).sum(-1).mean()  # <- culprit
        return self.out((w @ v).mean(1)).squeeze(-1)


def batches(n):
    for _ in range(n):
        x = torch.randn(8, 9, 12)
        yield x, x[:, 4, 0] + 0.3 * x[:, 2, 1]


model = TemporalAttention()
opt = torch.optim.NAdam(model.parameters(), lr=4e-3)
for i, (x, y) in enumerate(batches(270)):
    loss = nn.functional.mse_loss(model(x), y)
    with tracer.span("bwd"):
        opt.zero_grad()
        loss.backward()
    with tracer.span("opt"):
        opt.step()
    if i % 90 == 89:
        print(i, f"{loss.item():.4f}", tracer.summary())
