# gradwatch-corpus: kind=none
"""FitNets-style hints: the small net copies inner layers of a big one. The layers are caught with forward hooks in a
global dict because I did not want to touch the model code of the colleague."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(31)
torch.set_num_threads(1)

FEATS = {}
HANDLES = []
LAST = None


def catch(name):
    def hook(module, inputs, output):
        FEATS[name] = output
    return hook


def watch(prefix, net, layers):
    for l in layers:
        HANDLES.append(net.get_submodule(l).register_forward_hook(catch(f"{prefix}.{l}")))


def block(a, b):
    return nn.Sequential(nn.Linear(a, b), nn.LayerNorm(b), nn.ReLU())


class Net(nn.Module):
    def __init__(self, width, n_out=5):
        super().__init__()
        self.stem = block(16, width)
        self.mid = block(width, width)
        self.top = block(width, width)
        self.out = nn.Linear(width, n_out)

    def forward(self, x):
        return self.out(self.top(self.mid(self.stem(x))))


class HintStats:
    """Running mean and scale of a hint, to whiten it a little."""

    def __init__(self, dim, m=0.95):
        self.mean, self.var, self.m = torch.zeros(dim), torch.ones(dim), m

    def __call__(self, h):
        with torch.no_grad():
            self.mean = self.m * self.mean + (1 - self.m) * h.mean(0)
            self.var = self.m * self.var + (1 - self.m) * h.var(0)
        return (h - self.mean) / (self.var + 1e-5).sqrt()


teacher, student = Net(96), Net(24)
watch("t", teacher, ["mid", "top"])
watch("s", student, ["mid", "top"])
regressors = nn.ModuleDict({k: nn.Linear(24, 96) for k in ("mid", "top")})
stats = {k: HintStats(96) for k in ("mid", "top")}
W = torch.randn(16, 5)


def batch(n=64):
    x = torch.randn(n, 16)
    return x, (x @ W + torch.sin(2 * x[:, :5])).argmax(1)


def accuracy(net):
    net.eval()
    with torch.no_grad():
        x, y = batch(500)
        a = (net(x).argmax(1) == y).float().mean().item()
    net.train()
    FEATS.clear()
    return a


def hint_loss():
    parts = []
    for k in regressors:
        goal = stats[k](FEATS["t." + k])
        parts.append(F.mse_loss(regressors[k](FEATS["s." + k]), goal))
    return torch.stack(parts).mean()


def train_teacher(steps=150):
    opt = torch.optim.Adam(teacher.parameters(), lr=3e-3)
    for i in range(steps):
        x, y = batch()
        opt.zero_grad()
        loss = F.cross_entropy(teacher(x), y)
        loss.backward()
        opt.step()
        FEATS.clear()
    print(f"teacher: loss {loss.item():.3f} accuracy {accuracy(teacher):.3f}")


def train_student(steps=300, T=2.0):
    global LAST
    opt = torch.optim.Adam(list(student.parameters()) + list(regressors.parameters()), lr=3e-3)
    curve = []
    for i in range(steps):
        x, y = batch()
        with torch.no_grad():
            t_logits = teacher(x)
        s_logits = student(x)
        kd = F.kl_div(F.log_softmax(s_logits / T, 1), F.softmax(t_logits / T, 1), reduction="batchmean") * T * T
        hint = hint_loss()
        loss = F.cross_entropy(s_logits, y) + 0.5 * kd + max(0.0, 1 - i / 200) * hint
        opt.zero_grad()
        loss.backward()
        opt.step()
        LAST = {"kd": kd.detach(), "hint": hint.detach(), "loss": loss.detach()}
        curve.append(LAST["loss"].item())
        FEATS.clear()
        if i % 75 == 74:
            print(f"student {i + 1}: " + " ".join(f"{k} {v.item():.3f}" for k, v in LAST.items())
                  + f" accuracy {accuracy(student):.3f}")
    return curve


train_teacher()
for p in teacher.parameters():
    p.requires_grad_(False)
curve = train_student()
for h in HANDLES:
    h.remove()
print("mean of the last 50:", round(sum(curve[-50:]) / 50, 4))
