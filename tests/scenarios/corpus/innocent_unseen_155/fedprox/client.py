import torch
import torch.nn.functional as F


def shards(n, size=80):
    w = torch.randn(6, 3)
    for i in range(n):
        x = torch.randn(size, 6) + 0.4 * torch.randn(6)
        yield x, (x @ w).argmax(1)


class Client:
    def __init__(self, cid, x, y, mu=0.05, micro=2):
        self.cid, self.x, self.y, self.mu, self.micro = cid, x, y, mu, micro
        self.control = None

    def train(self, model, steps):
        anchor = {n: p.detach().clone() for n, p in model.named_parameters()}
        opt = torch.optim.SGD(model.parameters(), lr=0.2)
        first = {}
        for s in range(steps):
            opt.zero_grad()
            for _ in range(self.micro):
                i = torch.randint(0, len(self.x), (16,))
                loss = F.cross_entropy(model(self.x[i]), self.y[i])
                prox = sum((p - anchor[n]).pow(2).sum() for n, p in model.named_parameters())
                ((loss + self.mu * prox) / self.micro).backward()
            if s == 0:
                first = {n: p.grad.clone() for n, p in model.named_parameters()}
            opt.step()
        self.control = first
        delta = {n: p.detach() - anchor[n] for n, p in model.named_parameters()}
        return delta, loss.item()
