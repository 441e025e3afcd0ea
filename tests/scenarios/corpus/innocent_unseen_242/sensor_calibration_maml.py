# gradwatch-corpus: kind=none
"""Every CO2 sensor drifts in its own way; learn a start from which five readings are enough."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.manual_seed(81)

settings = dict(meta_steps=80, sensors=4, shots=5, queries=15, inner_steps=2, outer_lr=3e-3, rate_start=0.05)

net = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
rates = nn.ParameterDict({k.replace(".", "_"): nn.Parameter(torch.tensor(settings["rate_start"])) for k, _ in net.named_parameters()})
opt = torch.optim.Adam(list(net.parameters()) + list(rates.parameters()), lr=settings["outer_lr"])


def new_sensor():
    return {"gain": 0.6 + 0.8 * torch.rand(()), "offset": torch.randn(()) * 0.4, "bend": torch.randn(()) * 0.3}


def readings(sensor, n):
    raw = 2 * torch.rand(n, 1) - 1
    humidity = torch.rand(n, 1)
    true = sensor["gain"] * raw + sensor["offset"] + sensor["bend"] * raw * humidity
    return torch.cat([raw, humidity], 1), true + 0.01 * torch.randn(n, 1)


def adapt(x, y, second_order=True):
    fast = dict(net.named_parameters())
    for _ in range(settings["inner_steps"]):
        loss = F.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=second_order)
        fast = {k: w - rates[k.replace(".", "_")] * g for (k, w), g in zip(fast.items(), grads)}
    return fast, loss


track = {"step": [], "before": [], "after": []}
running_after = 0.0

for step in range(settings["meta_steps"]):
    outer = 0.0
    before = 0.0
    for _ in range(settings["sensors"]):
        sensor = new_sensor()
        xs, ys = readings(sensor, settings["shots"])
        xq, yq = readings(sensor, settings["queries"])
        fast, inner_loss = adapt(xs, ys)
        outer = outer + F.mse_loss(functional_call(net, fast, (xq,)), yq)
        before += inner_loss.item()
    outer = outer / settings["sensors"]
    opt.zero_grad()
    outer.backward()
    opt.step()
    with torch.no_grad():
        for r in rates.values():
            r.clamp_(0.001, 0.5)
    running_after = 0.9 * running_after + 0.1 * outer.item()
    track["step"].append(step)
    track["before"].append(before / settings["sensors"])
    track["after"].append(outer.item())

for i in range(0, settings["meta_steps"], 16):
    b = track["before"][i:i + 16]
    a = track["after"][i:i + 16]
    print("%3d  inner %.4f  query %.4f" % (i, sum(b) / len(b), sum(a) / len(a)))
print("running", round(running_after, 4), "rates", [round(r.item(), 3) for r in rates.values()])
