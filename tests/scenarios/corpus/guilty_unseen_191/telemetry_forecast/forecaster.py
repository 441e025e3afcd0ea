from dataclasses import dataclass, replace

import torch


@dataclass(frozen=True)
class Carry:
    hidden: torch.Tensor
    level: torch.Tensor
    steps: int = 0

    @classmethod
    def zeros(cls, batch, width):
        return cls(torch.zeros(batch, width), torch.zeros(batch, 1))

    def stop_gradient(self):
        return replace(self, hidden=self.hidden.detach())  # <- culprit


def init_params(seed, width):
    gen = torch.Generator().manual_seed(seed)

    def mat(rows, cols):
        return (torch.randn(rows, cols, generator=gen) / rows ** 0.5).requires_grad_()

    return {
        "w_in": mat(8, width),
        "w_rec": mat(width, width),
        "w_out": mat(width, 1),
        "alpha": torch.tensor(-2.0, requires_grad=True),
        "bias": torch.zeros(width, requires_grad=True),
    }


def loss_fn(params, carry, past, nxt):
    gate = torch.sigmoid(params["alpha"])
    level = carry.level + gate * (past.mean(1, keepdim=True) - carry.level)  # <- culprit
    centred = past - level
    hidden = torch.tanh(centred @ params["w_in"] + carry.hidden @ params["w_rec"] + params["bias"])
    pred = level + hidden @ params["w_out"]
    loss = (pred - nxt).pow(2).mean()
    return loss, replace(carry, hidden=hidden, level=level, steps=carry.steps + 1)


def sgd(params, grads, lr):
    norm = torch.sqrt(sum(g.pow(2).sum() for g in grads))
    scale = lr * (1.0 / norm).clamp(max=1.0)
    return {
        name: (p.detach() - scale * g).requires_grad_()
        for (name, p), g in zip(params.items(), grads)
    }
