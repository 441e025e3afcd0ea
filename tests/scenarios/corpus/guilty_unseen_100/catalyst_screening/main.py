# gradwatch-corpus: kind=graph-held
# holder: self._deferred | self.bus._deferred | bus._deferred | out
# first-bad: 1
# notice: 8
"""Surrogate for adsorption energies over random catalyst descriptors: an ensemble with a diversity term."""
import torch

from screening.ensemble import Ensemble
from screening.events import EventBus
from screening.pipeline import descriptor_batches
from screening.reporters import RankReporter, SpreadReporter, ThroughputReporter
from screening.study import Study, StudySpec


def main():
    torch.set_num_threads(1)
    spec = StudySpec()
    torch.manual_seed(spec.seed)
    bus = EventBus()
    for reporter in (SpreadReporter(), RankReporter(every=4), ThroughputReporter()):
        reporter.install(bus)
    study = Study(spec, Ensemble(spec.members, spec.n_desc, spec.hidden), bus)
    study.run(descriptor_batches(spec))
    for line in bus.flush()[-6:]:
        print(line)


if __name__ == "__main__":
    main()
