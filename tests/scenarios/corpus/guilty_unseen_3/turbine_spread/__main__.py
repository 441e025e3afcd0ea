# gradwatch-corpus: kind=graph-held
# holder: self.mean | spread.mean | job.spreads["residual"].mean | self.spreads["residual"].mean | self.m2 | job.spreads["residual"].m2
# first-bad: 1
"""Wind turbine power curve: quantile network with running residual statistics for the maintenance report."""
import torch

from .job import PowerCurveJob

torch.manual_seed(77)
job = PowerCurveJob(hours=300)
job.go()
print(job.report())
