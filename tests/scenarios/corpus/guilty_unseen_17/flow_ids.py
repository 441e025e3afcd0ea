# gradwatch-corpus: kind=graph-held
# holder: self.alarms | detector.alarms | alarm | alarm.__traceback__ | self.alarms[-1] | detector.alarms[-1]
# first-bad: 4
# notice: 32
"""Intrusion classifier on flow records; a feeder thread delivers the captures, a guard raises when a
capture looks like a scan burst and the batch is then down-weighted."""
import queue
import threading
from dataclasses import dataclass
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import nn

FEATURES = 20
CLASSES = ("benign", "scan", "bruteforce", "exfil")


class DriftAlarm(Exception):
    def __init__(self, capture_id, score):
        super().__init__(f"capture {capture_id}: energy {score:.2f}")
        self.capture_id = capture_id
        self.score = score


@dataclass
class Capture:
    number: int
    flows: torch.Tensor
    kind: torch.Tensor


class Guard(Protocol):
    def check(self, capture: Capture, logits: torch.Tensor) -> None: ...


class EnergyGuard:
    """Free energy of the logits together with the packet-rate column."""

    def __init__(self, limit):
        self.limit = limit

    def check(self, capture, logits):
        rate = capture.flows[:, 0].mean().item()
        energy = -torch.logsumexp(logits, 1).mean()
        if rate > self.limit:
            raise DriftAlarm(capture.number, energy.item())


class CaptureFeed(threading.Thread):
    def __init__(self, count, batch, seed):
        super().__init__(daemon=True)
        self.count, self.batch = count, batch
        self.rng = torch.Generator().manual_seed(seed)
        self.means = torch.randn(len(CLASSES), FEATURES, generator=self.rng)
        self.means[:, 0] = 0.0
        self.outbox = queue.Queue(maxsize=4)

    def run(self):
        for number in range(self.count):
            kind = torch.randint(0, len(CLASSES), (self.batch,), generator=self.rng)
            flows = self.means[kind] + torch.randn(self.batch, FEATURES, generator=self.rng)
            if number % 4 == 3:
                flows[:, 0] += 4.0
            self.outbox.put(Capture(number, flows, kind))
        self.outbox.put(None)

    def __iter__(self):
        return iter(self.outbox.get, None)


class FlowNet(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.norm = nn.LayerNorm(FEATURES)
        self.layers = nn.Sequential(
            nn.Linear(FEATURES, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(),
            nn.Linear(hidden, len(CLASSES)),
        )

    def forward(self, flows):
        return self.layers(self.norm(flows))


class Detector:
    def __init__(self, guard: Guard):
        self.net = FlowNet()
        self.guard = guard
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.alarms = []
        self.hits = 0
        self.flows = 0

    def learn(self, capture):
        logits = self.net(capture.flows)
        weight = 1.0
        try:
            self.guard.check(capture, logits)
        except DriftAlarm as alarm:
            self.alarms.append(alarm)  # <- culprit
            weight = 0.25
        loss = weight * F.cross_entropy(logits, capture.kind)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.hits += (logits.argmax(1) == capture.kind).sum().item()
        self.flows += len(capture.kind)
        return loss.item()

    def incident_report(self, last=3):
        for alarm in self.alarms[-last:]:
            print("   ", alarm)


def main():
    torch.manual_seed(443)
    feed = CaptureFeed(count=280, batch=48, seed=22)
    detector = Detector(EnergyGuard(limit=2.0))
    feed.start()
    for capture in feed:
        value = detector.learn(capture)
        if capture.number % 70 == 0:
            print(f"capture {capture.number:4d}  loss {value:.3f}  accuracy {detector.hits / detector.flows:.3f}")
    feed.join()
    print(len(detector.alarms), "alarms, the last ones:")
    detector.incident_report()


if __name__ == "__main__":
    main()
