from torch import nn


class FlowRegressor(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Conv2d(2, 8, 3, stride=2), nn.ReLU(), nn.Conv2d(8, 12, 3, stride=2), nn.ReLU(),
                         nn.Flatten(), nn.Linear(12 * 3 * 3, 3))
