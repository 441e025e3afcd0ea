# gradwatch-corpus: kind=none
# about: fresh model and optimiser per client visit in a thread pool; server keeps 16 detached columns at most
"""Federated crop-yield regression: a few farms per round train locally in a pool of threads, the server averages and keeps a low-rank posterior."""
from concurrent.futures import ThreadPoolExecutor

import torch
from farm import Farm, model
from server import Server

torch.manual_seed(64)
torch.set_num_threads(1)
farms = [Farm(i, seed=i) for i in range(10)]
server = Server(model(), rank=16)

with ThreadPoolExecutor(2) as pool:
    for rnd in range(60):
        chosen = [farms[i] for i in torch.randperm(len(farms))[:2].tolist()]
        replies = list(pool.map(lambda f: f.visit(server.broadcast(), steps=4), chosen))
        server.merge(replies)
        if rnd % 10 == 9:
            mean, spread = server.predict(farms[0].x)
            print(f"round {rnd + 1} local {sum(r.loss for r in replies) / len(replies):.3f} "
                  f"rmse at farm 0 {(mean - farms[0].y).square().mean().sqrt():.3f} spread {spread.mean():.4f} columns {len(server.columns)}")
print("visits", {f.number: f.visits for f in farms})
