# gradwatch-corpus: kind=none
"""Two-stage pipeline on one machine: micro-batches travel through stage
queues, backwards run a few slots behind the forwards."""
import torch

from schedule import Pipeline
from stages import build_stages, sampler


def main(minibatches=420, micros=6):
    torch.manual_seed(90)
    front, back = build_stages(16, 40, 4)
    params = list(front.parameters()) + list(back.parameters())
    opt = torch.optim.SGD(params, lr=0.05, momentum=0.9)
    pipe = Pipeline(front, back, lag=3)
    batches = sampler(seed=17, size=24, dim=16, classes=4)
    trace = []
    for step in range(minibatches):
        opt.zero_grad()
        for m in range(micros):
            x, y = next(batches)
            pipe.forward(x, y, scale=1 / micros)
        pipe.drain()
        opt.step()
        trace.extend(pipe.collect())
        if len(trace) >= 40 * micros:
            print(f"mini {step + 1}: loss {micros * torch.stack(trace).mean().item():.4f} "
                  f"slots {pipe.clock}")
            trace = trace[:0]


if __name__ == "__main__":
    main()
