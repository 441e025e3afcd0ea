import torch


class PumpTasks:
    def draw(self, shots=6):
        a, b = 1 + torch.rand(()), 0.5 * torch.rand(())
        flow = torch.rand(2 * shots, 1)
        head = a - b * flow - 0.4 * flow ** 2
        return (flow[:shots], head[:shots]), (flow[shots:], head[shots:])
