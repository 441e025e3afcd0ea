# gradwatch-corpus: kind=graph-held
# holder: all_outputs
# first-bad: 1
# HW3 - mlp on two moons-like data, confusion matrix at the end
import math
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(42)

N = 800
BATCH = 40
EPOCHS = 5
NUM_CLASSES = 3

# spiral data
xs = []
ys = []
for c in range(NUM_CLASSES):
    for i in range(N // NUM_CLASSES):
        r = i / (N // NUM_CLASSES)
        t = c * 2 * math.pi / NUM_CLASSES + 3 * r + 0.15 * torch.randn(1).item()
        xs.append([r * math.cos(t), r * math.sin(t)])
        ys.append(c)
X = torch.tensor(xs)
Y = torch.tensor(ys)
perm = torch.randperm(len(X))
X, Y = X[perm], Y[perm]
print("data", X.shape, Y.shape)

net = nn.Sequential(
    nn.Linear(2, 64),
    nn.ReLU(),
    nn.Linear(64, 64),
    nn.ReLU(),
    nn.Linear(64, NUM_CLASSES),
)
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)

all_outputs = []
all_labels = []
train_losses = []

for epoch in range(EPOCHS):
    epoch_loss = 0
    n_batches = 0
    for b in range(0, len(X), BATCH):
        xb = X[b:b + BATCH]
        yb = Y[b:b + BATCH]
        out = net(xb)
        loss = loss_fn(out, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
        n_batches += 1
        all_outputs.append(out)  # <- culprit
        all_labels.append(yb)
    train_losses.append(epoch_loss / n_batches)
    print("epoch", epoch + 1, "loss", round(train_losses[-1], 4))

preds = torch.cat(all_outputs).argmax(dim=1)
labels = torch.cat(all_labels)
confusion = torch.zeros(NUM_CLASSES, NUM_CLASSES, dtype=torch.long)
for t, p in zip(labels, preds):
    confusion[t, p] += 1
print("confusion over the training:")
print(confusion)
print("running accuracy", confusion.diag().sum().item() / confusion.sum().item())
