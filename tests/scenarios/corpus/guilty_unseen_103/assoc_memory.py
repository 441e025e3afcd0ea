# gradwatch-corpus: kind=graph-chain
# holder: mem | memory | state["M"] | state
# first-bad: 1
# notice: 5
# Outer-product associative memory over a stream of key/value pairs; slow weights are
# trained with a hand-written clipped momentum rule.
import math
import torch

torch.set_num_threads(1)
torch.manual_seed(404)

D_IN, D_KEY, BATCH, STEPS = 10, 12, 6, 160
LR, MU = 5e-3, 0.8


def init(*shape):
    return (torch.randn(*shape) / math.sqrt(shape[0])).requires_grad_()


params = dict(
    Wk=init(D_IN, D_KEY),
    Wv=init(D_IN, D_KEY),
    Wq=init(D_IN, D_KEY),
    Wo=init(D_KEY, D_IN),
    decay=torch.tensor(1.0, requires_grad=True),
)


class ClippedMomentum(torch.optim.Optimizer):
    def __init__(self, params, lr, mu, clip=1.0):
        super().__init__(params, dict(lr=lr, mu=mu, clip=clip))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                buf = self.state[p].setdefault("buf", torch.zeros_like(p.data))
                buf.mul_(group["mu"]).add_(p.grad.clamp(-group["clip"], group["clip"]))
                p.data.sub_(group["lr"] * buf)


opt = ClippedMomentum(params.values(), lr=LR, mu=MU)
state = {"M": torch.zeros(BATCH, D_KEY, D_KEY)}

phase = torch.rand(BATCH, 1) * 6.28
freq = torch.linspace(0.1, 0.9, D_IN)


def observe(t):
    return torch.sin(phase + freq * t) + 0.05 * torch.randn(BATCH, D_IN)


def write(M, x):
    k = torch.tanh(x @ params["Wk"])
    v = x @ params["Wv"]
    keep = torch.sigmoid(params["decay"])
    return keep * M + (1 - keep) * v.unsqueeze(2) * k.unsqueeze(1)


def recall(M, x):
    q = torch.tanh(x @ params["Wq"])
    return torch.bmm(M, q.unsqueeze(2)).squeeze(2) @ params["Wo"]


smooth = None
x = observe(0)
for t in range(1, STEPS + 1):
    nxt = observe(t)
    mem = write(state["M"], x)  # <- culprit
    loss = (recall(mem, x) - nxt).pow(2).mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    state["M"] = mem  # <- culprit
    x = nxt
    smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
    if t % 50 == 0:
        print(f"t={t} recall mse {smooth:.4f} keep {params['decay'].sigmoid().item():.3f}")
