import copy

import torch
import torch.nn.functional as F


def local_update(server, data, epochs, mu, batch=32, lr=0.05):
    model = copy.deepcopy(server)
    anchor = [p.detach().clone() for p in server.parameters()]
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    x, y = data
    total, steps = 0.0, 0
    for _ in range(epochs):
        for idx in torch.randperm(len(y)).split(batch):
            opt.zero_grad()
            ce = F.cross_entropy(model(x[idx]), y[idx])
            prox = sum(((p - a) ** 2).sum() for p, a in zip(model.parameters(), anchor))
            (ce + mu / 2 * prox).backward()
            opt.step()
            total += ce.item()
            steps += 1
    return model.state_dict(), total / steps
