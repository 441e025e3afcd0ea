# gradwatch-corpus: kind=none
# old coins, front/back pictures: small net copies the middle features of the wide net through hooks
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(66)


def coin_images(n):
    y = torch.randint(0, 4, (n,))
    u = torch.linspace(-1, 1, 16)
    r = torch.sqrt(u[None, :] ** 2 + u[:, None] ** 2)
    ang = torch.atan2(u[:, None].expand(16, 16), u[None, :].expand(16, 16))
    img = torch.cos((y[:, None, None] + 2) * ang) * (r < 0.9)
    return (img + 0.5 * torch.randn(n, 16, 16))[:, None], y


def coin_net(c1, c2):
    net = nn.Sequential()
    net.add_module("conv1", nn.Conv2d(1, c1, 3, stride=2, padding=1))
    net.add_module("relu1", nn.ReLU())
    net.add_module("conv2", nn.Conv2d(c1, c2, 3, stride=2, padding=1))
    net.add_module("relu2", nn.ReLU())
    net.add_module("flat", nn.Flatten())
    net.add_module("fc", nn.Linear(c2 * 16, 4))
    return net


def tap(module, store, key):
    def hook(mod, inp, out):
        store[key] = out

    return module.register_forward_hook(hook)


wide = coin_net(16, 32)
wide.requires_grad_(False)
wide.eval()
small = coin_net(6, 10)
adapter = nn.Conv2d(10, 32, 1)
opt = torch.optim.Adam(list(small.parameters()) + list(adapter.parameters()), lr=3e-3)

history = {"epoch": [], "task": [], "match": [], "acc": []}
best = {"acc": -1.0, "net": None}
bad_epochs = 0

for epoch in range(8):
    feats = {}
    handles = [tap(wide.relu2, feats, "wide"), tap(small.relu2, feats, "small")]
    sums = {"task": 0.0, "match": 0.0}
    for it in range(16):
        x, y = coin_images(48)
        with torch.no_grad():
            wide(x)
        logits = small(x)
        task = F.cross_entropy(logits, y)
        match = F.mse_loss(adapter(feats["small"]), feats["wide"])
        loss = task + 0.5 * match
        opt.zero_grad()
        loss.backward()
        opt.step()
        sums["task"] += task.item()
        sums["match"] += match.item()
        feats.clear()
    for h in handles:
        h.remove()

    small.eval()
    with torch.no_grad():
        x, y = coin_images(200)
        acc = (small(x).argmax(1) == y).float().mean().item()
    small.train()
    history["epoch"].append(epoch)
    history["task"].append(sums["task"] / 16)
    history["match"].append(sums["match"] / 16)
    history["acc"].append(acc)
    if acc > best["acc"]:
        best["acc"] = acc
        best["net"] = copy.deepcopy(small)
        bad_epochs = 0
    else:
        bad_epochs += 1
        if bad_epochs == 3:
            break

for row in zip(*history.values()):
    print("%2d  task %.4f  match %.4f  acc %.3f" % row)
print("best", round(best["acc"], 3))
