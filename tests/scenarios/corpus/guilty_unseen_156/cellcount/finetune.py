import torch
from torch import nn


class CountNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.AvgPool2d(2),
            nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(), nn.AvgPool2d(2),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(8 * 16, 1))

    def forward(self, x):
        return self.head(self.backbone(x)).squeeze(1)


class FineTuner:
    def __init__(self, head_lr, full_lr):
        self.net = CountNet()
        self.full_lr = full_lr
        self.stage = "head"
        for p in self.net.backbone.parameters():
            p.requires_grad_(False)
        self.opt = torch.optim.Adam(self.net.head.parameters(), lr=head_lr)
        # the hot loop only needs these two
        self._clear, self._apply = self.opt.zero_grad, self.opt.step  # <- culprit
        self.criterion = nn.PoissonNLLLoss(log_input=True)

    def unfreeze(self):
        self.stage = "full"
        for p in self.net.backbone.parameters():
            p.requires_grad_(True)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=self.full_lr)  # <- culprit
        self._apply = self.opt.step  # <- culprit

    def step(self, tiles, counts):
        loss = self.criterion(self.net(tiles), counts)
        self._clear()  # <- culprit
        loss.backward()
        self._apply()
        return loss.item()
