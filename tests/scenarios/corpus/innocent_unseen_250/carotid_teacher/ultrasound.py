import torch


class UltrasoundPool:
    def __init__(self, config):
        self.config = config
        rows = torch.arange(config.size, dtype=torch.float32)
        self.rows = rows.view(1, 1, -1, 1)

    def frames(self):
        wall = torch.rand(self.config.batch, 1, 1, 1) * self.config.size
        vessel = ((self.rows - wall).abs() < 3).float()
        vessel = vessel.expand(-1, -1, -1, self.config.size)
        speckle = torch.randn_like(vessel)
        return vessel + 0.5 * speckle, vessel

    def labelled(self):
        return self.frames()

    def unlabelled(self):
        frame, _ = self.frames()
        return frame
