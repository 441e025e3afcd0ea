import itertools
from collections import defaultdict

import torch


def console(every):
    def show(step, parts, total):
        if step % every == 0:
            text = " ".join(f"{k} {v:.3f}" for k, v in parts.items())
            print(f"step {step:3d} total {total:.3f} | {text}")
    return show


class MultiTaskLoop:
    def __init__(self, net, balancer, plan):
        self.net, self.balancer, self.plan = net, balancer, plan
        params = itertools.chain(net.parameters(), balancer.parameters())
        self.opt = torch.optim.AdamW(params, lr=plan.lr, weight_decay=1e-3)
        self._handlers = defaultdict(list)

    def on(self, what, handler):
        self._handlers[what].append(handler)

    def _fire(self, what, *args):
        for handler in self._handlers[what]:
            handler(*args)

    def run(self, arrivals):
        step = 0
        for _ in range(self.plan.epochs):
            for x, y in arrivals:
                losses = self.net.losses(x, y)
                total = self.balancer(losses)
                self.opt.zero_grad()
                total.backward()
                self.opt.step()
                self._fire("step", step, {k: v.item() for k, v in losses.items()}, total.item())
                step += 1
