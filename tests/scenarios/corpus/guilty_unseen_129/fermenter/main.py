# gradwatch-corpus: kind=graph-chain
# holder: penalty.level | self.level | run.penalty.level | controller.level
# first-bad: 61
# notice: 5
import torch

torch.set_num_threads(1)
torch.manual_seed(55)

from control import REGISTRY
from plant import SugarModel, Vat

PLAN = [
    {"until": 60, "penalty": {"name": "constant", "level": 0.3}},
    {"until": 300, "penalty": {"name": "pressure", "gain": 0.01}},
]


class Run:
    def __init__(self, plan):
        self.model, self.vat = SugarModel(), Vat()
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.02)
        self.plan = plan
        self.penalty = None

    def phase(self, spec):
        spec = dict(spec)
        self.penalty = REGISTRY[spec.pop("name")](**spec)

    def step(self):
        x, y = self.vat.assay(25)
        err = (self.model(x) - y).square().mean()
        loss = err + self.penalty.weight(err) * self.model.rough()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        return loss.item()

    def go(self):
        done = 0
        for part in self.plan:
            self.phase(part["penalty"])
            while done < part["until"]:
                last = self.step()
                done += 1
        return last


run = Run(PLAN)
print(round(run.go(), 4))
