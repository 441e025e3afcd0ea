# gradwatch-corpus: kind=none
"""Moth or leaf at a light trap; a slow teacher's middle layers guide the student."""
import copy
import queue
import threading
from collections import defaultdict, deque
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F


class Taps:
    """Outputs of named layers during one pass."""

    def __init__(self, net, names):
        self.outputs = defaultdict(list)
        for name in names:
            net.get_submodule(name).register_forward_hook(self._hook(name))

    def _hook(self, name):
        def keep(module, inputs, output):
            self.outputs[name].append(output)
        return keep

    @contextmanager
    def session(self):
        try:
            yield self.outputs
        finally:
            self.outputs.clear()


class Teacher:
    def __init__(self, student, momentum=0.97):
        self.net = copy.deepcopy(student)
        self.momentum = momentum

    @torch.no_grad()
    def follow(self, student):
        for slow, fast in zip(self.net.parameters(), student.parameters()):
            slow.mul_(self.momentum).add_(fast, alpha=1 - self.momentum)

    @torch.no_grad()
    def __call__(self, x):
        return self.net(x)


class Reporter(threading.Thread):
    def __init__(self, window=12):
        super().__init__(daemon=True)
        self.inbox = queue.Queue()
        self.recent = deque(maxlen=window)

    def send(self, step, **values):
        self.inbox.put((step, {k: v.detach() for k, v in values.items()}))

    def run(self):
        for step, values in iter(self.inbox.get, None):
            self.recent.append(values)
            if step % 18 == 0:
                line = " ".join(f"{k} {sum(r[k] for r in self.recent) / len(self.recent):.4f}" for k in values)
                print(f"step {step:2d} {line}")

    def close(self):
        self.inbox.put(None)
        self.join()


def frames(n, size=20, side=16):
    axis = torch.linspace(-1, 1, side)
    y, x = torch.meshgrid(axis, axis, indexing="ij")
    for _ in range(n):
        moth = torch.randint(0, 2, (size,))
        turn = torch.rand(size, 1, 1) * 3.14
        along = x * turn.cos() + y * turn.sin()
        shape = torch.where(moth.view(-1, 1, 1) == 1, along.abs(), along.pow(2))
        yield (torch.exp(-4 * shape) + 0.2 * torch.randn(size, side, side)).unsqueeze(1), moth


def build():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(),
        nn.Conv2d(8, 12, 3, stride=2, padding=1), nn.ReLU(),
        nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(192, 2),
    )


def main():
    torch.manual_seed(33)
    student = build()
    teacher = Teacher(student)
    layers = ("0", "2")
    mine, theirs = Taps(student, layers), Taps(teacher.net, layers)
    opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    reporter = Reporter()
    reporter.start()
    for step, (image, moth) in enumerate(frames(75)):
        with mine.session() as a, theirs.session() as b:
            task = F.cross_entropy(student(image), moth)
            teacher(image + 0.05 * torch.randn_like(image))
            guide = sum(F.mse_loss(a[k][-1], b[k][-1]) for k in layers)
            loss = task + 0.3 * guide
        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.follow(student)
        reporter.send(step, task=task, guide=guide)
    reporter.close()


if __name__ == "__main__":
    main()
