# gradwatch-corpus: kind=graph-held
# holder: activations | activations[name] | activations["conv1"] | activations["conv2"]
# first-bad: 1
# notice: 8
# also: graph-unused
# Notebook: seven segment digits, a small CNN, and a look at what the filters do
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)
torch.set_num_threads(1)

# which segments are on: top, top-left, top-right, middle, bottom-left, bottom-right, bottom
segments = [
    [1, 1, 1, 0, 1, 1, 1],
    [0, 0, 1, 0, 0, 1, 0],
    [1, 0, 1, 1, 1, 0, 1],
    [1, 0, 1, 1, 0, 1, 1],
    [0, 1, 1, 1, 0, 1, 0],
    [1, 1, 0, 1, 0, 1, 1],
    [1, 1, 0, 1, 1, 1, 1],
    [1, 0, 1, 0, 0, 1, 0],
    [1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 0, 1, 1],
]
places = [(1, 2, 3, 8), (2, 7, 2, 3), (2, 7, 8, 9), (7, 8, 3, 8), (8, 13, 2, 3), (8, 13, 8, 9), (13, 14, 3, 8)]


def draw(digit):
    img = torch.zeros(16, 12)
    for on, (top, bottom, left, right) in zip(segments[digit], places):
        if on:
            img[top:bottom, left:right] = 1
    return img.roll(int(torch.randint(-1, 2, (1,))), 1) + 0.25 * torch.randn(16, 12)


labels = torch.randint(0, 10, (900,))
images = torch.stack([draw(int(d)) for d in labels]).unsqueeze(1)
train_x, train_y = images[:700], labels[:700]
test_x, test_y = images[700:], labels[700:]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 3)
        self.conv2 = nn.Conv2d(6, 10, 3)
        self.fc = nn.Linear(10 * 2 * 1, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = x.flatten(1)
        return self.fc(x)


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)

# keep what the conv layers put out, for the picture at the end
activations = {"conv1": [], "conv2": []}


def keep(name):
    def hook(module, inputs, output):
        if module.training:
            activations[name].append(output.mean(dim=(0, 2, 3)))  # <- culprit
    return hook


net.conv1.register_forward_hook(keep("conv1"))
net.conv2.register_forward_hook(keep("conv2"))


def accuracy():
    net.eval()
    with torch.no_grad():
        right = (net(test_x).argmax(1) == test_y).float().mean().item()
    net.train()
    return right


batch_size = 50
for epoch in range(10):
    perm = torch.randperm(len(train_x))
    for b in range(0, len(train_x), batch_size):
        pick = perm[b:b + batch_size]
        optimizer.zero_grad()
        loss = F.cross_entropy(net(train_x[pick]), train_y[pick])
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss", round(loss.item(), 4), "accuracy", round(accuracy(), 3))

print("mean output of the conv1 filters, start -> end")
start = activations["conv1"][0]
end = activations["conv1"][-1]
for k in range(6):
    print("  filter", k, "%.3f -> %.3f" % (start[k].item(), end[k].item()))
print("mean output of the conv2 filters, start -> end")
start = activations["conv2"][0]
end = activations["conv2"][-1]
for k in range(10):
    print("  filter", k, "%.3f -> %.3f" % (start[k].item(), end[k].item()))
