# gradwatch-corpus: kind=none
"""Train step sizes over a series of calibration jobs.

Every job fits a fresh curve; within a job the fitted weights are a differentiable
function of the step sizes, over all the steps of the job so far.
"""
import torch
from torch import nn

from board import Leaderboard
from job import CalibrationJob

torch.set_num_threads(1)
torch.manual_seed(55)

JOBS = 16


class StepSizes(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_slope = nn.Parameter(torch.tensor(-3.5))
        self.log_offset = nn.Parameter(torch.tensor(-3.5))

    def forward(self):
        return self.log_slope.exp(), self.log_offset.exp()


def main():
    sizes = StepSizes()
    opt = torch.optim.Adam(sizes.parameters(), lr=0.02)
    board = Leaderboard(keep=3)
    for number in range(JOBS):
        job = CalibrationJob(number, length=15 + int(torch.randint(0, 25, (1,))))
        while not job.finished:
            job.advance(sizes())
            loss = job.holdout_loss()
            opt.zero_grad()
            loss.backward(retain_graph=True)
            opt.step()
        board.submit(job)
        s, o = sizes()
        print(f"job {number:2d} steps {job.length:2d} final {job.trace[-1].item():.3f} "
              f"sizes {s.item():.3f} {o.item():.3f}")
    print(board.table())


if __name__ == "__main__":
    main()
