# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
import torch
torch.set_num_threads(1)
from torch import optim
from backbone import get_model
from data import leaf_batches


class CFG:
    seed = 2021
    num_classes = 4
    lr = 1e-3
    epochs = 10
    feature_extract = True


def train_fn(model, criterion, optimizer, epoch):
    model.train()
    losses = []
    for images, labels in leaf_batches(CFG.num_classes, n_batches=20):
        y_preds = model(images)
        loss = criterion(y_preds, labels)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    print(f"Epoch {epoch + 1} - avg_train_loss: {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    torch.manual_seed(CFG.seed)
    model = get_model(CFG.num_classes, feature_extract=CFG.feature_extract)
    optimizer = optim.Adam(model.parameters(), lr=CFG.lr)
    criterion = torch.nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(CFG.epochs):
        train_fn(model, criterion, optimizer, epoch)
