# gradwatch-corpus: kind=graph-held
# holder: self.maps | viz.maps | self.maps[name] | viz.maps["layer1"] | viz.maps["layer2"]
# first-bad: 1
import torch
import torch.nn as nn
import torch.optim as optim

import config as cfg
from leaves import get_batches
from model import LeafNet
from visualizer import FeatureMapVisualizer

torch.manual_seed(cfg.SEED)
torch.set_num_threads(1)


def train(model, batches, criterion, optimizer, epoch, history):
    model.train()
    running_loss = 0.0
    correct = 0
    total = 0
    for i, (inputs, labels) in enumerate(batches):
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()

        running_loss += loss.item()
        correct += (outputs.argmax(1) == labels).sum().item()
        total += labels.size(0)
        if i % 20 == 19:
            print("[%d, %3d] loss: %.3f" % (epoch + 1, i + 1, running_loss / (i + 1)))
    history["train_loss"].append(running_loss / len(batches))
    history["train_acc"].append(correct / total)


def evaluate(model, batches):
    model.eval()
    correct = 0
    total = 0
    with torch.no_grad():
        for inputs, labels in batches:
            pred = model(inputs).argmax(1)
            correct += (pred == labels).sum().item()
            total += labels.size(0)
    return correct / total


def main():
    model = LeafNet(cfg.NUM_CLASSES)
    viz = FeatureMapVisualizer(model, cfg.WATCHED_LAYERS)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = optim.SGD(model.parameters(), lr=cfg.LR, momentum=0.9, nesterov=True)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)

    history = {"train_loss": [], "train_acc": [], "val_acc": []}
    val_batches = get_batches(4, cfg.BATCH_SIZE, seed=99)
    for epoch in range(cfg.EPOCHS):
        batches = get_batches(cfg.STEPS_PER_EPOCH, cfg.BATCH_SIZE, seed=epoch)
        train(model, batches, criterion, optimizer, epoch, history)
        history["val_acc"].append(evaluate(model, val_batches))
        scheduler.step()
        print("epoch", epoch + 1, {k: round(v[-1], 3) for k, v in history.items()})

    grid = viz.mean_map("layer2")
    print("mean map of layer2:", tuple(grid.shape), "max %.3f" % grid.max().item())


if __name__ == "__main__":
    main()
