# gradwatch-corpus: kind=memory-climb
# holder: self._versions | server._versions | self._versions[self.clock] | server._versions[server.clock] | self._versions[version] | server._versions[version]
# first-bad: 1
"""Delay-compensated asynchronous SGD with a parameter server and worker threads in one
process, on a synthetic digits-like problem."""
import torch

from server import ParameterServer
from worker import Worker, start_workers

PUSHES = 260
WORKERS = 2


def make_task(seed=55, n=2048, dim=128, classes=10):
    gen = torch.Generator().manual_seed(seed)
    centres = torch.randn(classes, dim, generator=gen)
    y = torch.randint(classes, (n,), generator=gen)
    x = centres[y] + 2.0 * torch.randn(n, dim, generator=gen)
    return x, y


def main():
    torch.manual_seed(55)
    torch.set_num_threads(1)
    x, y = make_task()
    server = ParameterServer(dims=(128, 256, 128, 10), lr=0.05, compensation=0.04)
    shards = [slice(k, None, WORKERS) for k in range(WORKERS)]
    workers = [Worker(k, x[s], y[s], server) for k, s in enumerate(shards)]

    smooth = None
    with start_workers(workers) as inbox:
        for push in range(PUSHES):
            report = inbox.get()
            staleness = server.apply(report.grads, report.version)
            report.release()
            smooth = report.loss if smooth is None else 0.95 * smooth + 0.05 * report.loss
            if push % 52 == 0:
                print(f"push {push:4d}  loss {smooth:.4f}  staleness {staleness}")
    with torch.no_grad():
        acc = (server.model(x).argmax(-1) == y).float().mean().item()
    print(f"train accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
