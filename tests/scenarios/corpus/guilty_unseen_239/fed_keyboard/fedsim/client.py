import torch
import torch.nn.functional as F
from torch.func import functional_call


class Client:
    def __init__(self, cid, vocab, generator):
        self.cid = cid
        self.size = int(torch.randint(16, 48, (1,), generator=generator))
        self.context = torch.randn(self.size, 12, generator=generator)
        bias = torch.randn(vocab, generator=generator)
        proj = torch.randn(12, vocab, generator=generator)
        self.target = (self.context @ proj + bias).argmax(-1)

    def fit(self, skeleton, weights, lr, local_steps):
        fast = dict(weights)
        last = 0.0
        for _ in range(local_steps):
            logits = functional_call(skeleton, fast, (self.context,))
            loss = F.cross_entropy(logits, self.target)
            grads = torch.autograd.grad(loss, list(fast.values()))
            fast = {k: w - lr * g for (k, w), g in zip(fast.items(), grads)}
            last = loss.item()
        delta = {k: fast[k].detach() - weights[k].detach() for k in weights}
        return delta, last
