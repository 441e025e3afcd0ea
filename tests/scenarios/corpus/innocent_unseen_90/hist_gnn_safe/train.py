from collections import deque

import torch
import torch.nn.functional as F


class Recent:
    def __init__(self, size):
        self.items = deque(maxlen=size)

    def add(self, **losses):
        self.items.append(losses)

    def mean(self, key):
        return torch.stack([d[key] for d in self.items]).mean().item()


def pull_together(z, y):
    z = F.normalize(z, dim=-1)
    same = (y[:, None] == y[None]).float()
    return F.binary_cross_entropy_with_logits(4 * z @ z.t() - 2, same)


def fit(model, g, steps, batch):
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
    recent = Recent(12)
    for step in range(steps):
        idx = torch.randperm(g.n)[:batch]
        logit, z = model(g, idx)
        cls = F.binary_cross_entropy_with_logits(logit, g.y[idx], pos_weight=torch.tensor(1.7))
        con = 0.1 * pull_together(z, g.y[idx])
        opt.zero_grad()
        # two passes: we log how strong each term pulls on the first layer
        cls.backward(retain_graph=True)
        g_cls = model.first.weight.grad.norm().item()
        con.backward()
        opt.step()
        recent.add(cls=cls, con=con)
        if step % 64 == 0:
            print(f"{step:4d} cls {recent.mean('cls'):.3f} con {recent.mean('con'):.3f} |g| {g_cls:.3f}")
