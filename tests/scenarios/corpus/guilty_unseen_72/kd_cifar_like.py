# gradwatch-corpus: kind=graph-held
# holder: self.sum | self.avg | meters["kd"].sum | meters["kd"].avg | meters["kd"] | m.sum | m.avg
# first-bad: 1
# notice: 8
import argparse
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)


class AverageMeter(object):
    """Computes and stores the average and current value"""

    def __init__(self, name, fmt=':.4f'):
        self.name = name
        self.fmt = fmt
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum = self.sum + val * n  # <- culprit
        self.count += n
        self.avg = self.sum / self.count

    def __str__(self):
        return ('{} {' + self.fmt + '}').format(self.name, self.avg)


def accuracy(output, target):
    return (output.argmax(1) == target).float().mean().item() * 100


def conv_block(i, o, stride=2):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class SmallCNN(nn.Module):
    def __init__(self, widths, num_classes=5):
        super(SmallCNN, self).__init__()
        chans = [1] + list(widths)
        self.features = nn.Sequential(*[conv_block(a, b) for a, b in zip(chans, chans[1:])])
        self.fc = nn.Linear(chans[-1], num_classes)

    def forward(self, x):
        return self.fc(self.features(x).mean((2, 3)))


class DistillKL(nn.Module):
    """Distilling the Knowledge in a Neural Network"""

    def __init__(self, T):
        super(DistillKL, self).__init__()
        self.T = T

    def forward(self, y_s, y_t):
        p_s = F.log_softmax(y_s / self.T, dim=1)
        p_t = F.softmax(y_t / self.T, dim=1)
        return F.kl_div(p_s, p_t, reduction='batchmean') * self.T ** 2


def synthetic(n=2400, classes=5, size=12):
    y = torch.randint(0, classes, (n,))
    protos = torch.randn(classes, 1, size, size)
    return TensorDataset(protos[y] + 1.2 * torch.randn(n, 1, size, size), y), protos


class TemplateTeacher(nn.Module):
    """Matched filter with the class templates the data was made from."""

    def __init__(self, protos, noise=1.2):
        super(TemplateTeacher, self).__init__()
        self.register_buffer('w', protos.flatten(1) / noise ** 2)
        self.register_buffer('b', -0.5 * protos.flatten(1).pow(2).sum(1) / noise ** 2)

    def forward(self, x):
        return 0.1 * (x.flatten(1) @ self.w.t() + self.b)


def train(epoch, loader, student, teacher, criterion_kd, optimizer, args):
    student.train()
    meters = {k: AverageMeter(k) for k in ('time', 'ce', 'kd', 'acc')}
    end = time.time()
    for idx, (x, y) in enumerate(loader):
        logit_s = student(x)
        with torch.no_grad():
            logit_t = teacher(x)
        loss_ce = F.cross_entropy(logit_s, y)
        loss_kd = criterion_kd(logit_s, logit_t)
        loss = args.gamma * loss_ce + (1 - args.gamma) * loss_kd

        meters['ce'].update(loss_ce.item(), x.size(0))
        meters['kd'].update(loss_kd, x.size(0))  # <- culprit
        meters['acc'].update(accuracy(logit_s, y), x.size(0))

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meters['time'].update(time.time() - end)
        end = time.time()
        if idx % args.print_freq == 0:
            print('Epoch [{}][{}/{}]\t'.format(epoch, idx, len(loader)) + '  '.join(str(m) for m in meters.values()))
    return meters['kd'].avg.item(), meters['acc'].avg


@torch.no_grad()
def validate(loader, net):
    net.eval()
    acc = AverageMeter('acc')
    for x, y in loader:
        acc.update(accuracy(net(x), y), x.size(0))
    return acc.avg


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=2)
    parser.add_argument('--gamma', type=float, default=0.3)
    parser.add_argument('--T', type=float, default=4.0)
    parser.add_argument('--print-freq', type=int, default=20)
    args = parser.parse_args()
    torch.manual_seed(1)
    dataset, protos = synthetic()
    tr, va = random_split(dataset, [2000, 400])
    train_loader = DataLoader(tr, batch_size=32, shuffle=True, drop_last=True)
    val_loader = DataLoader(va, batch_size=200)
    teacher = TemplateTeacher(protos).eval()
    print('teacher acc {:.1f}'.format(validate(val_loader, teacher)))
    student = SmallCNN([6, 12])
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    best = 0.0
    for epoch in range(args.epochs):
        kd, acc = train(epoch, train_loader, student, teacher, DistillKL(args.T), optimizer, args)
        val = validate(val_loader, student)
        best = max(best, val)
        print('==> epoch {} kd {:.3f} train {:.1f} val {:.1f} best {:.1f}'.format(epoch, kd, acc, val, best))


if __name__ == '__main__':
    main()
