# gradwatch-corpus: kind=graph-held
# holder: raster["hidden"] | raster | book["hidden"] | book
# first-bad: 1
# notice: 8
# Leaky integrate-and-fire classifier trained with a fast-sigmoid surrogate.
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(2)

T_STEPS = 7
N_IN, N_HID, N_OUT = 16, 20, 3


class FastSigmoid(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, slope):
        ctx.save_for_backward(v)
        ctx.slope = slope
        return (v > 0).to(v.dtype)

    @staticmethod
    def backward(ctx, g):
        (v,) = ctx.saved_tensors
        return g / (1 + ctx.slope * v.abs()) ** 2, None


class LIF(nn.Module):
    def __init__(self, n, beta=0.85, threshold=0.6):
        super().__init__()
        self.beta = nn.Parameter(torch.full((n,), beta))
        self.threshold = threshold

    def forward(self, current, v):
        v = self.beta * v + current
        s = FastSigmoid.apply(v - self.threshold, 8.0)
        return s, v - s * self.threshold


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(N_IN, N_HID)
        self.lif = LIF(N_HID)
        self.out = nn.Linear(N_HID, N_OUT)

    def forward(self, trains):
        v = trains.new_zeros(trains.shape[1], N_HID)
        votes = 0.0
        for frame in trains:
            s, v = self.lif(self.inp(frame), v)
            votes = votes + self.out(s)
        return votes / len(trains)


def watch(name, layer, book):
    def tap(_module, _args, result):
        spikes, _ = result
        book.setdefault(name, []).append(spikes.mean(0))  # <- culprit
    return layer.register_forward_hook(tap)


prototypes = torch.rand(N_OUT, N_IN)


def encode(n):
    y = torch.randint(N_OUT, (n,))
    p = (prototypes[y] * 0.8 + 0.1).expand(T_STEPS, n, N_IN)
    return torch.bernoulli(p), y


net = Net()
raster = {}
watch("hidden", net.lif, raster)
opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)

for it in range(350):
    x, y = encode(12)
    logits = net(x)
    loss = F.cross_entropy(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if (it + 1) % 70 == 0:
        rate = sum(float(r.mean()) for r in raster["hidden"][-T_STEPS:]) / T_STEPS
        acc = (logits.argmax(1) == y).float().mean().item()
        print(it + 1, f"loss={loss.item():.3f} acc={acc:.2f} rate={rate:.3f}")

profile = [float(r.max()) for r in raster["hidden"][:T_STEPS]]
print("peak firing in the first presentation:", [round(p, 2) for p in profile])
