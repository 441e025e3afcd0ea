# gradwatch-corpus: kind=graph-held
# holder: val_outputs
# first-bad: 1
# also: graph-unused
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(42)

classes = ["healthy", "rust", "mildew", "blight"]


def make_leaves(n):
    labels = torch.randint(0, len(classes), (n,))
    imgs = 0.4 * torch.randn(n, 3, 12, 12)
    for c in range(len(classes)):
        rows = labels == c
        imgs[rows, c % 3, 3 * c:3 * c + 3, :] += 1.0
    return imgs, labels


train_x, train_y = make_leaves(640)
val_x, val_y = make_leaves(32)

model = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1),
    nn.BatchNorm2d(8),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(8, 12, 3, padding=1),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(2),
    nn.Flatten(),
    nn.Dropout(0.2),
    nn.Linear(48, len(classes)),
)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=20, gamma=0.7)

epochs = 60
batch_size = 64
train_losses = []
val_outputs = []
val_accs = []
best_acc = 0.0
best_state = None

for epoch in range(epochs):
    perm = torch.randperm(len(train_x))
    epoch_loss = 0.0
    for i in range(0, len(train_x), batch_size):
        model.train()
        idx = perm[i:i + batch_size]
        xb, yb = train_x[idx], train_y[idx]
        optimizer.zero_grad()
        out = model(xb)
        loss = criterion(out, yb)
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * len(idx)

        # small validation batch after every update, to draw a fine curve
        model.eval()
        pick = torch.randint(0, len(val_x), (8,))
        val_out = model(val_x[pick])  # <- culprit
        val_outputs.append(F.softmax(val_out, dim=1))  # <- culprit
        correct = (val_out.argmax(1) == val_y[pick]).sum().item()
        val_accs.append(correct / len(pick))

    scheduler.step()
    train_losses.append(epoch_loss / len(train_x))
    recent = val_accs[-10:]
    acc = sum(recent) / len(recent)
    if acc > best_acc:
        best_acc = acc
        best_state = {k: v.detach().clone() for k, v in model.state_dict().items()}
    if epoch % 10 == 0:
        print("epoch %d  train loss %.4f  val acc %.3f" % (epoch, train_losses[-1], acc))

model.load_state_dict(best_state)
confidence = torch.cat(val_outputs).max(dim=1).values
print("best acc %.3f, mean confidence %.3f" % (best_acc, confidence.mean().item()))
