# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(12)

import torch.nn as nn
import torch.optim as optim
from models import initialize_model


def synthetic(n):
    y = torch.randint(0, 5, (n,))
    x = torch.randn(n, 3, 8, 8) + y.view(-1, 1, 1, 1) * 0.3
    return x, y


def train_model(model, criterion, optimizer, scheduler, num_epochs=10):
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            model.train(phase == "train")
            running_loss, running_corrects = 0.0, 0
            for _ in range(10):
                inputs, labels = synthetic(8)
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item()
                running_corrects += (outputs.argmax(1) == labels).sum().item()
            if phase == "train":
                scheduler.step()
            print(f"{phase} Loss: {running_loss / 10:.4f} Acc: {running_corrects / 80:.4f}")


model_ft = initialize_model(5, feature_extract=True)
optimizer_ft = optim.SGD(model_ft.parameters(), lr=0.001, momentum=0.9)
exp_lr = optim.lr_scheduler.StepLR(optimizer_ft, step_size=7, gamma=0.1)
train_model(model_ft, nn.CrossEntropyLoss(), optimizer_ft, exp_lr)
