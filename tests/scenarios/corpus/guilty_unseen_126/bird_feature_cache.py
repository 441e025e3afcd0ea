# gradwatch-corpus: kind=second-backward
# holder: cache | self.cache | extractor.cache
# first-bad: 12
# notice: 0
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(33)


class BirdCalls(Dataset):
    def __init__(self, n=96):
        self.y = torch.arange(n) % 4
        self.x = torch.randn(n, 1, 16) + self.y.view(-1, 1, 1) * torch.linspace(-1, 1, 16)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def pretrained_backbone():
    net = nn.Sequential(nn.Conv1d(1, 6, 3), nn.ReLU(), nn.Conv1d(6, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool1d(2), nn.Flatten())
    for name, p in net.named_parameters():
        p.requires_grad = name.startswith("2.")
    return net


class CachedExtractor:
    """The backbone is slow, its output per batch is remembered (loader is not shuffled)."""

    def __init__(self, backbone):
        self.backbone = backbone
        self.cache = {}

    def __call__(self, key, x):
        if key not in self.cache:
            self.cache[key] = self.backbone(x)  # <- culprit
        return self.cache[key]


loader = DataLoader(BirdCalls(), batch_size=8)
extractor = CachedExtractor(pretrained_backbone())
classifier = nn.Linear(16, 4)
trainable = [p for p in extractor.backbone.parameters() if p.requires_grad] + list(classifier.parameters())
optimizer_ft = torch.optim.SGD(trainable, lr=0.01, momentum=0.9)
ce = nn.CrossEntropyLoss()

for epoch in range(40):
    running_corrects = 0
    for b, (inputs, labels) in enumerate(loader):
        optimizer_ft.zero_grad()
        outputs = classifier(extractor(b, inputs))
        loss = ce(outputs, labels)
        loss.backward()
        optimizer_ft.step()
        running_corrects += torch.sum(outputs.argmax(1) == labels).item()
    print(f"Epoch {epoch} Acc: {running_corrects / 96:.3f}")
