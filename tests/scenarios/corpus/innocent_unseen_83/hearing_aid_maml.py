# gradwatch-corpus: kind=none
"""Personalised hearing-aid gain prescription, MAML over listeners.

Every listener has an audiogram; a few comparisons of preferred gains are available for the
fast adaptation. The inner loop is differentiated (second order).
"""
import torch
from torch.func import functional_call
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(4000)

BANDS = 6
INNER_LR = 0.05
INNER_STEPS = 3
META_BATCH = 2
META_ITERS = 320


class Listener:
    def __init__(self):
        self.loss_db = (torch.rand(BANDS).cumsum(0) / BANDS)
        self.comfort = 0.3 + 0.4 * torch.rand(1)
        self.tilt = 0.2 * torch.randn(BANDS)

    def trials(self, n):
        level = torch.rand(n, BANDS)
        gain = self.loss_db * (1.2 - level) * self.comfort + self.tilt * level
        x = torch.cat([level, self.loss_db.expand(n, -1)], 1)
        return x, gain + 0.02 * torch.randn_like(gain)


class GainNet(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.l1 = nn.Linear(2 * BANDS, hidden)
        self.l2 = nn.Linear(hidden, BANDS)
        self.register_buffer("max_gain", torch.full((BANDS,), 1.5))

    def forward(self, x):
        g = self.l2(torch.tanh(self.l1(x)))
        return self.max_gain * torch.tanh(g / self.max_gain)


net = GainNet()
inner_lrs = nn.ParameterDict({n.replace(".", "_"): nn.Parameter(torch.tensor(INNER_LR)) for n, _ in net.named_parameters()})
meta_opt = torch.optim.Adam([*net.parameters(), *inner_lrs.parameters()], lr=2e-3)
mse = nn.MSELoss()


def adapt(params, x, y, trace=None):
    fast = dict(params)
    for _ in range(INNER_STEPS):
        loss = mse(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {n: p - inner_lrs[n.replace(".", "_")] * g for (n, p), g in zip(fast.items(), grads)}
        if trace is not None:
            trace.append(loss)
    return fast


class Meter:
    def __init__(self):
        self.pre, self.post = [], []

    def log(self, trace, outer):
        self.pre.append(trace[0].item())
        self.post.append(float(outer.detach()))

    def __str__(self):
        k = 60
        return f"first inner {sum(self.pre[-k:]) / len(self.pre[-k:]):.4f} query {sum(self.post[-k:]) / len(self.post[-k:]):.4f}"


meter = Meter()
latest_fast = None

for it in range(META_ITERS):
    meta_loss = 0
    for _ in range(META_BATCH):
        who = Listener()
        xs, ys = who.trials(6)
        xq, yq = who.trials(10)
        trace = []
        fast = adapt(dict(net.named_parameters()), xs, ys, trace)
        outer = mse(functional_call(net, fast, (xq,)), yq)
        meta_loss = meta_loss + outer / META_BATCH
        meter.log(trace, outer)
        latest_fast = fast
    meta_opt.zero_grad()
    meta_loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    meta_opt.step()
    if it % 40 == 0:
        print(it, meter, "| lr", {k: round(v.item(), 3) for k, v in inner_lrs.items() if "bias" in k})

print("norm of the last adapted weights:", sum(p.norm() for p in latest_fast.values()).item())
