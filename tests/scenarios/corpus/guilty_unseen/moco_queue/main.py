# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# holder: self.queue | model.queue
from types import SimpleNamespace

import torch
import torch.nn as nn

from ssl_models import build

cfg = SimpleNamespace(steps=120, bs=32, lr=0.03, seed=0)


def two_crops(bs):
    x = torch.randn(bs, 48)
    return x + 0.2 * torch.randn_like(x), x * (torch.rand_like(x) > 0.1)


def main():
    torch.manual_seed(cfg.seed)
    model = build(dim=32, K=256)
    crit = nn.CrossEntropyLoss()
    opt = torch.optim.SGD(model.encoder_q.parameters(), cfg.lr, momentum=0.9, weight_decay=1e-4)
    for i in range(cfg.steps):
        q, k = two_crops(cfg.bs)
        out, target = model(im_q=q, im_k=k)
        loss = crit(out, target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if i % 30 == 0:
            print(f"[{i}/{cfg.steps}] {loss.item():.4f}")


if __name__ == "__main__":
    main()
