# gradwatch-corpus: kind=graph-chain
# holder: self.level[name] | self.level | balancer.level[name] | balancer.level | self.balancer.level
# first-bad: 1
# notice: 5
"""Multi-task network for building sensors: temperature, CO2 and occupancy from a shared trunk."""
import torch
from ignite.engine import Engine, Events
from ignite.metrics import RunningAverage

from balance import LossBalancer
from lion import Lion
from nets import SensorNet, make_loader, task_losses

torch.set_num_threads(1)

CFG = dict(epochs=6, batch=32, n=832, lr=1e-3, wd=1e-2, rho=0.95, seed=17)


class Learner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = SensorNet(n_in=10)
        self.opt = Lion(self.net.parameters(), lr=cfg["lr"], weight_decay=cfg["wd"])
        self.balancer = LossBalancer(rho=cfg["rho"])

    def update(self, engine, batch):
        self.net.train()
        losses = task_losses(self.net, batch)
        total = self.balancer(losses)
        self.opt.zero_grad()
        total.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        return {k: v.item() for k, v in losses.items()}


def build(cfg):
    learner = Learner(cfg)
    trainer = Engine(learner.update)
    for task in SensorNet.tasks:
        RunningAverage(output_transform=lambda o, t=task: o[t], alpha=0.9).attach(trainer, task)

    @trainer.on(Events.EPOCH_COMPLETED)
    def show(engine):
        line = "  ".join(f"{k}={engine.state.metrics[k]:.4f}" for k in SensorNet.tasks)
        print(f"[{engine.state.epoch}/{engine.state.max_epochs}] {line}")

    @trainer.on(Events.EPOCH_COMPLETED(once=5))
    def decay(engine):
        for g in learner.opt.param_groups:
            g["lr"] *= 0.3

    return trainer


if __name__ == "__main__":
    torch.manual_seed(CFG["seed"])
    trainer = build(CFG)
    trainer.run(make_loader(CFG["n"], CFG["batch"]), max_epochs=CFG["epochs"])
