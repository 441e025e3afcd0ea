# gradwatch-corpus: kind=graph-chain
# holder: self.weights | teacher.weights | job.teacher.weights | self.weights[name] | job.teacher.weights["0.weight"]
# first-bad: 1
# notice: 5
"""Semi-supervised soil-type classifier from near-infrared scans, with a mean teacher."""
import torch

torch.set_num_threads(1)

from job import SoilJob
from options import parse

if __name__ == "__main__":
    opts = parse([])
    torch.manual_seed(opts.seed)
    job = SoilJob(opts)
    for step in range(opts.steps):
        sup, con = job.step()
        if step % 60 == 0:
            print(f"{step:4d} {sup:.3f} {con:.4f}")
