# gradwatch-corpus: kind=graph-held
# holder: self._level | meter._level | meter.level | self.meters["occupancy"]._level | self.meters["load"]._level | self.meters[name].level | self.meters[name]._level | supervisor.meters[name]._level | plateau.meters[name]._level | supervisor.meters['load']._level
# first-bad: 1
"""Smart-meter multi-task model (load, occupancy, tariff class) with a plateau supervisor that
watches a smoothed level of every head."""
import torch

from heads import MultiHead, TASKS
from supervise import PlateauSupervisor


class MeterDays:
    def __init__(self, slots=48, batch=40, seed=8):
        self.slots, self.batch = slots, batch
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self):
        base = torch.rand(self.batch, 1, generator=self.gen)
        hours = torch.linspace(0, 6.283, self.slots)
        x = base + 0.3 * torch.sin(hours + base * 6) + 0.1 * torch.randn(
            self.batch, self.slots, generator=self.gen)
        return x, {
            "load": x.mean(1, keepdim=True) * 2,
            "occupancy": (base > 0.5).float(),
            "tariff": (base.squeeze(1) * 4).long().clamp(max=3),
        }


def train(steps=260):
    torch.manual_seed(2)
    data = MeterDays()
    model = MultiHead(data.slots)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    supervisor = PlateauSupervisor(opt, TASKS, patience=40)
    for step in range(steps):
        x, targets = data.draw()
        losses = model.losses(x, targets)
        total = sum(TASKS[name].weight * value for name, value in losses.items())
        opt.zero_grad(set_to_none=True)
        total.backward()
        opt.step()
        supervisor.after_step(step, losses)
        if step % 65 == 0:
            print(step, supervisor.describe())
    print("learning rate at the end:", opt.param_groups[0]["lr"])


if __name__ == "__main__":
    train()
