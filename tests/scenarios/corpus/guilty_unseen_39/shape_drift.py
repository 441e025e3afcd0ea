# gradwatch-corpus: kind=graph-held
# holder: self.net.head._forward_hooks | model.head._forward_hooks | out
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(42)

EPOCHS = 3
N_TRAIN = 960
BATCH = 32


def shapes(n, size=20):
    """filled squares (0), frames (1) and discs (2) at random places"""
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    imgs = torch.zeros(n, 1, size, size)
    labels = torch.randint(0, 3, (n,))
    for i in range(n):
        cx, cy = torch.randint(6, size - 6, (2,)).tolist()
        r = int(torch.randint(3, 6, (1,)))
        cheb = torch.maximum((xx - cx).abs(), (yy - cy).abs())
        if labels[i] == 0:
            m = cheb <= r
        elif labels[i] == 1:
            m = cheb == r
        else:
            m = (xx - cx) ** 2 + (yy - cy) ** 2 <= r * r
        imgs[i, 0] = m.float()
    return imgs + 0.3 * torch.randn_like(imgs), labels


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.head = nn.Linear(16 * 5 * 5, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.head(x.flatten(1))


class DriftProbe:
    """How far do the logits move from one batch to the next?"""

    def __init__(self, net):
        self.net = net
        self.drift = {}

    def arm(self, step, out):
        def compare(module, inputs, new):
            if new.requires_grad:
                self.drift[step] = (new.data.std() - out.data.std()).item()

        self.net.head.register_forward_hook(compare)  # <- culprit

    def summary(self, last=10):
        vals = list(self.drift.values())[-last:]
        return sum(abs(v) for v in vals) / max(1, len(vals))


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        correct = (model(x).argmax(1) == y).sum().item()
    model.train()
    return 100.0 * correct / len(y)


def train(model, x, y, x_val, y_val):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    probe = DriftProbe(model)
    step = 0
    for epoch in range(EPOCHS):
        perm = torch.randperm(len(x))
        running_loss = 0.0
        for i in range(0, len(x), BATCH):
            idx = perm[i:i + BATCH]
            optimizer.zero_grad()
            outputs = model(x[idx])
            loss = F.cross_entropy(outputs, y[idx])
            loss.backward()
            probe.arm(step, outputs)  # <- culprit
            optimizer.step()
            running_loss += loss.item()
            step += 1
        print("epoch %d  loss %.3f  val acc %.1f%%  logit drift %.3f" % (
            epoch + 1, running_loss / (len(x) // BATCH), evaluate(model, x_val, y_val), probe.summary()))


model = ConvNet()
train(model, *shapes(N_TRAIN), *shapes(200))
