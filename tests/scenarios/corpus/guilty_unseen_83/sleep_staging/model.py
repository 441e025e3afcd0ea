import torch.nn as nn


class TinySleepNet(nn.Module):
    def __init__(self, n_stages, hid=24):
        super().__init__()
        self.cnn = nn.Sequential(
            nn.Conv1d(1, 8, 11, stride=4), nn.ReLU(),
            nn.Conv1d(8, 16, 5, stride=2), nn.ReLU(),
            nn.AdaptiveMaxPool1d(1), nn.Flatten(),
        )
        self.lstm = nn.LSTM(16, hid, batch_first=True)
        self.out = nn.Linear(hid, n_stages)

    def forward(self, x):
        b, t = x.shape[:2]
        z = self.cnn(x.flatten(0, 1)).view(b, t, -1)
        h, _ = self.lstm(z)
        return self.out(h)
