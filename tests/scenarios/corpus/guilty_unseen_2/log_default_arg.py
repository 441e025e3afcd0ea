# gradwatch-corpus: kind=graph-held
# holder: _seen | log._seen | log.__defaults__ | log.__defaults__[0]
# first-bad: 1
import torch as th
import torch.nn as nn

th.manual_seed(1)


def log(tag, value, every=25, _seen=[]):
    _seen.append((tag, value))  # <- culprit
    k = len(_seen)
    if k % every == 0:
        window = [v for t, v in _seen[-every:] if t == tag]
        print("%s @%d  %.4f" % (tag, k, sum(map(float, window)) / len(window)))


def make_moons(n):
    t = th.rand(n) * 3.1416
    lab = (th.rand(n) > 0.5).long()
    x = th.where(lab == 0, th.cos(t), 1 - th.cos(t))
    y = th.where(lab == 0, th.sin(t), 0.5 - th.sin(t))
    return th.stack([x, y], 1) + 0.08 * th.randn(n, 2), lab


clf = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 2))
optimizer = th.optim.Adam(clf.parameters(), 1e-2)
criterion = nn.CrossEntropyLoss()

for i in range(175):
    xb, yb = make_moons(64)
    optimizer.zero_grad()
    l = criterion(clf(xb), yb)
    l.backward()
    optimizer.step()
    log("ce", l)  # <- culprit

xb, yb = make_moons(400)
with th.no_grad():
    print("acc", (clf(xb).argmax(1) == yb).float().mean().item())
