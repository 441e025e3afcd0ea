# gradwatch-corpus: kind=graph-held
# holder: feats[name] | feats | acts | acts["res1"] | acts["res2"]
# first-bad: 1
import torch, torch.nn as nn
from collections import defaultdict

torch.manual_seed(0)


class Res(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c1 = nn.Conv2d(c, c, 3, 1, 1)
        self.c2 = nn.Conv2d(c, c, 3, 1, 1)

    def forward(self, x):
        return torch.relu(x + self.c2(torch.relu(self.c1(x))))


def attach(model, wanted):
    feats = defaultdict(list)

    def make(name):
        def hook(mod, inp, out):
            feats[name].append(out.mean(dim=(2, 3)))  # <- culprit
        return hook

    handles = [m.register_forward_hook(make(n)) for n, m in model.named_modules() if n in wanted]
    return feats, handles


net = nn.Sequential()
net.add_module("stem", nn.Conv2d(3, 8, 3, 1, 1))
net.add_module("res1", Res(8))
net.add_module("res2", Res(8))
net.add_module("pool", nn.AdaptiveAvgPool2d(1))
net.add_module("flat", nn.Flatten())
net.add_module("fc", nn.Linear(8, 4))

acts, handles = attach(net, {"res1", "res2"})
opt = torch.optim.SGD(net.parameters(), 0.02, momentum=0.9, nesterov=True)
proto = torch.randn(4, 3, 1, 1)

for i in range(160):
    t = torch.randint(0, 4, (12,))
    im = torch.randn(12, 3, 10, 10) + proto[t]
    loss = nn.functional.cross_entropy(net(im), t, label_smoothing=0.05)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if (i + 1) % 40 == 0:
        spread = {k: round(v[-1].std().item(), 3) for k, v in acts.items()}
        print(i + 1, "%.4f" % loss.item(), spread)

for h in handles:
    h.remove()
print({k: len(v) for k, v in acts.items()})
