# gradwatch-corpus: kind=none
# about: several autograd.grad over one trunk graph with retain_graph except the last; the newest loss per task is kept
import argparse

import torch
from surgery import METHODS
from workload import Workload

p = argparse.ArgumentParser()
p.add_argument("--rotation", default="pcgrad,mgda,plain", type=lambda s: s.split(","))
p.add_argument("--batches", type=int, default=360)
args = p.parse_args()

torch.manual_seed(14)
job = Workload(tasks=4)
optim = torch.optim.Adam(job.parameters(), lr=2e-3)
shared = list(job.trunk.parameters())
latest = {}
for b in range(args.batches):
    method = METHODS[args.rotation[b * len(args.rotation) // args.batches]]
    losses = job.losses(*job.draw(64))
    optim.zero_grad()
    merged = method(losses, shared, [list(h.parameters()) for h in job.heads])
    with torch.no_grad():
        at = 0
        for w in shared:
            w.grad = merged[at:at + w.numel()].view_as(w)
            at += w.numel()
    optim.step()
    for i, l in enumerate(losses):
        latest[f"task{i}"] = l
    if b % 45 == 0:
        print(b, method.__name__, {k: round(v.item(), 3) for k, v in latest.items()})
