# gradwatch-corpus: kind=graph-held
# holder: self.margins | examiner.margins
# first-bad: 1
# notice: 8
# also: graph-unused
"""Hand-landmark sign classifier, checked on several held-out signers at once with a thread pool."""
import argparse
import queue
import threading
from concurrent.futures import ThreadPoolExecutor

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
JOINTS, FRAMES, SIGNS = 21, 8, 10


class Studio:
    """Synthetic signers: one trajectory prototype per sign, bent by each signer's style."""

    def __init__(self, seed=3):
        self.g = torch.Generator().manual_seed(seed)
        self.proto = torch.randn(SIGNS, FRAMES, JOINTS, 2, generator=self.g)

    def clips(self, n, style):
        y = torch.randint(0, SIGNS, (n,), generator=self.g)
        x = self.proto[y] @ style + 0.6 * torch.randn(n, FRAMES, JOINTS, 2, generator=self.g)
        return x, y

    def style(self, scale=0.25):
        return torch.eye(2) + scale * torch.randn(2, 2, generator=self.g)


def prefetch(make, count, depth=4):
    """Run `make` in a thread, a few batches ahead."""
    q = queue.Queue(maxsize=depth)

    def work():
        for _ in range(count):
            q.put(make())
        q.put(None)

    threading.Thread(target=work, daemon=True).start()
    while (item := q.get()) is not None:
        yield item


class SignNet(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.frame = nn.Linear(JOINTS * 2, dim)
        self.mix = nn.Conv1d(dim, dim, 3, padding=1)
        self.out = nn.Linear(dim, SIGNS)

    def forward(self, x):
        x = x - x[:, :, :1]
        h = F.gelu(self.frame(x.flatten(2))).transpose(1, 2)
        h = h + F.gelu(self.mix(h))
        return self.out(h.mean(2))


class Examiner:
    """Scores every held-out signer in parallel and keeps the margins for the learning curves."""

    def __init__(self, net, shards):
        self.net = net
        self.shards = shards
        self.pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="exam")
        self.margins = [[] for _ in shards]

    def _margin(self, shard):
        x, y = shard
        top = self.net(x).log_softmax(1)
        right = top.gather(1, y[:, None]).squeeze(1)
        wrong = top.scatter(1, y[:, None], float("-inf")).amax(1)
        return (right - wrong).mean()  # <- culprit

    @torch.no_grad()
    def __call__(self):
        self.net.eval()
        for curve, margin in zip(self.margins, self.pool.map(self._margin, self.shards)):  # <- culprit
            curve.append(margin)  # <- culprit
        self.net.train()

    def summary(self):
        return [f"{c[0]:+.2f} -> {c[-1]:+.2f}" for c in self.margins]

    def close(self):
        self.pool.shutdown()


def train(args):
    torch.manual_seed(args.seed)
    studio = Studio()
    home = studio.style(0.05)
    net = SignNet()
    examiner = Examiner(net, [studio.clips(24, studio.style()) for _ in range(3)])
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.steps)
    for step, (x, y) in enumerate(prefetch(lambda: studio.clips(args.batch, home), args.steps)):
        loss = F.cross_entropy(net(x), y, label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        examiner()
        if step % 25 == 0:
            print(f"step {step:3d} loss {loss.item():.3f}")
    for i, line in enumerate(examiner.summary()):
        print(f"signer {i}: margin {line}")
    examiner.close()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=120)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--seed", type=int, default=11)
    train(p.parse_args())
