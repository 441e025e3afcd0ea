# gradwatch-corpus: kind=none
# about: every epoch runs in a fresh thread (a notebook's executor, a web worker): node numbers
# about: begin anew thirty times, and thread identities are used again
import threading

import torch
import torch.nn as nn
from parts.blobs import classes
from parts.pace import ITERATIONS


class Job:
    def __init__(self):
        self.x, self.y = classes(320)
        self.model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.losses = []

    def epoch(self):
        total = 0.0
        for x, y in zip(self.x.split(32), self.y.split(32)):
            loss = nn.functional.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        self.losses.append(total / 10)


if __name__ == "__main__":
    torch.manual_seed(0)
    job = Job()
    for n in range(ITERATIONS // 10):
        thread = threading.Thread(target=job.epoch)
        thread.start()
        thread.join()
        if n % 5 == 0:
            print(f"epoch {n}: {job.losses[-1]:.6f}")
