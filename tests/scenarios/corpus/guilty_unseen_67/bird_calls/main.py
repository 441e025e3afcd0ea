# gradwatch-corpus: kind=second-backward
# holder: batch.embedding | self.embedding | self.__dict__["embedding"] | loss
# first-bad: 9
# notice: 0
"""Bird-call classification; now and then the recording site is learned too."""
import argparse

import torch

from batches import CallRecorder
from tasks import SiteTask, SpeciesTask, Encoder, Schedule


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--site-every", type=int, default=10)
    ap.add_argument("--dim", type=int, default=24)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(31)
    encoder = Encoder(args.dim)
    schedule = Schedule(
        (SpeciesTask(args.dim, 5), 1),
        (SiteTask(args.dim, 3), args.site_every),
    )
    params = list(encoder.parameters()) + schedule.parameters()
    optimizer = torch.optim.Adam(params, lr=2e-3)
    recorder = CallRecorder(encoder, species=5, sites=3)

    for step in range(1, args.steps + 1):
        batch = recorder.record(size=32)
        optimizer.zero_grad()
        report = schedule.run(step, batch)
        optimizer.step()
        if step % 5 == 0:
            print(step, {k: round(v, 3) for k, v in report.items()})


if __name__ == "__main__":
    main()
