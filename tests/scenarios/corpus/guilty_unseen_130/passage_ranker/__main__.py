# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
import torch

torch.set_num_threads(1)

from .model import TwinEncoder
from .objectives import build
from .queries import sample_lists

CONFIG = {"objective": "lambda_pairs", "sigma": 1.2, "lr": 3e-3, "steps": 300}


def fit(cfg):
    torch.manual_seed(77)
    enc = TwinEncoder(vocab=60)
    objective = build(cfg["objective"], sigma=cfg["sigma"])
    opt = torch.optim.Adam(enc.parameters(), lr=cfg["lr"])
    for step in range(cfg["steps"]):
        query, docs, grade = sample_lists()
        loss = objective(enc(query, docs), grade)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print(step, float(loss))


fit(CONFIG)
