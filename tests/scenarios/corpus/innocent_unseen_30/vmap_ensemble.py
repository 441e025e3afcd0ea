# gradwatch-corpus: kind=none
"""Ensemble of small nets trained at once through torch.func; spread of the members as uncertainty."""
import argparse
from functools import partial

import torch
from torch import nn
from torch.func import functional_call, grad_and_value, stack_module_state, vmap


def build(width):
    return nn.Sequential(nn.Linear(1, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1))


def member_loss(skeleton, params, x, y, keep):
    pred = functional_call(skeleton, params, (x,))
    return ((pred - y) ** 2 * keep).sum() / keep.sum()


def repulsion(skeleton, params, probe):
    outs = vmap(lambda p: functional_call(skeleton, p, (probe,)), randomness="error")(params)
    centred = outs - outs.mean(0, keepdim=True)
    return -torch.log(centred.pow(2).mean() + 1e-4)


class Ensemble:
    def __init__(self, size, width, lr):
        members = [build(width) for _ in range(size)]
        self.skeleton = build(width).to("meta")
        params, _ = stack_module_state(members)
        self.params = {k: v.detach().clone().requires_grad_(True) for k, v in params.items()}
        self.opt = torch.optim.Adam(list(self.params.values()), lr=lr)
        self.size = size
        self.per_member = vmap(grad_and_value(partial(member_loss, self.skeleton)), in_dims=(0, None, None, 0))

    def frozen(self):
        return {k: v.detach() for k, v in self.params.items()}

    def func_step(self, x, y):
        keep = (torch.rand(self.size, len(x), 1) < 0.7).float()
        grads, losses = self.per_member(self.frozen(), x, y, keep)
        for k, p in self.params.items():
            p.grad = grads[k]
        self.opt.step()
        self.opt.zero_grad()
        return losses.mean().item()

    def spread_step(self, probe):
        loss = 1e-3 * repulsion(self.skeleton, self.params, probe)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.opt.zero_grad()

    @torch.no_grad()
    def predict(self, x):
        out = vmap(lambda p: functional_call(self.skeleton, p, (x,)))(self.params)
        return out.mean(0), out.std(0)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--members", type=int, default=8)
    ap.add_argument("--width", type=int, default=20)
    ap.add_argument("--rounds", type=int, default=120)
    args = ap.parse_args()
    torch.manual_seed(1)
    ens = Ensemble(args.members, args.width, lr=5e-3)
    probe = torch.linspace(-4, 4, 20)[:, None]
    for rnd in range(args.rounds):
        for _ in range(2):
            x = torch.rand(48, 1) * 4 - 2
            loss = ens.func_step(x, torch.sin(2 * x) + 0.1 * torch.randn_like(x))
        ens.spread_step(probe)
        if rnd % 30 == 29:
            _, inside = ens.predict(torch.zeros(1, 1))
            _, outside = ens.predict(torch.full((1, 1), 3.5))
            print(f"round {rnd + 1}: mse {loss:.4f} std inside {inside.item():.3f} outside {outside.item():.3f}")


if __name__ == "__main__":
    main()
