# gradwatch-corpus: kind=graph-held
# holder: net.trunk._forward_hooks | module._forward_hooks | anchor | self.net.trunk._forward_hooks | drifts
# first-bad: 61
# notice: 8
import functools

import torch
from torch import nn

torch.set_num_threads(1)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(4, 16)
        self.trunk = nn.Sequential(nn.Linear(16, 16), nn.SiLU(), nn.Linear(16, 12))
        self.vote = nn.Linear(12, 2)

    def forward(self, constituents, mask):
        z = self.trunk(self.embed(constituents))
        pooled = (z * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return self.vote(pooled), pooled


def measure(module, args, output, *, anchor, into):
    into[0] = (output.detach().mean((0, 1)) - anchor.mean(0)).norm().item()


def every(k, start=0):
    def deco(fn):
        @functools.wraps(fn)
        def inner(step, *a):
            if step >= start and (step - start) % k == 0:
                return fn(step, *a)
        return inner
    return deco


DRIFT = [0.0]


@every(8, start=60)
def reanchor(step, net, pooled):
    probe = functools.partial(measure, anchor=pooled, into=DRIFT)
    net.trunk.register_forward_hook(probe)  # <- culprit


def collide(n, gen):
    signal = torch.randint(0, 2, (n,), generator=gen)
    p4 = torch.randn(n, 7, 4, generator=gen) + signal[:, None, None] * torch.tensor([0.6, -0.3, 0.0, 0.4])
    mask = (torch.rand(n, 7, generator=gen) > 0.3).float()
    mask[:, 0] = 1
    return p4, mask, signal


def main():
    torch.manual_seed(91)
    gen = torch.Generator().manual_seed(1)
    net = Tagger()
    opt = torch.optim.NAdam(net.parameters(), lr=3e-3)
    loss_fn = nn.CrossEntropyLoss()
    for step in range(560):
        p4, mask, truth = collide(14, gen)
        logits, pooled = net(p4, mask)
        loss = loss_fn(logits, truth)
        opt.zero_grad()
        loss.backward()
        opt.step()
        reanchor(step, net, pooled)
    print(loss.item(), DRIFT)


if __name__ == "__main__":
    main()
