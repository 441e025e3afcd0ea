from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class TargetSpec:
    inp: int
    hidden: int
    out: int

    @property
    def shapes(self):
        return {"w1": (self.hidden, self.inp), "b1": (self.hidden,),
                "w2": (self.out, self.hidden), "b2": (self.out,)}


def target_forward(w, x):
    return F.linear(torch.relu(F.linear(x, w["w1"], w["b1"])), w["w2"], w["b2"])


class Node:
    """A participant; it holds private data and trains the received weights locally."""

    def __init__(self, nid, spec, n=200):
        self.nid = nid
        rule = torch.randn(spec.inp, spec.out)
        self.x = torch.randn(n, spec.inp)
        self.y = (self.x @ rule).argmax(1)

    def local_train(self, weights, steps=5, lr=0.1):
        w = {k: v.detach().clone().requires_grad_() for k, v in weights.items()}
        for _ in range(steps):
            idx = torch.randint(0, len(self.x), (32,))
            loss = F.cross_entropy(target_forward(w, self.x[idx]), self.y[idx])
            grads = torch.autograd.grad(loss, list(w.values()))
            w = {k: (v - lr * g).detach().requires_grad_() for (k, v), g in zip(w.items(), grads)}
        return {k: v.detach() for k, v in w.items()}, loss.item()
