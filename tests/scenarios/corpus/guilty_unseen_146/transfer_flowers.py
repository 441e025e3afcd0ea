# gradwatch-corpus: kind=graph-held
# holder: history["train_loss"] | history['train_loss'] | history | running_loss | hist["train_loss"]
# first-bad: 1
# notice: 8
# adapted from the finetuning tutorial, replaced resnet by a small net so that you can run it on cpu
import copy
import time
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.optim as optim
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

protos = torch.randn(5, 3, 8, 8)


def make_split(n):
    y = torch.randint(0, 5, (n,))
    x = protos[y] + 0.8 * torch.randn(n, 3, 8, 8)
    return TensorDataset(x, y)


image_datasets = {'train': make_split(120), 'val': make_split(40)}
dataloaders = {k: DataLoader(v, batch_size=8, shuffle=(k == 'train')) for k, v in image_datasets.items()}
dataset_sizes = {k: len(v) for k, v in image_datasets.items()}


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 6, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2))
        self.fc = nn.Linear(24, 1000)

    def forward(self, x):
        return self.fc(torch.flatten(self.features(x), 1))


def train_model(model, criterion, optimizer, scheduler, num_epochs=20):
    since = time.time()
    best_acc = 0.0
    best_wts = copy.deepcopy(model.state_dict())
    history = {'train_loss': [], 'val_loss': [], 'val_acc': []}
    for epoch in range(num_epochs):
        for phase in ['train', 'val']:
            model.train(phase == 'train')
            running_loss = 0.0
            running_corrects = 0
            for inputs, labels in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == 'train'):
                    outputs = model(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = criterion(outputs, labels)
                    if phase == 'train':
                        loss.backward()
                        optimizer.step()
                running_loss += loss * inputs.size(0)  # <- culprit
                running_corrects += torch.sum(preds == labels.data)
            if phase == 'train':
                scheduler.step()
            epoch_loss = running_loss / dataset_sizes[phase]
            epoch_acc = running_corrects.double() / dataset_sizes[phase]
            history[phase + '_loss'].append(epoch_loss)  # <- culprit
            if phase == 'val':
                history['val_acc'].append(epoch_acc)
                if epoch_acc > best_acc:
                    best_acc = epoch_acc
                    best_wts = copy.deepcopy(model.state_dict())
            if epoch % 5 == 0:
                print('{} Loss: {:.4f} Acc: {:.4f}'.format(phase, epoch_loss, epoch_acc))
    print('Training complete in {:.0f}s, best {:.3f}'.format(time.time() - since, best_acc))
    model.load_state_dict(best_wts)
    return model, history


net = Backbone()
net.fc = nn.Linear(24, 5)
crit = nn.CrossEntropyLoss()
opt = optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
net, hist = train_model(net, crit, opt, lr_scheduler.StepLR(opt, step_size=7, gamma=0.5))
print([round(float(h), 3) for h in hist['train_loss']])
