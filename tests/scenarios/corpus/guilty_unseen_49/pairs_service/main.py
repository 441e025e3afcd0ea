# gradwatch-corpus: kind=second-backward
# holder: self._slots | bank._slots | self.bank._slots | job.bank._slots
# first-bad: 10
# also: graph-held
import sys

import torch

from catalog import Catalog
from job import MatchingJob, Settings


def parse(argv):
    settings = Settings()
    for item in argv:
        key, _, raw = item.partition("=")
        setattr(settings, key, type(getattr(settings, key))(raw))
    return settings


if __name__ == "__main__":
    settings = parse(sys.argv[1:])
    torch.manual_seed(settings.seed)
    job = MatchingJob(settings)
    job.run(Catalog(settings.n_items, settings.dim))
