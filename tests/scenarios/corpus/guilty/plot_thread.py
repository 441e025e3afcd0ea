# gradwatch-corpus: kind=graph-held
# holder: curve | points
# about: losses travel through a queue to a plotting thread, whose local list keeps them
import queue
import threading

import torch
from torch import nn


def plotter(inbox):
    curve = []
    while True:
        point = inbox.get()
        if point is None:
            break
        curve.append(point)  # <- culprit
        inbox.task_done()
    print("points plotted:", len(curve))


def train(steps, inbox):
    model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(steps):
        x = torch.randn(10, 4)
        loss = (model(x) - x.mean(1, keepdim=True)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        inbox.put((step, loss))  # <- culprit
        inbox.join()


if __name__ == "__main__":
    torch.manual_seed(0)
    inbox = queue.Queue()
    thread = threading.Thread(target=plotter, args=(inbox,))
    thread.start()
    train(60, inbox)
    inbox.put(None)
    thread.join()
