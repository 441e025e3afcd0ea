import torch


class MovingAnchors:
    def __init__(self, labels, width, pull):
        start = torch.nn.functional.normalize(torch.randn(labels, width), dim=1)
        self.centres = {label: start[label] for label in range(labels)}
        self.pull = pull

    def scores(self, z, sharpness=6.0):
        table = torch.stack([self.centres[label] for label in sorted(self.centres)])
        return -sharpness * torch.cdist(z, table)

    def move(self, z, y):
        for label in y.unique().tolist():
            target = z[y == label].mean(0)  # <- culprit
            self.centres[label] = torch.lerp(self.centres[label], target, self.pull)  # <- culprit
