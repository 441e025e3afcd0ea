# gradwatch-corpus: kind=graph-held
# holder: activations["layer1"] | activations["layer2"] | activations[name] | activations
# about: the forward hook of a visualisation appends outputs as they are
import torch
import torch.nn as nn

activations = {}


def get_activation(name):
    activations[name] = []

    def hook(module, inputs, output):
        activations[name].append(output)  # <- culprit

    return hook


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1 = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.layer2 = nn.Sequential(nn.Conv2d(4, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.fc = nn.Linear(8 * 3 * 3, 5)

    def forward(self, x):
        out = self.layer2(self.layer1(x))
        return self.fc(out.reshape(out.size(0), -1))


torch.manual_seed(0)
model = ConvNet()
model.layer1.register_forward_hook(get_activation("layer1"))
model.layer2.register_forward_hook(get_activation("layer2"))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)

for i in range(60):
    images = torch.randn(4, 1, 12, 12)
    labels = torch.randint(0, 5, (4,))
    loss = criterion(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if (i + 1) % 20 == 0:
        print(f"Step [{i + 1}/60], Loss: {loss.item():.4f}")

print({name: len(seen) for name, seen in activations.items()})
