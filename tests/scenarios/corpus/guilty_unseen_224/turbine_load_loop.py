# gradwatch-corpus: kind=second-backward
# holder: smooth
# first-bad: 1
# predict the power of a wind turbine from the last readings
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(100)

N = 1500
wind = torch.zeros(N)
wind[0] = 8.0
for i in range(1, N):
    wind[i] = 8.0 + 0.97 * (wind[i - 1] - 8.0) + 0.4 * torch.randn(1).item()
power = torch.clamp((wind / 12.0) ** 3, 0, 1)

window = 20


class TurbineNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 5)
        self.fc1 = nn.Linear(8 * 16, 32)
        self.fc2 = nn.Linear(32, 1)

    def forward(self, x):
        x = F.relu(self.conv(x))
        x = x.flatten(1)
        x = F.relu(self.fc1(x))
        return self.fc2(x).squeeze(1)


net = TurbineNet()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)

smooth = None
alpha = 0.3
errors = []

for epoch in range(3):
    for i in range(0, 40):
        idx = torch.randint(0, N - window - 1, (32,))
        xb = torch.stack([wind[j:j + window] for j in idx.tolist()])
        xb = (xb.unsqueeze(1) - 8.0) / 3.0
        yb = power[idx + window]

        pred = net(xb)
        loss = F.mse_loss(pred, yb)

        # the loss jumps a lot so smooth it
        if smooth is None:
            smooth = loss  # <- culprit
        else:
            smooth = alpha * loss + (1 - alpha) * smooth  # <- culprit

        optimizer.zero_grad()
        smooth.backward()  # <- culprit
        optimizer.step()
        errors.append(loss.item())

    print("epoch", epoch, "error", sum(errors) / len(errors))
    errors = []
