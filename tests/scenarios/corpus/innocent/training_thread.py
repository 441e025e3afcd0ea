# gradwatch-corpus: kind=none
# about: the main thread makes one trial backward, then training runs in a thread of its own and
# about: reports by a queue, while the main thread evaluates copies of the weights as they come
import queue
import threading

import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


def build():
    return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))


class TrainingThread(threading.Thread):
    def __init__(self, model, steps, out):
        super().__init__(name="training")
        self.model, self.steps, self.out = model, steps, out

    def run(self):
        stream = batches(*classes(), size=32, seed=1)
        optimizer = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        for step in range(self.steps):
            x, y = next(stream)
            loss = nn.functional.cross_entropy(self.model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if step % 50 == 0:
                weights = {k: v.clone() for k, v in self.model.state_dict().items()}
                self.out.put((step, loss.item(), weights))
        self.anomaly = torch.is_anomaly_enabled()
        self.out.put(None)


def main():
    torch.manual_seed(0)
    model, probe = build(), build()
    x, y = classes(256, seed=9)
    nn.functional.cross_entropy(model(x[:8]), y[:8]).backward()
    print("trial:", sum(p.grad.norm().item() > 0 for p in model.parameters()), "gradients")
    model.zero_grad()
    reports = queue.Queue()
    thread = TrainingThread(model, 2 * ITERATIONS, reports)
    thread.start()
    while (report := reports.get()) is not None:
        step, loss, weights = report
        probe.load_state_dict(weights)
        with torch.no_grad():
            right = (probe(x).argmax(1) == y).float().mean().item()
        print(f"{step}: loss {loss:.6f}, held-out {right:.4f}")
    thread.join()
    print("anomaly detection", thread.anomaly)


if __name__ == "__main__":
    main()
