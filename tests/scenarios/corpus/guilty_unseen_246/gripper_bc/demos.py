import torch


class DemoSet:
    """Recorded teleoperation: joint angles and the operator's command."""

    def __init__(self, count, joints):
        gen = torch.Generator().manual_seed(8)
        self.angles = torch.randn(count, joints, generator=gen)
        mix = 0.5 * torch.randn(joints, joints, generator=gen)
        self.commands = torch.tanh(self.angles @ mix)
        self.grip = (self.angles[:, :2].sum(dim=1) > 0).float()
        self.gen = gen

    def batches(self, size):
        order = torch.randperm(len(self.angles), generator=self.gen)
        for picks in order.split(size):
            yield self.angles[picks], self.commands[picks], self.grip[picks]
