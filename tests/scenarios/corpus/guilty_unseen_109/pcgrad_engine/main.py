# gradwatch-corpus: kind=graph-chain
# holder: self.level | balancer.level | balancer.level[name] | self.level[name] | engine.state.extras["balancer"].level
# first-bad: 41
# notice: 5
"""Multi-task regression on synthetic process-plant sensors, with projected gradients (PCGrad).

Phase "warmup" uses the raw losses; from ``BALANCE_FROM`` on the losses are divided by their own
running level so that every task weighs about the same.
"""
import torch

from mtl.balance import LevelBalancer
from mtl.data import PlantStream
from mtl.engine import Engine, Events
from mtl.net import SharedTrunk
from mtl.surgery import ClassicSGD, PCGrad

BALANCE_FROM = 40
STEPS = 130


def build():
    torch.set_num_threads(1)
    torch.manual_seed(7)
    tasks = ["temperature", "pressure", "yield"]
    net = SharedTrunk(12, 24, tasks)
    surgeon = PCGrad(ClassicSGD(net.parameters(), lr=0.01, momentum=0.5))
    balancer = LevelBalancer(tasks, rho=0.1)
    stream = PlantStream(12, tasks, batch=32)

    def train_step(engine, batch):
        x, targets = batch
        preds = net(x)
        losses = {t: (preds[t] - targets[t]).pow(2).mean() for t in tasks}
        if engine.state.phase == "balance":
            losses = balancer(losses)
        conflicts = surgeon.step(list(losses.values()))
        return {"total": sum(v.item() for v in losses.values()), "conflicts": conflicts}

    engine = Engine(train_step, stream)
    engine.state.extras["balancer"] = balancer

    @engine.on(Events.ITERATION_STARTED)
    def choose_phase(engine):
        if engine.state.iteration == BALANCE_FROM:
            engine.state.phase = "balance"

    @engine.on(Events.ITERATION_COMPLETED, every=40)
    def report(engine):
        out = engine.state.output
        print(f"{engine.state.iteration:4d} {engine.state.phase:8s} total={out['total']:.4f} "
              f"conflicts={out['conflicts']}")

    return engine


if __name__ == "__main__":
    build().run(STEPS)
