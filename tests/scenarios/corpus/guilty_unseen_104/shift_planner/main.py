# gradwatch-corpus: kind=graph-held
# holder: self.refusals | desk.refusals
# first-bad: 1
# notice: 8
"""Learn to spread jobs over machines: makespan plus affinity."""
import torch

from desk import Desk
from plan import Planner

torch.set_num_threads(1)
torch.manual_seed(8)

JOBS, MACHINES, FEATURES = 20, 4, 6


def days(n):
    skill = torch.randn(FEATURES, MACHINES)
    for _ in range(n):
        jobs = torch.randn(JOBS, FEATURES)
        hours = 0.3 + 2.0 * torch.rand(JOBS)
        yield jobs, hours, jobs @ skill


def main():
    planner = Planner(FEATURES, MACHINES)
    desk = Desk(planner, shift=7.0)
    opt = torch.optim.Adagrad(planner.parameters(), lr=0.05)
    smooth = None
    for day, (jobs, hours, affinity) in enumerate(days(360)):
        plan, load = desk.propose(jobs, hours)
        makespan = torch.logsumexp(load * 4, 0) / 4
        comfort = (plan * affinity).sum(-1).mean()
        loss = makespan - comfort
        opt.zero_grad()
        loss.backward()
        opt.step()
        value = loss.item()
        smooth = value if smooth is None else 0.95 * smooth + 0.05 * value
        if day % 60 == 0:
            print(f"day {day:3d}  smoothed {smooth:7.3f}  {desk.report()}")


if __name__ == "__main__":
    main()
