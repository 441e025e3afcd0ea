import torch


class PCGrad:
    def __init__(self, opt):
        self.opt = opt
        self.params = [p for g in opt.param_groups for p in g["params"]]

    def _flat(self, loss, last):
        self.opt.zero_grad()
        loss.backward(retain_graph=not last)
        return torch.cat([(p.grad if p.grad is not None else torch.zeros_like(p)).flatten() for p in self.params])

    def step(self, losses):
        gs = [self._flat(l, i == len(losses) - 1) for i, l in enumerate(losses)]
        out, n = [], 0
        for i, g in enumerate(gs):
            g = g.clone()
            for j, h in enumerate(gs):
                d = torch.dot(g, h)
                if i != j and d < 0:
                    g -= d / h.pow(2).sum() * h
                    n += 1
            out.append(g)
        total, k = torch.stack(out).sum(0), 0
        for p in self.params:
            p.grad = total[k:k + p.numel()].view_as(p).clone()
            k += p.numel()
        self.opt.step()
        return n
