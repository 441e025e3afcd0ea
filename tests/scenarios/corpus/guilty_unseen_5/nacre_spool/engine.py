from dataclasses import dataclass, field

import torch
import torch.nn.functional as F

from plugins import CATALOGUE


@dataclass
class Recipe:
    steps: int = 300
    seed: int = 5
    lr: float = 2e-3
    plugins: dict = field(default_factory=lambda: {
        "warmcos": {}, "elastic": {"stiffness": 2e-3}, "clip": {"limit": 2.0}})


class Fit:
    def __init__(self, net, recipe):
        self.net, self.recipe = net, recipe
        self.opt = torch.optim.AdamW(net.parameters(), lr=recipe.lr)
        self.plugins = [CATALOGUE[k](**kw) for k, kw in recipe.plugins.items()]
        self.ticks = 0
        for p in self.plugins:
            p.attach(self)

    def _phase(self, phase):
        for p in self.plugins:
            getattr(p, phase)(self)

    def objective(self, mel, word):
        logits = self.net(mel)
        total = F.cross_entropy(logits, word)
        for extra in filter(lambda e: e is not None, (p.penalty(self) for p in self.plugins)):
            total = total + extra
        right = (logits.argmax(1) == word).float().mean().item()
        return total, right

    def tick(self, mel, word):
        total, right = self.objective(mel, word)
        self.opt.zero_grad()
        total.backward()
        self._phase("after_backward")
        self.opt.step()
        self._phase("after_step")
        self.ticks += 1
        return total.item(), right
