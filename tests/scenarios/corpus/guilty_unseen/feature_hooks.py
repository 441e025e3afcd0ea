# gradwatch-corpus: kind=graph-held
# holder: activations | activations["block2"] | activations["block1"] | activations[name] | store
import torch
import torch.nn as nn
from collections import defaultdict

torch.manual_seed(0)

activations = defaultdict(list)


def get_activation(name, store=activations):
    def hook(model, input, output):
        store[name].append(output)  # <- culprit
    return hook


class SmallNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.block1 = nn.Sequential(nn.Linear(50, 100), nn.ReLU())
        self.block2 = nn.Sequential(nn.Linear(100, 100), nn.ReLU())
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(100, 5)

    def forward(self, x):
        return self.fc(self.drop(self.block2(self.block1(x))))


net = SmallNet()
net.block1.register_forward_hook(get_activation("block1"))  # <- culprit
net.block2.register_forward_hook(get_activation("block2"))  # <- culprit

opt = torch.optim.Adam(net.parameters(), 1e-3)
ce = nn.CrossEntropyLoss(label_smoothing=0.1)
for step in range(200):
    x = torch.randn(256, 50)
    y = x[:, :5].argmax(1)
    opt.zero_grad()
    out = net(x)
    l = ce(out, y)
    l.backward()
    opt.step()
    if step % 50 == 0:
        last = activations["block2"][-1]
        print(step, l.item(), "dead units:", (last <= 0).all(0).sum().item())
