# gradwatch-corpus: kind=none
"""Meta-learned calibration of pH probes: each probe is a task with its own gain and offset."""
import torch

from bus import Bus
from learner import ADAPTERS, MetaTrainer
from probes import ProbeTasks
from settings import MetaSettings


def main():
    torch.set_num_threads(1)
    s = MetaSettings()
    torch.manual_seed(s.seed)
    bus = Bus()
    curve = []

    @bus.on("outer")
    def note(index, value, inner):
        curve.append((index, value, inner))
        if index % 60 == 59:
            last = curve[-30:]
            print(f"{index + 1}: query {sum(c[1] for c in last) / len(last):.4f}",
                  "inner", [round(v, 3) for v in inner])

    trainer = MetaTrainer(s, ADAPTERS[s.adapter](s), bus)
    trainer.fit(ProbeTasks(s))
    print("learned rates", [round(r, 4) for r in trainer.adapter.rates()])


if __name__ == "__main__":
    main()
