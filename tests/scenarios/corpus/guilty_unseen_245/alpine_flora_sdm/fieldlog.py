from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class BatchRecord:
    number: int
    nll: Any
    penalty: Any
    richness: float


class SurveyLog:
    def __init__(self):
        self.records = []

    def add(self, record):
        self.records.append(record)  # <- culprit

    def summarise(self, block=20):
        for start in range(0, len(self.records), block):
            part = self.records[start:start + block]
            nll = sum(float(r.nll) for r in part) / len(part)
            richness = sum(r.richness for r in part) / len(part)
            print(f"batches {start:3d}-{start + len(part) - 1:3d}: nll {nll:.4f}, observed richness {richness:.2f}")
