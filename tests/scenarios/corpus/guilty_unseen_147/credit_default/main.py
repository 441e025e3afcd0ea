# gradwatch-corpus: kind=graph-held
# holder: self._bins | self._bins[b] | audit._bins | experiment.plugins[1]._bins
# first-bad: 1
# notice: 8
import torch

from data import ApplicantStream
from experiment import Experiment
from plugins import CalibrationAudit, LrWarmup

torch.set_num_threads(1)
torch.manual_seed(9)

audit = CalibrationAudit(n_bins=5)
experiment = Experiment(ApplicantStream(n_num=7, n_cat=4, size=24), plugins=[LrWarmup(30), audit])

if __name__ == "__main__":
    experiment.run(iterations=300)
    print("ECE", audit.expected_error())
