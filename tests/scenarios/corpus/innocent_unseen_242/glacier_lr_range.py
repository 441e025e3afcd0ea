# gradwatch-corpus: kind=none
# range test for the glacier melt regressor, then a short training with what it found
import copy
import math

import torch
import torch.nn as nn

torch.manual_seed(19)

n = 1000
altitude = torch.rand(n)
temp = torch.randn(n)
albedo = torch.rand(n)
slope = torch.rand(n)
melt = torch.relu(temp - 2 * altitude + 0.5) * (1 - albedo) + 0.2 * slope
X = torch.stack([altitude, temp, albedo, slope], 1)
Y = (melt + 0.02 * torch.randn(n))[:, None]

net = nn.Sequential(nn.Linear(4, 40), nn.GELU(), nn.Linear(40, 40), nn.GELU(), nn.Linear(40, 1))


def get_batch(size=50):
    i = torch.randint(0, 800, (size,))
    return X[i], Y[i]


def range_test(net, low=1e-4, high=3.0, steps=70, beta=0.85):
    start = copy.deepcopy(net.state_dict())
    opt = torch.optim.SGD(net.parameters(), lr=low)
    factor = (high / low) ** (1 / (steps - 1))
    avg = torch.zeros(())
    lowest = math.inf
    rows = []
    for i in range(steps):
        xb, yb = get_batch()
        loss = nn.functional.mse_loss(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        avg = beta * avg + (1 - beta) * loss.detach()
        corrected = avg / (1 - beta ** (i + 1))
        rows.append({"lr": opt.param_groups[0]["lr"], "loss": corrected})
        lowest = min(lowest, corrected.item())
        if corrected.item() > 4 * lowest or not math.isfinite(corrected.item()):
            break
        opt.param_groups[0]["lr"] *= factor
    net.load_state_dict(start)
    return rows


def steepest(rows, skip=5):
    slopes = []
    for a, b in zip(rows[skip:-1], rows[skip + 1:]):
        slopes.append((b["loss"].item() - a["loss"].item(), a["lr"]))
    return min(slopes)[1]


rows = range_test(net)
lr = steepest(rows)
print("range test rows", len(rows), "picked lr", round(lr, 5))

opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=lr, total_steps=120)
losses = []
stopper = {"best": math.inf, "bad": 0, "weights": None}
for step in range(120):
    xb, yb = get_batch()
    loss = nn.functional.mse_loss(net(xb), yb)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    losses.append(loss.item())
    if step % 10 == 9:
        with torch.no_grad():
            valid = nn.functional.mse_loss(net(X[800:]), Y[800:])
        if valid < stopper["best"]:
            stopper["best"] = valid
            stopper["bad"] = 0
            stopper["weights"] = copy.deepcopy(net.state_dict())
        else:
            stopper["bad"] += 1
        print(step + 1, "train %.4f" % (sum(losses[-10:]) / 10), "valid %.4f" % valid.item())
        if stopper["bad"] >= 4:
            break

net.load_state_dict(stopper["weights"])
print("best valid %.4f" % float(stopper["best"]))
