# gradwatch-corpus: kind=second-backward
# holder: z | loss
# first-bad: 15
# notice: 0
"""Multi-assay model on one-hot DNA: accessibility, splice sites, conservation."""
import torch

from assays import default_assays
from engine import Engine, Schedule
from seqmodel import MultiAssayModel
from sequences import make_batch


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(99)
    assays = default_assays()
    model = MultiAssayModel(channels=16, heads={a.name: a.out_dim for a in assays})
    engine = Engine(model, assays, Schedule(total=60, log_every=5))
    for _ in range(engine.schedule.total):
        engine.step(make_batch(gen, n=12, length=64))
    print("finished", engine.summary())


if __name__ == "__main__":
    main()
