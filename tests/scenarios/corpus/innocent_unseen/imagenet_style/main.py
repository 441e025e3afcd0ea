# gradwatch-corpus: kind=none
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from tools.engine import train_one_epoch, validate
from tools.logger import CSVLogger

ap = argparse.ArgumentParser()
ap.add_argument("--epochs", type=int, default=5)
ap.add_argument("--bs", type=int, default=64)
args = ap.parse_args()

torch.manual_seed(0)
x = torch.randn(2560, 3, 8, 8)
y = (x.mean((2, 3)) * 20).argmax(1)
train_loader = DataLoader(TensorDataset(x, y), args.bs, shuffle=True)
val_loader = DataLoader(TensorDataset(x[:320], y[:320]), args.bs)
model = nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9, nesterov=True)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
log = CSVLogger()
best = 0
for epoch in range(args.epochs):
    train_one_epoch(model, nn.CrossEntropyLoss(), train_loader, optimizer, log)
    acc = validate(model, val_loader)
    scheduler.step()
    best = max(best, acc)
    print(epoch, "acc", acc, "best", best, "rows", len(log.rows))
