# gradwatch-corpus: kind=graph-chain
# holder: self.proto | criterion.proto | compactness.proto | criteria.compact.proto
# first-bad: 1
from .train import run

run(steps=410)
