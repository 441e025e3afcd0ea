# gradwatch-corpus: kind=memory-climb
# holder: self.predictions | recorder.predictions
# about: numpy copies of dense outputs pile up, 2 MB each; no graph is involved
import torch
from torch import nn


class Recorder:
    def __init__(self):
        self.predictions = []

    def record(self, output):
        self.predictions.append(output.detach().numpy().copy())  # <- culprit


def segmentation_net():
    return nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 8, 1))


def main():
    torch.manual_seed(0)
    model, recorder = segmentation_net(), Recorder()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(60):
        x = torch.randn(4, 3, 128, 128)
        y = torch.randint(0, 8, (4, 128, 128))
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recorder.record(out)
        if step % 20 == 0:
            print(step, loss.item())
    print("megabytes kept:", sum(p.nbytes for p in recorder.predictions) >> 20)


if __name__ == "__main__":
    main()
