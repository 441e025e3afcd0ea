# gradwatch-corpus: kind=crashed
# holder: dist
# first-bad: 0
# notice: 0
import numpy as np
import torch
torch.set_num_threads(1)
from torch import nn

torch.manual_seed(0)
np.random.seed(0)


def pairwise_euclid(a, b):
    """row wise distance of two (n, d) arrays"""
    return np.sqrt(((a - b) ** 2).sum(axis=1) + 1e-8)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=2.0):
        super(ContrastiveLoss, self).__init__()
        self.margin = margin

    def forward(self, output1, output2, label):
        dist = torch.from_numpy(pairwise_euclid(output1.detach().numpy(), output2.detach().numpy()))  # <- culprit
        pos = (1 - label) * dist.pow(2)
        neg = label * torch.clamp(self.margin - dist, min=0.0).pow(2)
        return torch.mean(pos + neg)


class SiameseNetwork(nn.Module):
    def __init__(self):
        super(SiameseNetwork, self).__init__()
        self.cnn1 = nn.Sequential(
            nn.ReflectionPad2d(1), nn.Conv2d(1, 4, 3), nn.ReLU(), nn.BatchNorm2d(4),
            nn.ReflectionPad2d(1), nn.Conv2d(4, 4, 3), nn.ReLU(), nn.BatchNorm2d(4))
        self.fc1 = nn.Sequential(nn.Linear(4 * 12 * 12, 32), nn.ReLU(), nn.Linear(32, 5))

    def forward_once(self, x):
        return self.fc1(self.cnn1(x).flatten(1))

    def forward(self, input1, input2):
        return self.forward_once(input1), self.forward_once(input2)


writers = torch.randn(10, 1, 12, 12)


def sample_pairs(n):
    who = torch.randint(0, 10, (n,))
    forged = torch.randint(0, 2, (n,))
    other = (who + forged * torch.randint(1, 10, (n,))) % 10
    noise = lambda: 0.3 * torch.randn(n, 1, 12, 12)
    return writers[who] + noise(), writers[other] + noise(), forged.float()


net = SiameseNetwork()
criterion = ContrastiveLoss()
optimizer = torch.optim.RMSprop(net.parameters(), lr=5e-4)
counter, loss_history = [], []
for iteration_number in range(300):
    img0, img1, label = sample_pairs(16)
    optimizer.zero_grad()
    output1, output2 = net(img0, img1)
    loss_contrastive = criterion(output1, output2, label)
    loss_contrastive.backward()
    optimizer.step()
    if iteration_number % 10 == 0:
        counter.append(iteration_number)
        loss_history.append(loss_contrastive.item())
print(loss_history[-1])
